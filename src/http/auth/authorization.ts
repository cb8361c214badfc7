/**
 * Who may: the scope of the token, and what it is restricted to.
 *
 * Promises: a route that says nothing of restricted tokens refuses them (403); a thing out of reach answers as one that
 * is not there (404), so that nobody learns what exists. Must never: look up a thing for a token without restriction.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppError } from '../../base/errors.ts';
import { hasScope, mayAccess, type Caller, type ResourceOwner } from '../../domain/access/token.ts';
import type { Route } from '../routing/route.ts';

export function requirePermission(caller: Caller, route: Route, query: URLSearchParams): void {
  const { scope, reach, scopeOf = {} } = route;
  const isRefused = caller.restriction !== null && reach === undefined;
  const asked = Object.keys(scopeOf).filter((name) => query.getAll(name).includes('true'));
  const needed = [scope, ...asked.flatMap((name) => scopeOf[name] ?? [])];
  if (isRefused || !needed.every((one) => hasScope(caller, one))) throw new AppError('forbidden');
}

export async function requireWithinRestriction(
  caller: Caller,
  route: Route,
  params: unknown,
): Promise<void> {
  if (caller.restriction === null || typeof route.reach !== 'function') return;
  const places = [await route.reach(params as never)].flat();
  const isWithin = places.length > 0 && places.every((place) => mayAccess(caller, place));
  if (!isWithin) throw new AppError('not_found');
}

/** Rejects with `not_found` where a stream's caller reaches something else by now than what the stream was narrowed to. */
export function requireSameRestriction(then: Caller, now: Caller, { reach }: Route): void {
  if (reach !== 'narrowed') return;
  const isSame = isDeepStrictEqual(sortedReach(then), sortedReach(now));
  if (!isSame) throw new AppError('not_found');
}

const sortedReach = ({ restriction }: Caller) =>
  restriction && [restriction.webhookIds.toSorted(), restriction.channelIds.toSorted()];

/** For routes whose `:id` is the webhook's. */
export const webhookOfPath = ({ id }: { readonly id: string }): ResourceOwner => ({
  webhookId: id,
});
/** For routes whose `:id` is the channel's. */
export const channelOfPath = ({ id }: { readonly id: string }): ResourceOwner => ({
  channelId: id,
});

/** A channel in a body that is out of reach is refused as one that does not exist. */
export function requireChannelAccess(caller: Caller, channelId: string | undefined): void {
  if (channelId === undefined || mayAccess(caller, { channelId })) return;
  const fields = [{ path: '/channelId', message: 'does not exist' }];
  throw new AppError('invalid_field', { details: { fields } });
}

/** For the document, behind "A restricted token". */
export function describeRestriction({ reach }: Route): string {
  if (reach === undefined) return 'is refused';
  if (reach === 'anything') return 'may use it too';
  return reach === 'narrowed' ? 'sees and takes only its own' : 'finds only its own';
}
