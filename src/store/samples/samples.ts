/**
 * Samples: payloads for writing a mapping. Collection `samples`. A webhook keeps the newest 200 and up to 50 pinned ones.
 *
 * Promises: a pinned sample is never deleted to make space.
 * Must never: read bodies in order to count.
 */
import type { Actor } from '../../domain/audit/audit.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import { maxSamples } from '../../domain/webhooks/webhook.ts';
import type { Sample } from '../../domain/webhooks/webhook.ts';
import { indexesOf, type Db } from '../db/connection.ts';
import { anyOf, inDateRange, listIds, totalOrder } from '../db/queries.ts';
import { createSampleChanges } from './sample-changes.ts';
import {
  pinnedCondition,
  listPins,
  samplesOf,
  toSample,
  watchSamples,
  withoutTexts,
  withTexts,
  type SampleRecord,
} from './sample-records.ts';

const collection = 'samples';

export const sampleIndexes = indexesOf(collection, {
  by_webhook: { key: { webhookId: 1, receivedAt: -1, _id: -1 } },
  pins: { key: { webhookId: 1, pin: 1, _id: 1 }, where: { pin: pinnedCondition } },
  one_pin: { key: { webhookId: 1, pin: 1 }, unique: true, where: { pin: pinnedCondition } },
});

const newestFirst = { receivedAt: -1, _id: -1 } as const;
const oldestFirst = { receivedAt: 1, _id: 1 } as const;
/** More than a webhook keeps, so that they are read by one command. */
const idsAtOnce = 1_000;

export type SampleFilter = DateRange & {
  readonly source?: readonly string[];
  readonly pinned?: boolean;
};

/** `body` is null where it did not fit into the page. */
type ListedSample = Omit<Sample, 'body'> & { readonly body: Buffer | null };

type SizedRecord = Omit<SampleRecord, 'body'> & { readonly bytes: number };

export function createSampleStore(context: Db) {
  const { connection } = context;
  const samples = samplesOf(connection);
  const changes = createSampleChanges(context);

  const store = {
    change: changes.change,
    remove: changes.remove,
    watch: watchSamples(connection),

    async add(sample: Sample): Promise<void> {
      await samples.insertOne(withTexts(sample));
      await trim(samples, sample.webhookId);
    },

    async addManually(sample: Sample, actor: Actor) {
      const added = await changes.addManually(sample, actor);
      if (added.ok) await trim(samples, sample.webhookId);
      return added;
    },

    /** Of the bodies of a page it reads the first, and those after it that together have at most `maxBytes`. */
    async list(
      webhookId: string,
      filter: SampleFilter,
      { maxBytes, ...page }: Page & { readonly maxBytes: number },
    ): Promise<Paged<ListedSample>> {
      const { source, pinned } = filter;
      const where = {
        webhookId,
        ...anyOf({ source }),
        ...(pinned !== undefined && { pin: pinned ? pinnedCondition : { $not: pinnedCondition } }),
        ...inDateRange('receivedAt', filter),
      };
      const [found, total] = await Promise.all([
        samples
          .aggregate<SizedRecord>([
            { $match: where },
            { $sort: totalOrder(page.sort) },
            { $skip: page.skip },
            { $limit: page.limit },
            { $set: { bytes: { $binarySize: '$body' } } },
            { $unset: 'body' },
          ])
          .toArray(),
        samples.countDocuments(where),
      ]);
      const bodies = await readBodies(samples, found, maxBytes);
      const results = found.map(({ bytes: _bytes, ...record }) => ({
        ...withoutTexts(record),
        body: bodies.get(record._id) ?? null,
      }));
      return { results, total };
    },

    async get(webhookId: string, id: string): Promise<Sample | null> {
      const record = await samples.findOne({ _id: id, webhookId });
      return record && toSample(record);
    },

    ids: (webhookId: string): Promise<string[]> =>
      listIds(samples, { webhookId }, { sort: oldestFirst, batchSize: idsAtOnce }),
  };
  return {
    ...store,
    /** Reads all of a webhook, the oldest first, one at a time: together they may be larger than the memory of a process. */
    async *each(webhookId: string): AsyncGenerator<Sample> {
      for (const id of await store.ids(webhookId)) {
        const sample = await store.get(webhookId, id);
        if (sample) yield sample;
      }
    },
  };
}

type Samples = ReturnType<typeof samplesOf>;

/** Deletes the samples beyond the limit. Reads index keys only, because bodies may be large. */
async function trim(samples: Samples, webhookId: string): Promise<void> {
  const [newest, places] = await Promise.all([
    listIds(samples, { webhookId }, { sort: newestFirst, batchSize: idsAtOnce }),
    listPins(samples, webhookId),
  ]);
  const pinned = new Set(places.map(({ _id }) => _id));
  const beyond = newest.filter((id) => !pinned.has(id)).slice(maxSamples);
  if (beyond.length === 0) return;
  // A sample may have been pinned since the read.
  await samples.deleteMany({ _id: { $in: beyond }, pin: { $not: pinnedCondition } });
}

/** Returns the bodies that fit, by id. */
async function readBodies(
  samples: Samples,
  found: readonly SizedRecord[],
  maxBytes: number,
): Promise<ReadonlyMap<string, Buffer>> {
  let bytes = 0;
  const fits = found.filter((sample, index) => {
    bytes += sample.bytes;
    return index === 0 || bytes <= maxBytes;
  });
  const ids = fits.map(({ _id }) => _id);
  const read = await samples.find({ _id: { $in: ids } }, { projection: { body: 1 } }).toArray();
  return new Map(read.map(({ _id, body }) => [_id, Buffer.from(body)]));
}
