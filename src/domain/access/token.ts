/** API tokens, callers, and what a caller may access. */
import type { Actor } from '../audit/audit.ts';

export const scopes = ['admin', 'operator', 'viewer', 'inbox'] as const;
export type Scope = (typeof scopes)[number];

/** Limits a token to these webhooks and channels. A channel includes its webhooks. */
type TokenRestriction = {
  readonly webhookIds: readonly string[];
  readonly channelIds: readonly string[];
};

/** A restriction in which the webhooks of its channels are listed among the webhooks. */
export type ResolvedRestriction = TokenRestriction;

/** A stored token, without the token itself. `hash` is its SHA-256. */
export type Token = {
  readonly _id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Null: unrestricted. */
  readonly restriction: TokenRestriction | null;
  /** The conversations API masks numbers, addresses and fields of contacts. */
  readonly maskContacts?: true;
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

export const tokenStates = ['active', 'expired', 'revoked'] as const;
export type TokenState = (typeof tokenStates)[number];

/** An authenticated caller. */
export type Caller = Actor & {
  readonly scopes: readonly Scope[];
  /** Null: unrestricted. */
  readonly restriction: ResolvedRestriction | null;
  /** Contact data is masked for this caller. */
  readonly maskContacts?: true;
  /** The session of the console, if the caller has authenticated by one. */
  readonly session?: { readonly id: string; readonly expiresAt: Date };
};

const included: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: scopes,
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  inbox: ['inbox'],
};

/** What an operation requires. `any`: every valid token. */
export type RequiredScope = Scope | 'any';

/** Whether the caller has the scope. `admin` includes all scopes, `operator` includes `viewer`. */
export const hasScope = (caller: Pick<Caller, 'scopes'>, needed: RequiredScope): boolean =>
  caller.scopes.some((scope) => needed === 'any' || included[scope].includes(needed));

/**
 * The webhook or channel that a resource belongs to. The channel of a webhook does not count for the webhook's
 * resources.
 */
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
 * Returns the ids to filter a list by: the requested ids that are allowed, or all allowed ids if none are
 * requested. Undefined: no filter. An empty list matches nothing.
 */
export function narrowIds(
  allowed: readonly string[] | undefined,
  wanted: readonly string[] | undefined,
): readonly string[] | undefined {
  if (!allowed) return wanted;
  return wanted ? wanted.filter((id) => allowed.includes(id)) : allowed;
}
