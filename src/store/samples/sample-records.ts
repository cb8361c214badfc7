/**
 * The stored form of a sample. Header and query names come from the sender and may contain dots, dollar signs or NUL,
 * which are not allowed in field names. Both are therefore stored as JSON text.
 */
import type { Sample } from '../../domain/webhooks/webhook.ts';
import { watchCollection, type Change } from '../db/change-stream.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import type { Connection, Session } from '../db/connection.ts';

export type SampleRecord = Omit<Sample, 'headers' | 'query'> & {
  readonly headers: string;
  readonly query: string;
};

type Samples = Collection<SampleRecord>;

export const samplesOf = (connection: Connection): Samples =>
  collectionOf<SampleRecord>(connection, 'samples');

/** Returns the request with its headers and query as JSON text. */
export const withTexts = <Kept extends Pick<Sample, 'headers' | 'query'>>(request: Kept) => ({
  ...request,
  headers: JSON.stringify(request.headers),
  query: JSON.stringify(request.query),
});

/** The inverse of `withTexts`. */
export const withoutTexts = <Stored extends { headers: string; query: string }>(
  record: Stored,
) => ({
  ...record,
  headers: JSON.parse(record.headers) as Record<string, string>,
  query: JSON.parse(record.query) as Record<string, string>,
});

export const toSample = (record: SampleRecord): Sample => ({
  ...withoutTexts(record),
  // MongoDB may return its own binary type.
  body: Buffer.from(record.body),
});

/** The condition on the type is required for MongoDB to use the partial index. The driver's types lack the alias `number`. */
export const pinnedCondition = { $type: 'number' as 'double' } as const;

/** Returns the pinned samples with their pin numbers. Reads index keys only. */
export const listPins = (samples: Samples, webhookId: string, session?: Session) =>
  samples
    .find<{ _id: string; pin: number }>(
      { webhookId, pin: pinnedCondition },
      { session, projection: { pin: 1 } },
    )
    .toArray();

export type SampleInsert = {
  readonly token: string;
  readonly at: Date;
  readonly sample: Pick<Sample, '_id' | 'webhookId' | 'receivedAt' | 'source'>;
};

type Found = Change & { readonly fullDocument: SampleInsert['sample'] };

/** Excludes bodies, because they may be large. */
const pipeline = [
  { $match: { operationType: 'insert' } },
  {
    $project: {
      documentKey: 1,
      wallTime: 1,
      'fullDocument._id': 1,
      'fullDocument.webhookId': 1,
      'fullDocument.receivedAt': 1,
      'fullDocument.source': 1,
    },
  },
];

const toInsert = ({ _id, wallTime, fullDocument: sample }: Found): SampleInsert => ({
  token: _id._data,
  at: wallTime ?? sample.receivedAt,
  sample,
});

/** Watches inserts from now on, or after a token. Resolves when the stream is open. Throws `ChangeStreamLost`. */
export const watchSamples = (connection: Connection) =>
  watchCollection(samplesOf(connection), {
    pipeline,
    toItems: (changes: readonly Found[]) => changes.map(toInsert),
  });
