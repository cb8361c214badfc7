/**
 * Authorization: the scope of the token, and its restriction to webhooks and channels.
 *
 * Promises: a route without `restriction` rejects restricted tokens (403). A resource outside the restriction is answered as
 * if it did not exist (404).
 * Must never: look up a resource for an unrestricted token.
 */
import { isDeepStrictEqual } from 'node:util';
import { invalidField, AppError, orNotFound, type FieldProblem } from '../../base/errors.ts';
import { hasScope, mayAccess, type Caller, type ResourceOwner } from '../../domain/access/token.ts';
import type { Route } from '../routing/route.ts';

/** Throws `forbidden` if the token lacks a scope that the route or a query parameter needs. */
export function requirePermission(caller: Caller, route: Route, query: URLSearchParams): void {
  const { scope, restriction, scopeOf = {} } = route;
  const isClosed = caller.restriction !== null && restriction === undefined;
  const enabled = Object.keys(scopeOf).filter((name) => query.getAll(name).includes('true'));
  const needed = [scope, ...enabled.flatMap((name) => scopeOf[name] ?? [])];
  if (isClosed || !needed.every((one) => hasScope(caller, one))) throw new AppError('forbidden');
}

/** Rejects with `not_found` if the resource in the path is outside the token's restriction. */
export async function requireWithinRestriction(
  caller: Caller,
  { restriction }: Route,
  params: unknown,
): Promise<void> {
  if (caller.restriction === null || typeof restriction !== 'function') return;
  const owners = [await restriction(params)].flat();
  const isWithin = owners.length > 0 && owners.every((owner) => mayAccess(caller, owner));
  if (!isWithin) throw new AppError('not_found');
}

/** Throws `not_found` if the restriction of a stream's caller has changed since the stream began. */
export function requireSameRestriction(then: Caller, now: Caller, { restriction }: Route): void {
  if (restriction !== 'narrowed') return;
  if (!isDeepStrictEqual(sortedIds(then), sortedIds(now))) throw new AppError('not_found');
}

const sortedIds = ({ restriction }: Caller) =>
  restriction && [restriction.webhookIds.toSorted(), restriction.channelIds.toSorted()];

type Path = { readonly id: string };

/** The restriction of routes whose `:id` is a webhook's. */
export const webhookOfPath = ({ id }: Path): ResourceOwner => ({ webhookId: id });
/** The restriction of routes whose `:id` is a channel's. */
export const channelOfPath = ({ id }: Path): ResourceOwner => ({ channelId: id });

/** Returns the restriction of routes whose `:id` is that of a record of one webhook. */
export const webhookOf =
  (get: (id: string) => Promise<{ readonly webhookId: string } | null>) =>
  async ({ id }: Path): Promise<ResourceOwner> => {
    const { webhookId } = orNotFound(await get(id));
    return { webhookId };
  };
/** Returns the restriction of routes whose `:id` is that of a record of one channel. */
export const channelOf =
  (get: (id: string) => Promise<{ readonly channelId: string } | null>) =>
  async ({ id }: Path): Promise<ResourceOwner> => {
    const { channelId } = orNotFound(await get(id));
    return { channelId };
  };

/** Throws `invalid_field` for a channel outside the restriction, as for one that does not exist. */
export function requireChannelAccess(
  caller: Caller,
  channelId: string | null | undefined,
  { path = '/channelId', message = 'field.missing_record' }: Partial<FieldProblem> = {},
): void {
  if (typeof channelId !== 'string' || mayAccess(caller, { channelId })) return;
  throw invalidField(path, message);
}

/** Returns the sentence that the OpenAPI document begins with "A restricted token". */
export function describeRestriction({ restriction }: Route): string {
  if (restriction === undefined) return 'is rejected';
  if (restriction === 'anything') return 'may use it too';
  return restriction === 'narrowed' ? 'sees and changes only its own' : 'finds only its own';
}
