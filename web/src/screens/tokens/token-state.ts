/** The scopes and the validity of a token. */
import type { Answer } from '../../api/client.ts';

export type Token = Answer<'listTokens'>['results'][number];
export type Scope = Token['scopes'][number];

export const scopes = ['viewer', 'operator', 'admin', 'inbox'] as const satisfies readonly Scope[];

export const states = ['active', 'expired', 'revoked'] as const;
export type State = (typeof states)[number];

export function stateOf({ revokedAt, expiresAt }: Token, now = Date.now()): State {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : 'active';
}

const dayMs = 86_400_000;
export const terms = ['30', '90', '365', 'never'] as const;

/** Null: never. */
export const expiryOf = (term: string, now = Date.now()): string | null =>
  term === 'never' ? null : new Date(now + Number(term) * dayMs).toISOString();
