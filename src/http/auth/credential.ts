/**
 * The credential of a request: the token in the header `keyapi`, or the session cookie of the console.
 *
 * Promises: scripts cannot read the cookie, and browsers send it only with requests of the same site. It counts only for
 * requests that a page of this origin made by script: another site, and another port of the same host, cannot send the
 * header of the console without a preflight request, which is not answered. A request with the header `keyapi` has no other
 * credential.
 * Must never: be used for the receiving route.
 */
import type { Request, Response } from 'express';
import { sessionHours } from '../../domain/access/console-session.ts';

export type Credential = { readonly kind: 'token' | 'session'; readonly secret: string };

/** Browsers accept this name over HTTPS only, without a domain, so no other host can set it. */
const secureName = '__Host-inlet';
const plainName = 'inlet_session';
const consoleHeader = 'x-inlet-console';

/** Returns the credential; a token without text if there is none. */
export function credentialOf(request: Request): Credential {
  const { keyapi } = request.headers;
  if (keyapi !== undefined) {
    return { kind: 'token', secret: typeof keyapi === 'string' ? keyapi : '' };
  }
  const secret = isFromConsole(request) ? cookieOf(request) : undefined;
  return secret === undefined ? { kind: 'token', secret: '' } : { kind: 'session', secret };
}

/** Browsers omit `Sec-Fetch-Site` over plain HTTP, except on loopback, and `Origin` in reading requests. */
function isFromConsole({ headers, host }: Request): boolean {
  if (headers[consoleHeader] !== '1') return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  return origin === undefined || /^https?:\/\/(.*)$/.exec(origin)?.[1] === host;
}

function cookieOf(request: Request): string | undefined {
  const cookies = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
  const named = (name: string) =>
    cookies.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
  return named(secureName) ?? (request.secure ? undefined : named(plainName));
}

export type SessionCookie = {
  readonly set: (secret: string) => void;
  readonly clear: () => void;
};

const attributes = 'HttpOnly; SameSite=Strict';
const secureCookie = (value: string, maxAgeSeconds: number) =>
  `${secureName}=${value}; Max-Age=${maxAgeSeconds}; Path=/; Secure; ${attributes}`;
const plainCookie = (value: string, maxAgeSeconds: number) =>
  `${plainName}=${value}; Max-Age=${maxAgeSeconds}; Path=/v1; ${attributes}`;

export const sessionCookieOf = (request: Request, response: Response): SessionCookie => ({
  set(secret) {
    const cookie = isSecure(request) ? secureCookie : plainCookie;
    response.setHeader('Set-Cookie', cookie(secret, sessionHours * 3_600));
  },
  clear() {
    response.setHeader('Set-Cookie', [secureCookie('', 0), plainCookie('', 0)]);
  },
});

/** What the browser sees decides: a proxy that terminates TLS need not be trusted for that. */
const isSecure = ({ secure, headers }: Request): boolean =>
  secure || headers.origin?.startsWith('https://') === true;
