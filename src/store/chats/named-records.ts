/**
 * Labels and sectors: records that events refer to by name. A missing one is created. Collections `labels` and `sectors`.
 *
 * Promises: the records that the events of one webhook create are bounded, since names come from payloads. Processes that
 * create records at the same time may exceed the bound by what each of them creates.
 */
import { LRUCache } from 'lru-cache';
import { newId } from '../../base/ids.ts';
import type { NamedRecord } from '../../domain/messages/named-record.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { collectDuplicates } from '../db/errors.ts';

/** The number of records that the events of one webhook create. */
const maxCreated = { labels: 1_000, sectors: 200 } as const;

const collections = ['labels', 'sectors'] as const;
export type NamedCollection = (typeof collections)[number];

export const namedRecordIndexes = collections.flatMap((collection) =>
  indexesOf(collection, {
    by_name: { key: { nameKey: 1 }, unique: true },
    by_webhook: { key: { webhookId: 1 } },
    by_creation: { key: { createdAt: -1, _id: -1 } },
  }),
);

const defaultColor = '#8a8f98';
const knownForMs = 60_000;

/** Returns the key of a name. Names that differ in case, spaces or Unicode composition have the same key. */
export const nameKeyOf = (name: string): string =>
  name.toWellFormed().normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

export type NamedRecordStore = ReturnType<typeof createNamedRecordStore>;

export function createNamedRecordStore({ connection, clock }: Db, name: NamedCollection) {
  const records = collectionOf<NamedRecord>(connection, name);
  const known = new LRUCache<string, string>({ max: 5_000, ttl: knownForMs });
  /** Webhooks that have created as many records as they may. */
  const full = new LRUCache<string, true>({ max: 5_000, ttl: knownForMs });

  async function find(nameKeys: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (nameKeys.length === 0) return new Map();
    const found = await records
      .find({ nameKey: { $in: [...nameKeys] } }, { projection: { nameKey: 1 } })
      .toArray();
    for (const { _id, nameKey } of found) known.set(nameKey, _id);
    return new Map(found.map(({ _id, nameKey }) => [nameKey, _id]));
  }

  async function create(webhookId: string, missing: ReadonlyMap<string, string>): Promise<void> {
    if (full.has(webhookId)) return;
    const limit = maxCreated[name];
    const created = await records.countDocuments({ webhookId }, { limit });
    const allowed = [...missing].slice(0, limit - created);
    if (allowed.length < missing.size) full.set(webhookId, true);
    if (allowed.length === 0) return;
    const createdAt = clock.now();
    await collectDuplicates(() =>
      records.insertMany(
        allowed.map(([nameKey, text]) => ({
          _id: newId(),
          name: text.toWellFormed().trim(),
          nameKey,
          color: defaultColor,
          createdAt,
          webhookId,
        })),
        { ordered: false },
      ),
    );
  }

  return {
    /** Returns the ids of the names that exist. Creates no records. */
    async known(names: readonly string[]): Promise<ReadonlyMap<string, string>> {
      return idsByName(names, await find([...new Set(names.map(nameKeyOf))]));
    },

    /** A name is missing in the answer when the webhook may not create further records. Ids are cached for a minute. */
    async ensureIds(
      webhookId: string,
      names: readonly string[],
    ): Promise<ReadonlyMap<string, string>> {
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
        await create(webhookId, absent());
        await learn();
      }
      if (absent().size > 0 && !full.has(webhookId))
        throw new Error(`A name of ${name} could not be found or created.`);
      return idsByName(names, ids);
    },
  };
}

const idsByName = (
  names: readonly string[],
  ids: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> =>
  new Map(
    names.flatMap((text) => {
      const id = ids.get(nameKeyOf(text));
      return id === undefined ? [] : [[text, id] as const];
    }),
  );
