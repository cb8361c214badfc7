/** The IP address of a client. */
import type { Request } from 'express';
import { parseAddress } from '../../domain/access/ip-address.ts';

/**
 * Returns the address that trusted proxies report; the socket's address when they report none or an invalid one. Each
 * address is written in one form, so that one client has one address. Null once the connection is gone.
 */
export function clientAddressOf({ ip, socket }: Pick<Request, 'ip' | 'socket'>): string | null {
  const address = parseAddress(ip ?? '') ?? parseAddress(socket.remoteAddress ?? '');
  return address && address.toString();
}
