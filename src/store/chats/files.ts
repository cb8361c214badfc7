/**
 * The files of messages, in GridFS. Collections `media.files` and `media.chunks`.
 *
 * Promises: a file is stored before its message, and belongs to it from the transaction that stores the message. A file whose
 * message was not stored is deleted after a day.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import mongoose from 'mongoose';
import type { MessageFile } from '../../domain/messages/message.ts';
import { collectionOf } from '../db/collection.ts';
import {
  concerns,
  databaseOf,
  indexesOf,
  type Connection,
  type Session,
  type Db,
} from '../db/connection.ts';
import { mapUnavailable } from '../db/errors.ts';
import { listIds } from '../db/queries.ts';

const bucketName = 'media';

type StoredFile = {
  readonly _id: string;
  readonly filename: string;
  readonly length: number;
  readonly uploadDate: Date;
  readonly metadata: {
    readonly chatId: string;
    readonly contentType: string;
    /** Set until the message is stored. */
    readonly isUnused?: true;
  };
};
type Chunk = { readonly _id: string; readonly files_id: string };

export const fileIndexes = [
  // The driver's own two indexes: https://www.mongodb.com/docs/manual/core/gridfs/#gridfs-indexes
  ...indexesOf('media.chunks', { files_id_1_n_1: { key: { files_id: 1, n: 1 }, unique: true } }),
  ...indexesOf('media.files', {
    filename_1_uploadDate_1: { key: { filename: 1, uploadDate: 1 } },
    by_chat: { key: { 'metadata.chatId': 1 } },
    unused: { key: { uploadDate: 1 }, where: { 'metadata.isUnused': true } },
  }),
];

const filesOf = (connection: Connection) => collectionOf<StoredFile>(connection, 'media.files');
const chunksOf = (connection: Connection) => collectionOf<Chunk>(connection, 'media.chunks');

export const markFilesUsed = async (
  connection: Connection,
  ids: readonly string[],
  session: Session,
): Promise<void> => {
  await filesOf(connection).updateMany(
    { _id: { $in: [...ids] } },
    { $unset: { 'metadata.isUnused': '' } },
    { session },
  );
};

/** Deletes the files of chats. Files that are still being stored are deleted as unused. */
export async function deleteFilesOfChats(
  connection: Connection,
  chatIds: readonly string[],
  session: Session,
): Promise<void> {
  const where = { 'metadata.chatId': { $in: [...chatIds] } };
  await deleteFiles(connection, await listIds(filesOf(connection), where, { session }), session);
}

export const listFilesOfChats = (
  connection: Connection,
  chatIds: readonly string[],
  limit: number,
): Promise<string[]> =>
  listIds(filesOf(connection), { 'metadata.chatId': { $in: [...chatIds] } }, { limit });

export async function deleteFiles(
  connection: Connection,
  ids: readonly string[],
  session?: Session,
): Promise<void> {
  if (ids.length === 0) return;
  const options = session ? { session } : {};
  await chunksOf(connection).deleteMany({ files_id: { $in: [...ids] } }, options);
  await filesOf(connection).deleteMany({ _id: { $in: [...ids] } }, options);
}

/** MongoDB takes any id; the driver's type has only ObjectId. */
const bucketId = (fileId: string) => fileId as never;

const unusedAfterMs = 86_400_000;
const deletedAtOnce = 100;

export async function saveFile(
  db: Db,
  { fileId, name, contentType }: MessageFile,
  { chatId, bytes }: { readonly chatId: string; readonly bytes: Buffer },
): Promise<void> {
  const upload = bucket(db).openUploadStreamWithId(bucketId(fileId), name, {
    metadata: { chatId, contentType, isUnused: true },
  });
  await mapUnavailable(() => pipeline(Readable.from([bytes]), upload));
}

export async function openFile(db: Db, chatId: string, fileId: string) {
  const found = await filesOf(db.connection).findOne({
    _id: fileId,
    'metadata.chatId': chatId,
    'metadata.isUnused': { $exists: false },
  });
  if (!found) return null;
  return {
    name: found.filename,
    contentType: found.metadata.contentType,
    bytes: found.length,
    read: (): Readable => bucket(db).openDownloadStream(bucketId(fileId)),
  };
}

export async function deleteUnusedFiles(db: Db): Promise<number> {
  const before = new Date(+db.clock.now() - unusedAfterMs);
  const where = { 'metadata.isUnused': true, uploadDate: { $lt: before } };
  const ids = await listIds(filesOf(db.connection), where, { limit: deletedAtOnce });
  await deleteFiles(db.connection, ids);
  return ids.length;
}

const bucket = (db: Db) =>
  new mongoose.mongo.GridFSBucket(databaseOf(db.connection), {
    bucketName,
    writeConcern: concerns.writeConcern,
  });
