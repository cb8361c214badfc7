/**
 * The stored form of a sample. Header and query names come from the sender and may contain dots, dollar signs or NUL,
 * which are not allowed in field names. Both are therefore stored as JSON text.
 */
import type { Sample } from '../../domain/webhooks/webhook.ts';
import { collectionOf, type Collection, type Connection, type Session } from '../db/connection.ts';

export type SampleRecord = Omit<Sample, 'headers' | 'query'> & {
  readonly headers: string;
  readonly query: string;
};

type Samples = Collection<SampleRecord>;

export const samplesOf = (connection: Connection): Samples =>
  collectionOf<SampleRecord>(connection, 'samples');

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

/** The condition on the type is required for MongoDB to use the partial index. The driver's types lack the alias `number`. */
export const pinnedCondition = { $type: 'number' as 'double' } as const;

/** Returns the pinned samples with their pin numbers. Reads index keys only. */
export const listPins = (samples: Samples, webhookId: string, session?: Session) =>
  samples
    .find({ webhookId, pin: pinnedCondition }, { session })
    .project<{ _id: string; pin: number }>({ pin: 1 })
    .toArray();
