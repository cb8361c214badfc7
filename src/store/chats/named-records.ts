/** Labels and sectors: records that events refer to by name. A missing one is created. Collections `labels` and `sectors`. */
import { LRUCache } from 'lru-cache';
import { newId } from '../../base/ids.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead, majorityWrite } from '../db/connection.ts';
import { collectBulkFailures } from '../db/errors.ts';

type NamedRecord = {
  readonly _id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly color: string;
  readonly createdAt: Date;
};

const collections = ['labels', 'sectors'] as const;

export const namedRecordIndexes: readonly IndexSpec[] = collections.map((collection) => ({
  collection,
  name: 'by_name',
  key: { nameKey: 1 },
  unique: true,
}));

const defaultColor = '#8a8f98';
const knownForMs = 60_000;

/** Returns the key of a name. Names that differ in case, spaces or Unicode composition have the same key. */
const nameKeyOf = (name: string): string =>
  name.toWellFormed().normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export type NamedRecordStore = ReturnType<typeof createNamedRecordStore>;

export function createNamedRecordStore(
  { connection, clock }: Pick<StoreContext, 'connection' | 'clock'>,
  name: (typeof collections)[number],
) {
  const records = collectionOf<NamedRecord>(connection, name);
  const known = new LRUCache<string, string>({ max: 5_000, ttl: knownForMs });

  async function find(nameKeys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (nameKeys.length === 0) return new Map();
    const found = await records
      .find({ nameKey: { $in: [...nameKeys] } }, { projection: { nameKey: 1 }, ...majorityRead })
      .toArray();
    for (const { _id, nameKey } of found) known.set(nameKey, _id);
    return new Map(found.map(({ _id, nameKey }) => [nameKey, _id]));
  }

  async function create(missing: ReadonlyMap<string, string>): Promise<void> {
    const createdAt = clock.now();
    const bulkFailures = await collectBulkFailures(() =>
      records.insertMany(
        [...missing].map(([nameKey, text]) => ({
          _id: newId(),
          name: text.toWellFormed().trim(),
          nameKey,
          color: defaultColor,
          createdAt,
        })),
        { ordered: false, ...majorityWrite },
      ),
    );
    for (const bulkFailure of bulkFailures.values())
      if (bulkFailure.kind === 'failed') throw bulkFailure.error;
  }

  return {
    /** Returns the ids of the names that exist. Creates no records. */
    async known(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const ids = await find([...new Set(names.map(nameKeyOf))]);
      return new Map(
        names.flatMap((text) => {
          const id = ids.get(nameKeyOf(text));
          return id === undefined ? [] : [[text, id] as const];
        }),
      );
    },

    /** Returns the ids of the names and creates missing records. Ids are cached for a minute. */
    async ensureIds(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
      const wanted = new Map(names.map((text) => [nameKeyOf(text), text] as const));
      const ids = new Map<string, string>();
      const absent = () => new Map([...wanted].filter(([key]) => !ids.has(key)));
      const learn = async () => {
        for (const [key, id] of await find([...absent().keys()])) ids.set(key, id);
      };
      for (const key of wanted.keys()) {
        const id = known.get(key);
        if (id !== undefined) ids.set(key, id);
      }
      await learn();
      if (absent().size > 0) {
        await create(absent());
        await learn();
      }
      if (absent().size > 0) throw new Error(`A name of ${name} could not be found or made.`);
      return new Map(names.map((text) => [text, ids.get(nameKeyOf(text)) ?? ''] as const));
    },
  };
}
