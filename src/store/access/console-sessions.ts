/**
 * Sessions of the console by the SHA-256 of their secret. Collection `sessions`.
 *
 * Promises: a session is read together with its token, so the revocation of the token ends it at once.
 * Must never: keep the secret, or more than the newest sessions of a token.
 */
import type { ConsoleSession } from '../../domain/access/console-session.ts';
import type { Token } from '../../domain/access/token.ts';
import { listIds } from '../db/queries.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Db } from '../db/connection.ts';

const collection = 'sessions';

export const consoleSessionIndexes = indexesOf(collection, {
  ends: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  by_token: { key: { tokenId: 1, createdAt: -1 } },
});

/** More browsers than share one token. */
const maxOfToken = 50;

const sessionsOf = (db: Db) => collectionOf<ConsoleSession>(db.connection, collection);

/** Returns whether older sessions of the token ended. */
export async function addConsoleSession(db: Db, session: ConsoleSession): Promise<boolean> {
  await sessionsOf(db).insertOne(session);
  const { tokenId } = session;
  const beyond = { sort: { createdAt: -1 }, skip: maxOfToken, limit: maxOfToken } as const;
  const ids = await listIds(sessionsOf(db), { tokenId }, beyond);
  if (ids.length === 0) return false;
  await sessionsOf(db).deleteMany({ _id: { $in: ids } });
  return true;
}

/** Returns the session and its stored token; null when the session is unknown or has expired. */
export async function findConsoleSession(db: Db, id: string, now: Date) {
  const stages = [
    { $match: { _id: id, expiresAt: { $gt: now } } },
    { $lookup: { from: 'tokens', localField: 'tokenId', foreignField: '_id', as: 'tokens' } },
  ];
  const [found] = await sessionsOf(db)
    .aggregate<ConsoleSession & { readonly tokens: readonly Token[] }>(stages)
    .toArray();
  if (!found) return null;
  const { tokens, ...session } = found;
  return { session, token: tokens[0] ?? null };
}

export const removeConsoleSession = async (db: Db, id: string): Promise<void> =>
  void (await sessionsOf(db).deleteOne({ _id: id }));
