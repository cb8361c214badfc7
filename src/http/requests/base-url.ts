import type { Request } from 'express';

// An invalid host must not get into a URL that people copy.
const hostShape = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** Returns scheme and host of the request, as trusted proxies forward them; `localhost` for an invalid host. */
export function baseUrlOf(request: Request): string {
  const host = request.host ?? '';
  return `${request.protocol}://${hostShape.test(host) ? host : 'localhost'}`;
}
