/** Tokens, as their hashes. The token itself is seen once, by whoever made it. */
import type { Token } from '../domain/token.ts';
import { derivedId } from '../base/ids.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { isDuplicateKey } from './errors.ts';
import { modelOf, sayingUnavailable } from './model.ts';

export const tokenIndexes: readonly IndexSpec[] = [
  { collection: 'tokens', name: 'by_hash', key: { hash: 1 }, unique: true },
];

/** One id for all processes and all starts: the first printed token can be made once only. */
export const firstTokenId = derivedId('token', 'first');

const touchEveryMs = 60_000;

const definition = {
  _id: String,
  name: String,
  scopes: [String],
  hash: String,
  createdAt: Date,
  expiresAt: Date,
  revokedAt: Date,
  lastUsedAt: Date,
};

export type TokenStore = ReturnType<typeof createTokenStore>;

export function createTokenStore(connection: Connection) {
  const tokens = modelOf<Token>(connection, 'tokens', definition);

  /** True for exactly one of all that ever ask, however many race. */
  async function createFirst(token: { name: string; hash: string }): Promise<boolean> {
    const first: Token = {
      _id: firstTokenId,
      ...token,
      scopes: ['admin'],
      createdAt: new Date(),
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    };
    try {
      await tokens.create([first]);
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // The driver may have tried twice; the second try then meets the first.
    const stored = await tokens.findById(firstTokenId).lean<Token | null>();
    return stored?.hash === token.hash;
  }

  return sayingUnavailable({
    createFirst,
    add: async (token: Token): Promise<void> => void (await tokens.create([token])),
    /** Revoked and expired ones included: the caller decides. */
    findByHash: (hash: string): Promise<Token | null> =>
      tokens.findOne({ hash }).lean<Token | null>().exec(),
    /** Notes the use, at most once a minute a token. */
    async touch(id: string, now: Date): Promise<void> {
      const before = new Date(now.getTime() - touchEveryMs);
      const stale = { $or: [{ lastUsedAt: null }, { lastUsedAt: { $lt: before } }] };
      await tokens.updateOne({ _id: id, ...stale }, { $set: { lastUsedAt: now } });
    },
  });
}
