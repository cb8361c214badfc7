import type { Request } from 'express';

// A host that is none is not repeated into a URL that people copy.
const hostShape = /^[A-Za-z0-9.-]+(?::\d{1,5})?$|^\[[0-9A-Fa-f:.]+\](?::\d{1,5})?$/;

/** Scheme and host as the caller named them, trusted proxies believed. */
export function baseUrlOf(request: Request): string {
  const host = request.host ?? '';
  return `${request.protocol}://${hostShape.test(host) ? host : 'localhost'}`;
}
