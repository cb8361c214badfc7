/** /v1/console/session: a browser signs in to the console with a token, and gets a cookie. */
import { nothing, nullable, strictObject, time } from '../../http/routing/schemas.ts';
import { route, type Route } from '../../http/routing/route.ts';
import type { ApiContext } from '../context.ts';
import { endSession, startSession } from './console-sessions.ts';
import { callerToken, presentCaller } from './token-routes.ts';

const path = '/v1/console/session';

const session = strictObject({ ...callerToken.properties, expiresAt: nullable(time) });

export const consoleSessionRoutes = (ctx: ApiContext): Route[] => [
  route({
    method: 'POST',
    path,
    scope: 'any',
    restriction: 'anything',
    operationId: 'createConsoleSession',
    tag: 'Console',
    summary:
      'Sign a browser in with the token of this request; the cookie of the response replaces it',
    status: 201,
    answer: session,
    handle: async ({ caller, cookie }) => {
      const { secret, expiresAt } = await startSession(ctx, caller);
      cookie.set(secret);
      return { ...presentCaller(caller), expiresAt };
    },
  }),
  route({
    method: 'GET',
    path,
    scope: 'any',
    restriction: 'anything',
    operationId: 'getConsoleSession',
    tag: 'Console',
    summary:
      'Read the token of this session, without the token itself; `expiresAt` is null without a session',
    answer: session,
    handle: ({ caller }) =>
      Promise.resolve({ ...presentCaller(caller), expiresAt: caller.session?.expiresAt ?? null }),
  }),
  route({
    method: 'DELETE',
    path,
    scope: 'any',
    restriction: 'anything',
    operationId: 'deleteConsoleSession',
    tag: 'Console',
    summary: 'Sign out: end this session',
    answer: nothing,
    handle: async ({ caller, cookie }) => {
      await endSession(ctx, caller);
      cookie.clear();
    },
  }),
];
