/** Who calls the administration and the other public APIs, and what each may do. */
import type { Actor } from './audit.ts';

export const scopes = ['admin', 'operator', 'viewer', 'inbox'] as const;
export type Scope = (typeof scopes)[number];

/** A token as stored: never the token itself. `hash` is its SHA-256. */
export type Token = {
  readonly _id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly hash: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly revokedAt: Date | null;
  readonly lastUsedAt: Date | null;
};

/** Somebody whose token was accepted. */
export type Caller = Actor & { readonly scopes: readonly Scope[] };

const included: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: scopes,
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  inbox: ['inbox'],
};

/** `admin` includes all scopes, `operator` includes `viewer`. */
export const hasScope = (caller: Caller, needed: Scope): boolean =>
  caller.scopes.some((scope) => included[scope].includes(needed));
