/**
 * Fills collections with copies of real documents, which have every field that the product writes.
 *
 * Promises: a copy differs from its original in its id, its times and the fields of unique indexes; copies with the same
 * number refer to each other (the copy of an event refers to the copies of its contact and chat).
 */
type Doc = Record<string, unknown>;
type Cursor = { toArray(): Promise<Doc[]> };
/** The methods of the driver's database that are used here. */
export type Database = {
  collection(name: string): {
    find(filter: Doc): Cursor;
    insertMany(docs: Doc[], options: { ordered: false }): Promise<unknown>;
  };
};

const batchSize = 1_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Fields with the ids of documents that are not copied. */
type KeptIds = ReadonlySet<string>;

const hexOf = (value: bigint): string => value.toString(16).padStart(12, '0');

/** Derives the id of a copy: its last twelve digits differ, and the time of a UUIDv7 is that of the copy. */
const idOf = (id: string, { copy, stepMs }: Pick<CopyContext, 'copy' | 'stepMs'>): string => {
  const tail = hexOf(BigInt(`0x${id.slice(-12)}`) ^ BigInt(copy));
  if (id[14] !== '7') return `${id.slice(0, -12)}${tail}`;
  const ms = hexOf(BigInt(`0x${id.slice(0, 8)}${id.slice(9, 13)}`) - BigInt(copy * stepMs));
  return `${ms.slice(0, 8)}-${ms.slice(8)}${id.slice(13, -12)}${tail}`;
};

type CopyContext = {
  readonly copy: number;
  readonly kept: KeptIds;
  readonly stepMs: number;
  readonly hashOf?: (copy: number) => string;
};

function copied(value: unknown, name: string, context: CopyContext): unknown {
  const { copy, kept, stepMs } = context;
  if (typeof value === 'string') {
    if (kept.has(name)) return value;
    if (uuid.test(value)) return idOf(value, context);
    if (name === 'hash' && context.hashOf) return context.hashOf(copy);
    return unique.has(name) ? `${value}-${copy}` : value;
  }
  if (value instanceof Date) return new Date(value.getTime() - copy * stepMs);
  if (Array.isArray(value)) return value.map((one) => copied(one, name, context));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => [inner, copied(one, inner, context)]),
  );
}

/** Fields of unique indexes, besides ids. */
const unique = new Set(['dedupKeys', 'hash', 'nameKey', 'externalId', 'value']);
const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

type CopyOptions = {
  readonly collections: readonly string[];
  readonly copies: number;
  /** The fields that the copy with this number does not change. */
  readonly kept: (copy: number) => KeptIds;
  /** How much older each copy is than the one before, in milliseconds. */
  readonly stepMs: number;
  /** Which documents are copied. Default: all. */
  readonly filterOf?: (collection: string) => Doc;
  /** The hash of the key of a copy. Default: one of no key. */
  readonly hashOf?: (copy: number) => string;
};

/** Returns the number of inserted documents by collection. */
export async function copyDocuments(
  database: Database,
  { collections, copies, kept, stepMs, filterOf, hashOf }: CopyOptions,
): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  for (const name of collections) {
    const originals = await database
      .collection(name)
      .find(filterOf?.(name) ?? {})
      .toArray();
    let batch: Doc[] = [];
    const flush = async () => {
      if (batch.length > 0) await database.collection(name).insertMany(batch, { ordered: false });
      made[name] = (made[name] ?? 0) + batch.length;
      batch = [];
    };
    for (let copy = 1; copy <= copies; copy += 1) {
      for (const original of originals) {
        batch.push(copied(original, '', { copy, kept: kept(copy), stepMs, hashOf }) as Doc);
        if (batch.length >= batchSize) await flush();
      }
    }
    await flush();
  }
  return made;
}
