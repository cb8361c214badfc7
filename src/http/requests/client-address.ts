/** Where a request came from, as far as it can be known. */
import type { Request } from 'express';
import { parseAddress } from '../../domain/access/ip-address.ts';

/**
 * The client's address, of which trusted proxies may tell; where what they tell is none, the address of who connected. Each
 * is written in one form, so that one client has one address. Null once it has gone.
 */
export function addressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | null {
  const address = parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '');
  return address && address.toString();
}
