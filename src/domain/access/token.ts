/** Who calls the administration and the other public APIs, and what each may do. */
import type { Actor } from '../audit/audit.ts';

export const scopes = ['admin', 'operator', 'viewer', 'inbox'] as const;
export type Scope = (typeof scopes)[number];

/** The only webhooks and channels that a token may touch; a channel stands for all of its webhooks as well. */
export type TokenRestriction = {
  readonly webhookIds: readonly string[];
  readonly channelIds: readonly string[];
};

/** A restriction as it is now: the webhooks of its channels are among its webhooks. */
export type ResolvedRestriction = TokenRestriction;

/** A token as stored: never the token itself. `hash` is its SHA-256. */
export type Token = {
  readonly _id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: none. Tokens from before there were restrictions are stored without it. */
  readonly restriction: TokenRestriction | null;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

export const tokenStates = ['active', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

/** Somebody whose token was accepted. */
export type Caller = Actor & {
  readonly scopes: readonly Scope[];
  /** Null: everything. */
  readonly restriction: ResolvedRestriction | null;
};

const included: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: scopes,
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  inbox: ['inbox'],
};

/** `admin` includes all scopes, `operator` includes `viewer`. */
export const hasScope = (caller: Pick<Caller, 'scopes'>, needed: Scope): boolean =>
  caller.scopes.some((scope) => included[scope].includes(needed));

/** Where a thing belongs. What belongs to a webhook is reached by that webhook alone. */
export type ResourceOwner = { readonly webhookId: string } | { readonly channelId: string };

export function mayAccess(
  { restriction }: Pick<Caller, 'restriction'>,
  place: ResourceOwner,
): boolean {
  if (restriction === null) return true;
  return 'webhookId' in place
    ? restriction.webhookIds.includes(place.webhookId)
    : restriction.channelIds.includes(place.channelId);
}

/**
 * The ids that a list is narrowed to: of those asked for the ones within reach, of none asked for all within reach.
 * Undefined: no narrowing. An empty list finds nothing.
 */
export function narrowIds(
  allowed: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!allowed) return wanted;
  return wanted ? wanted.filter((id) => allowed.includes(id)) : allowed;
}
