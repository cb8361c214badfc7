import mongoose from 'mongoose';
import { addToBuckets } from '../../../src/store/counters/buckets.ts';

const { MongoBulkWriteError } = mongoose.mongo;

type Operation = { readonly updateOne: { readonly filter: { readonly _id: string } } };

/** As the driver rejects an unordered bulk in which these operations were duplicates. */
function duplicatesAt(...positions: readonly number[]) {
  const writeErrors = positions.map((index) => ({ index, code: 11_000, errmsg: 'index: _id_' }));
  const result = { getWriteConcernError: () => undefined, getWriteErrors: () => writeErrors };
  const error = { message: 'E11000', code: 11_000, writeErrors };
  return new MongoBulkWriteError(error as never, result as never);
}

test('counts of a bucket that another process created at the same time are added again, and no others', async () => {
  const bulks: string[][] = [];
  const collection = {
    bulkWrite(operations: readonly Operation[]) {
      bulks.push(operations.map(({ updateOne }) => updateOne.filter._id));
      return bulks.length === 1 ? Promise.reject(duplicatesAt(0, 2)) : Promise.resolve();
    },
  };
  const updates = ['a', 'b', 'c'].map((id) => [id, { $inc: { events: 1 } }] as const);
  await addToBuckets(collection as never, updates);
  expect(bulks).toEqual([
    ['a', 'b', 'c'],
    ['a', 'c'],
  ]);
});
