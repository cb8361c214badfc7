/**
 * Samples: the payloads that came before activation, the newest 200 of each webhook.
 *
 * Header and query names belong to the producer and may hold dots, dollars or NUL, which a database key may not:
 * both are kept as JSON text.
 */
import type { DateRange, Page, Paged } from '../domain/paging.ts';
import { maxSamples } from '../domain/webhook.ts';
import type { Sample } from '../domain/webhook.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { anyOf, modelOf, readPage, sayingUnavailable, within } from './model.ts';

export const sampleIndexes: readonly IndexSpec[] = [
  {
    collection: 'samples',
    name: 'by_webhook',
    key: { webhookId: 1, receivedAt: -1, _id: -1 },
  },
];

type SampleRecord = Omit<Sample, 'headers' | 'query'> & {
  readonly headers: string;
  readonly query: string;
};

const definition = {
  _id: String,
  webhookId: String,
  receivedAt: Date,
  source: String,
  contentType: String,
  headers: String,
  query: String,
  body: Buffer,
};

const newestFirst = { receivedAt: -1, _id: -1 } as const;

const toRecord = (sample: Sample): SampleRecord => ({
  ...sample,
  headers: JSON.stringify(sample.headers),
  query: JSON.stringify(sample.query),
});

const toSample = (record: SampleRecord): Sample => ({
  ...record,
  body: Buffer.from(record.body),
  headers: JSON.parse(record.headers) as Record<string, string>,
  query: JSON.parse(record.query) as Record<string, string>,
});

export type SampleFilter = DateRange & { readonly source?: readonly string[] };
export type SampleStore = ReturnType<typeof createSampleStore>;

export function createSampleStore(connection: Connection) {
  const samples = modelOf<SampleRecord>(connection, 'samples', definition);

  async function trim(webhookId: string): Promise<void> {
    const beyond = await samples
      .find({ webhookId }, { _id: 1 })
      .sort(newestFirst)
      .skip(maxSamples)
      .lean<{ _id: string }[]>();
    if (beyond.length === 0) return;
    await samples.deleteMany({ _id: { $in: beyond.map(({ _id }) => _id) } });
  }

  return sayingUnavailable({
    async add(sample: Sample): Promise<void> {
      await samples.create([toRecord(sample)]);
      await trim(sample.webhookId);
    },

    async list(webhookId: string, filter: SampleFilter, page: Page): Promise<Paged<Sample>> {
      const where = {
        webhookId,
        ...anyOf({ source: filter.source }),
        ...within('receivedAt', filter),
      };
      const { results, total } = await readPage(samples, where, page);
      return { results: results.map(toSample), total };
    },

    async get(webhookId: string, id: string): Promise<Sample | null> {
      const record = await samples.findOne({ _id: id, webhookId }).lean<SampleRecord | null>();
      return record && toSample(record);
    },

    /** Oldest first, as they came. */
    async all(webhookId: string): Promise<Sample[]> {
      const records = await samples
        .find({ webhookId })
        .sort({ receivedAt: 1, _id: 1 })
        .lean<SampleRecord[]>();
      return records.map(toSample);
    },
  });
}
