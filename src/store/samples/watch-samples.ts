/** A change stream of new samples, without their bodies. */
import type { Sample } from '../../domain/webhooks/webhook.ts';
import { collectionOf, type Connection } from '../db/connection.ts';
import type { SampleRecord } from './sample-records.ts';
import { watchCollection, type Change } from '../db/change-stream.ts';

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
  watchCollection(collectionOf<SampleRecord>(connection, 'samples'), {
    pipeline,
    toItems: (changes: readonly Found[]) => changes.map(toInsert),
  });
