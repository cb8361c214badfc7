/**
 * Many of what there are a few of: copies of real documents, so that the copies have every field that the product writes.
 *
 * Promises: a copy differs from its original in its id, in what a unique index covers, and in its time; copies of one
 * original belong together (an event's copy names the copies of its contact and its chat).
 */
type Doc = Record<string, unknown>;
type Cursor = { toArray(): Promise<Doc[]> };
/** As much of the driver's database as is needed here. */
export type Database = {
  collection(name: string): {
    find(filter: Doc): Cursor;
    insertMany(docs: Doc[], options: { ordered: false }): Promise<unknown>;
  };
};

const batchSize = 1_000;
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** Fields whose ids name things that are not copied. */
type KeptIds = ReadonlySet<string>;

/** The same id in the same copy is the same again; the last twelve digits are enough to tell copies apart. */
const idOf = (id: string, copy: number): string => {
  const tail = (BigInt(`0x${id.slice(-12)}`) ^ BigInt(copy)).toString(16).padStart(12, '0');
  return `${id.slice(0, -12)}${tail}`;
};

type Copying = { readonly copy: number; readonly kept: KeptIds; readonly stepMs: number };

function copied(value: unknown, name: string, copying: Copying): unknown {
  const { copy, kept, stepMs } = copying;
  if (typeof value === 'string') {
    if (kept.has(name)) return value;
    if (uuid.test(value)) return idOf(value, copy);
    return unique.has(name) ? `${value}-${copy}` : value;
  }
  if (value instanceof Date) return new Date(value.getTime() - copy * stepMs);
  if (Array.isArray(value)) return value.map((one) => copied(one, name, copying));
  if (typeof value !== 'object' || value === null || !isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([inner, one]) => [inner, copied(one, inner, copying)]),
  );
}

/** What unique indexes cover besides ids. */
const unique = new Set(['dedupKeys', 'hash', 'nameKey', 'externalId', 'value']);
const isPlain = (value: object): boolean => Object.getPrototypeOf(value) === Object.prototype;

type CopyOptions = {
  readonly collections: readonly string[];
  readonly copies: number;
  /** What the copy of this number leaves as it is. */
  readonly kept: (copy: number) => KeptIds;
  /** How much older each copy is than the one before. */
  readonly stepMs: number;
};

/** Returns how many documents each collection got. */
export async function copyDocuments(
  database: Database,
  { collections, copies, kept, stepMs }: CopyOptions,
): Promise<Record<string, number>> {
  const made: Record<string, number> = {};
  for (const name of collections) {
    const originals = await database.collection(name).find({}).toArray();
    let batch: Doc[] = [];
    const flush = async () => {
      if (batch.length > 0) await database.collection(name).insertMany(batch, { ordered: false });
      made[name] = (made[name] ?? 0) + batch.length;
      batch = [];
    };
    for (let copy = 1; copy <= copies; copy += 1) {
      for (const original of originals) {
        batch.push(copied(original, '', { copy, kept: kept(copy), stepMs }) as Doc);
        if (batch.length >= batchSize) await flush();
      }
    }
    await flush();
  }
  return made;
}
