/**
 * The stored form of a sample. Header and query names come from the sender and may contain dots, dollar signs or NUL,
 * which are not allowed in field names. Both are therefore stored as JSON text.
 */
import type { Sample } from '../../domain/webhooks/webhook.ts';
import type { Connection } from '../db/connection.ts';
import { modelOf, type Session } from '../db/model.ts';

export type SampleRecord = Omit<Sample, 'headers' | 'query'> & {
  readonly headers: string;
  readonly query: string;
};

const definition = {
  _id: String,
  webhookId: String,
  receivedAt: Date,
  source: String,
  name: String,
  pin: Number,
  eventId: String,
  contentType: String,
  headers: String,
  query: String,
  body: Buffer,
};

export const sampleModel = (connection: Connection) =>
  modelOf<SampleRecord>(connection, 'samples', definition);

type SampleModel = ReturnType<typeof sampleModel>;

export const toSampleRecord = (sample: Sample): SampleRecord => ({
  ...sample,
  headers: JSON.stringify(sample.headers),
  query: JSON.stringify(sample.query),
});

export const toSample = (record: SampleRecord): Sample => ({
  ...record,
  body: Buffer.from(record.body),
  headers: JSON.parse(record.headers) as Record<string, string>,
  query: JSON.parse(record.query) as Record<string, string>,
});

/** The condition on the type is required for MongoDB to use the partial index. */
export const pinnedCondition = { $type: 'number' } as const;

/** Returns the pinned samples with their pin numbers. Reads index keys only. */
export const listPins = (
  samples: SampleModel,
  webhookId: string,
  session: Session | null = null,
): Promise<{ _id: string; pin: number }[]> =>
  samples
    .find({ webhookId, pin: pinnedCondition } as never, { pin: 1 })
    .session(session)
    .lean<{ _id: string; pin: number }[]>()
    .exec();
