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
import { callerOfStored, environmentCaller } from './tokens.ts';
import {
  addConsoleSession,
  findConsoleSession,
  removeConsoleSession,
} from '../../store/access/console-sessions.ts';

type StartedSession = { readonly secret: string; readonly expiresAt: Date };

const proofOf = ({ adminToken }: ApiContext, secret: string): string =>
  sha256(`${secret} ${adminToken}`);
const isOfEnvironment = (tokenId: string): boolean => tokenId === environmentCaller.tokenId;

/** Starts a session of the caller's token. Throws `forbidden` if the caller has only a session. */
export async function startSession(ctx: ApiContext, caller: Caller): Promise<StartedSession> {
  if (caller.session) throw new AppError('forbidden');
  const { tokenId } = caller;
  const secret = newSecret(sessionPrefix);
  const createdAt = ctx.clock.now();
  const expiresAt = new Date(createdAt.getTime() + sessionHours * 3_600_000);
  const proof = isOfEnvironment(tokenId) ? proofOf(ctx, secret) : null;
  const hasEndedOthers = await addConsoleSession(ctx, {
    _id: sha256(secret),
    tokenId,
    proof,
    createdAt,
    expiresAt,
  });
  if (hasEndedOthers) ctx.recheckStreams(tokenId);
  return { secret, expiresAt };
}

/** Returns the caller of a session. Throws `invalid_token` unless the session and its token are valid now. */
export async function authenticateSession(ctx: ApiContext, secret: string): Promise<Caller> {
  const found = await findConsoleSession(ctx, sha256(secret), ctx.clock.now());
  if (!found) throw new AppError('invalid_token');
  const { _id: id, tokenId, proof, expiresAt } = found.session;
  const session = { id, expiresAt };
  if (!isOfEnvironment(tokenId)) return { ...(await callerOfStored(ctx, found.token)), session };
  if (ctx.adminToken === '' || proof !== proofOf(ctx, secret)) throw new AppError('invalid_token');
  return { ...environmentCaller, session };
}

export async function endSession(ctx: ApiContext, { session, tokenId }: Caller): Promise<void> {
  if (!session) return;
  await removeConsoleSession(ctx, session.id);
  ctx.recheckStreams(tokenId);
}
