/**
 * Authentication and management of API tokens.
 *
 * Promises: tokens are compared by their SHA-256 and read from the database for each request, so a revoked
 * token is rejected at once by every process, and its open streams end. A path key is never a token. The first admin token is created
 * once. The last unrestricted admin token is not revoked by accident.
 * Must never: store or log a token.
 */
import { timingSafeEqual } from 'node:crypto';
import {
  AppError,
  type FieldProblem,
  invalidField,
  orNotFound,
  refusal,
} from '../../base/errors.ts';
import { derivedId, newId, newSecret, sha256 } from '../../base/ids.ts';
import { tokenPrefix } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  hasScope,
  type Caller,
  type ResolvedRestriction,
  type Scope,
  type Token,
} from '../../domain/access/token.ts';
import { firstTokenId, type TokenChange } from '../../store/access/tokens.ts';
import type { ApiContext } from '../context.ts';
import { listWebhookIdsOfChannels, getWebhooks } from '../../store/webhooks/webhooks.ts';
import { getChannels } from '../../store/channels/channels.ts';

type TokenInput = Pick<Token, 'name' | 'scopes'> & {
  readonly expiresAt?: Date | null;
  readonly webhookIds?: readonly string[];
  readonly channelIds?: readonly string[];
  readonly maskContacts?: boolean;
};

export const environmentCaller: Caller = {
  tokenId: derivedId('token', 'environment'),
  name: 'INLET_ADMIN_TOKEN',
  scopes: ['admin'],
  restriction: null,
};

const touchEveryMs = 60_000;

const isEnvironmentToken = ({ adminToken }: ApiContext, hash: string): boolean =>
  adminToken !== '' && timingSafeEqual(Buffer.from(sha256(adminToken)), Buffer.from(hash));

function recordUse({ tokens, logger }: ApiContext, { _id, lastUsedAt }: Token, now: Date): void {
  if (lastUsedAt && now.getTime() - lastUsedAt.getTime() < touchEveryMs) return;
  tokens.recordUse(_id, now).catch((err: unknown) => logger.warn({ err }, 'token.touch_failed'));
}

async function resolveRestriction(
  ctx: ApiContext,
  { restriction }: Token,
): Promise<ResolvedRestriction | null> {
  if (!restriction) return null;
  const { webhookIds, channelIds } = restriction;
  if (channelIds.length === 0) return restriction;
  const ofChannels = await listWebhookIdsOfChannels(ctx, channelIds);
  return { channelIds, webhookIds: [...new Set([...webhookIds, ...ofChannels])] };
}

/** Returns the caller of a stored token. Throws `invalid_token` unless it is valid now. */
export async function callerOfStored(ctx: ApiContext, token: Token | null): Promise<Caller> {
  const now = ctx.clock.now();
  const isValid = token && !token.revokedAt && !(token.expiresAt && token.expiresAt <= now);
  if (!isValid) throw new AppError('invalid_token');
  recordUse(ctx, token, now);
  const { _id: tokenId, name, scopes, maskContacts } = token;
  const restriction = await resolveRestriction(ctx, token);
  return { tokenId, name, scopes, restriction, ...(maskContacts && { maskContacts }) };
}

/** Returns the caller of a token. Throws `invalid_token` unless the token is valid now. */
export async function authenticateToken(ctx: ApiContext, token: string): Promise<Caller> {
  const hash = sha256(token);
  if (isEnvironmentToken(ctx, hash)) return environmentCaller;
  if (!token.startsWith(tokenPrefix)) throw new AppError('invalid_token');
  return callerOfStored(ctx, await ctx.tokens.findByHash(hash));
}

/** Returns a function that knows the first token, as long as nobody has used it. */
export async function recogniseFirstToken({
  tokens,
  adminToken,
}: ApiContext): Promise<(token: string) => boolean> {
  const first = adminToken === '' ? await tokens.get(firstTokenId) : null;
  const isUnused = first !== null && !first.revokedAt && !first.lastUsedAt;
  return (token) => isUnused && sha256(token) === first.hash;
}

/**
 * Creates the first admin token and returns it. Returns null if it exists or INLET_ADMIN_TOKEN is set. `keep` is called
 * before the token is stored; what it throws prevents that.
 */
export async function ensureFirstToken(
  { tokens, adminToken }: ApiContext,
  keep: (token: string) => void = () => {},
): Promise<string | null> {
  if (adminToken !== '' || (await tokens.get(firstTokenId))) return null;
  const token = newSecret(tokenPrefix);
  keep(token);
  const isCreated = await tokens.createFirst({ name: 'First token', hash: sha256(token) });
  return isCreated ? token : null;
}

function requireFuture({ clock }: ApiContext, expiresAt: Date | null | undefined): void {
  if (!expiresAt || expiresAt > clock.now()) return;
  throw invalidField('/expiresAt', 'field.not_in_future');
}

export async function createToken(
  ctx: ApiContext,
  given: TokenInput,
  actor: Actor,
): Promise<{ stored: Token; token: string }> {
  const { name, scopes, expiresAt = null, webhookIds, channelIds } = given;
  requireFuture(ctx, expiresAt);
  if (given.maskContacts) requireInboxAlone(scopes);
  await requireExisting(ctx, given);
  const restriction =
    webhookIds || channelIds
      ? { webhookIds: webhookIds ?? [], channelIds: channelIds ?? [] }
      : null;
  const token = newSecret(tokenPrefix);
  const record = {
    _id: newId(),
    name,
    scopes,
    restriction,
    ...(given.maskContacts && { maskContacts: true as const }),
    expiresAt,
    hash: sha256(token),
  };
  return { stored: await ctx.tokens.create(record, actor), token };
}

/** Changes a token. Throws `invalid_transition` for a revoked one. */
export async function changeToken(
  ctx: ApiContext,
  { id, ...set }: TokenChange & { readonly id: string },
  actor: Actor,
): Promise<Token> {
  requireFuture(ctx, set.expiresAt);
  const changed = await ctx.tokens.change(id, set, actor);
  if (changed.ok) return changed.value;
  if (changed.reason === 'not_found') throw new AppError('not_found');
  throw new AppError('invalid_transition', { details: { state: 'revoked' } });
}

/**
 * Revokes a token; idempotent. Throws `invalid_transition` (`last_admin`) for the last unrestricted admin
 * token if INLET_ADMIN_TOKEN is not set: no further token could be created.
 */
export async function revokeToken(ctx: ApiContext, id: string, actor: Actor): Promise<Token> {
  const { tokens, adminToken, recheckStreams } = ctx;
  const { scopes, restriction } = orNotFound(await tokens.get(id));
  const isWhole = hasScope({ scopes }, 'admin') && !restriction;
  const keepsAdmin = isWhole && adminToken === '';
  const revoked = await tokens.revoke(id, { keepsAdmin }, actor);
  recheckStreams(id);
  if (revoked.ok) return revoked.value;
  if (revoked.reason === 'invalid_state') return revoked.current;
  throw refusal(revoked);
}

/** The other scopes show contacts and payloads as they are. Throws `invalid_field`. */
function requireInboxAlone(scopes: readonly Scope[]): void {
  if (scopes.every((scope) => scope === 'inbox')) return;
  throw invalidField('/maskContacts', 'field.inbox_alone');
}

async function requireExisting(
  ctx: ApiContext,
  { webhookIds = [], channelIds = [] }: TokenInput,
): Promise<void> {
  const [foundWebhooks, foundChannels] = await Promise.all([
    getWebhooks(ctx, webhookIds),
    getChannels(ctx, channelIds),
  ]);
  const known = new Set([...foundWebhooks, ...foundChannels].map(({ _id }) => _id));
  const problemsOf = (list: string, ids: readonly string[]): FieldProblem[] =>
    ids.flatMap((id, index) =>
      known.has(id) ? [] : [{ path: `/${list}/${index}`, message: 'field.missing_record' }],
    );
  const fields = [...problemsOf('webhookIds', webhookIds), ...problemsOf('channelIds', channelIds)];
  if (fields.length > 0) throw new AppError('invalid_field', { details: { fields } });
}
