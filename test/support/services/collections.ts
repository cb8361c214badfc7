// The driver's collections: what a test reads and writes does not pass the code of the stores.
import type mongoose from 'mongoose';
import { databaseOf, type Connection } from '../../../src/store/db/connection.ts';

type Collection<Doc extends { _id: string }> = mongoose.mongo.Collection<Doc>;

export const collectionOf = <Doc extends { _id: string }>(
  connection: Connection,
  name: string,
): Collection<Doc> => databaseOf(connection).collection<Doc>(name);
