/**
 * Who is calling.
 *
 * Promises: tokens are compared by their SHA-256; a path key is never a token; the first admin token is made once.
 * Must never: keep or log a token.
 */
import { timingSafeEqual } from 'node:crypto';
import { AppError } from '../base/errors.ts';
import { derivedId, newSecret, sha256 } from '../base/ids.ts';
import { tokenPrefix, type Logger } from '../base/logger.ts';
import type { Caller, Token } from '../domain/token.ts';

export type TokenDeps = {
  readonly tokens: {
    createFirst(token: { name: string; hash: string }): Promise<boolean>;
    findByHash(hash: string): Promise<Token | null>;
    touch(id: string, now: Date): Promise<void>;
  };
  /** `INLET_ADMIN_TOKEN`; empty: none. */
  readonly adminToken: string;
  readonly logger: Logger;
};

const environmentCaller: Caller = {
  tokenId: derivedId('token', 'environment'),
  name: 'INLET_ADMIN_TOKEN',
  scopes: ['admin'],
};

const touchEveryMs = 60_000;

export function createTokens({ tokens, adminToken, logger }: TokenDeps) {
  const adminHash = adminToken === '' ? null : Buffer.from(sha256(adminToken));

  function isAdminToken(hash: string): boolean {
    return adminHash !== null && timingSafeEqual(adminHash, Buffer.from(hash));
  }

  function noteUse({ _id, lastUsedAt }: Token, now: Date): void {
    if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < touchEveryMs) return;
    tokens.touch(_id, now).catch((err: unknown) => logger.warn({ err }, 'token.touch_failed'));
  }

  return {
    /** Throws `invalid_token` for whatever is no token that is valid now. */
    async authenticate(this: void, given: string | undefined): Promise<Caller> {
      const hash = sha256(given ?? '');
      if (isAdminToken(hash)) return environmentCaller;
      if (!given?.startsWith(tokenPrefix)) throw new AppError('invalid_token');
      const token = await tokens.findByHash(hash);
      const now = new Date();
      const isValid = token && !token.revokedAt && !(token.expiresAt && token.expiresAt <= now);
      if (!isValid) throw new AppError('invalid_token');
      noteUse(token, now);
      return { tokenId: token._id, name: token.name, scopes: token.scopes };
    },

    /** The token to print once, or null when the environment gives one or it was made before. */
    async ensureFirst(): Promise<string | null> {
      if (adminToken !== '') return null;
      const token = newSecret(tokenPrefix);
      const isMade = await tokens.createFirst({ name: 'First token', hash: sha256(token) });
      return isMade ? token : null;
    },
  };
}
