import { hash, timingSafeEqual } from 'node:crypto';

/** Compares hashes, so that the time does not even tell the length of a secret. */
export const isSameSecret = (given: string, secret: string): boolean =>
  timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', secret, 'buffer'));
