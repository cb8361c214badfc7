/**
 * Sessions of the console. A browser signs in with a token and then holds the secret of a session instead.
 *
 * Promises: a session has the permissions of its token and ends with it: when it is revoked or expires, or when
 * `INLET_ADMIN_TOKEN` changes. It ends after twelve hours in any case, and cannot be prolonged. It is valid on every server
 * and after a restart. A token has at most 50 sessions: a further one ends the oldest, with its streams.
 * Must never: store the secret, or start a session from a session.
 */
import { AppError } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import { sessionPrefix } from '../../base/observability/logger.ts';
import { sessionHours } from '../../domain/access/console-session.ts';
import type { Caller } from '../../domain/access/token.ts';
import type { ApiContext } from '../context.ts';
import { environmentCaller, type createTokens } from './tokens.ts';

type SessionDeps = Pick<ApiContext, 'consoleSessions' | 'adminToken' | 'recheckStreams' | 'clock'> &
  Pick<ReturnType<typeof createTokens>, 'acceptStored'>;

type StartedSession = { readonly secret: string; readonly expiresAt: Date };

export function createConsoleSessions(deps: SessionDeps) {
  const { consoleSessions: store, adminToken, acceptStored, recheckStreams, clock } = deps;

  const proofOf = (secret: string): string => sha256(`${secret} ${adminToken}`);
  const isOfEnvironment = (tokenId: string): boolean => tokenId === environmentCaller.tokenId;

  return {
    /** Starts a session of the caller's token. Throws `forbidden` if the caller has only a session. */
    async start(caller: Caller): Promise<StartedSession> {
      if (caller.session) throw new AppError('forbidden');
      const { tokenId } = caller;
      const secret = newSecret(sessionPrefix);
      const createdAt = clock.now();
      const expiresAt = new Date(createdAt.getTime() + sessionHours * 3_600_000);
      const proof = isOfEnvironment(tokenId) ? proofOf(secret) : null;
      const hasEndedOthers = await store.add({
        _id: sha256(secret),
        tokenId,
        proof,
        createdAt,
        expiresAt,
      });
      if (hasEndedOthers) recheckStreams(tokenId);
      return { secret, expiresAt };
    },

    /** Returns the caller of a session. Throws `invalid_token` unless the session and its token are valid now. */
    async authenticate(this: void, secret: string): Promise<Caller> {
      const found = await store.find(sha256(secret), clock.now());
      if (!found) throw new AppError('invalid_token');
      const { _id: id, tokenId, proof, expiresAt } = found.session;
      const session = { id, expiresAt };
      if (!isOfEnvironment(tokenId)) return { ...(await acceptStored(found.token)), session };
      if (adminToken === '' || proof !== proofOf(secret)) throw new AppError('invalid_token');
      return { ...environmentCaller, session };
    },

    async end({ session, tokenId }: Caller): Promise<void> {
      if (!session) return;
      await store.remove(session.id);
      recheckStreams(tokenId);
    },
  };
}
