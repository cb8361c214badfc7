/**
 * SSRF guard: limits the addresses that messages are sent to. Allowed are public addresses, and the ranges that the
 * configuration adds.
 *
 * Promises: the address that is checked is the one that is connected to. A name is checked after each DNS lookup, by the
 * `lookup` hook of the connection, so a name that resolves differently later is checked again. Node calls no hook for an IP
 * address in a URL, so the caller checks that one before.
 */
import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { isInRange } from '../domain/access/ip-address.ts';

export class DestinationNotAllowed extends Error {
  override readonly name = 'RefusedDestination';
}

export type IsReachable = (address: string) => boolean;
const encrypted = new Set(['https:', 'smtps:', 'smtp+starttls:']);

const ipv6Public = ipaddr.parseCIDR('2000::/3');

/**
 * Returns whether an address is plain public unicast. Not public are loopback, private, link-local, shared, multicast and
 * reserved ranges, and every form in which IPv6 carries an IPv4 address (mapped, compatible, translated, tunnelled).
 */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || isInRange(parsed, ipv6Public);
}

/** Returns the address check of a URL. Without TLS, only the allowed ranges may be reached. */
export function createDestinationPolicy(allowed: readonly string[]) {
  const ranges = allowed.map((range) =>
    ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${isIP(range) === 4 ? 32 : 128}`),
  );
  const isAllowed: IsReachable = (address) => {
    const parsed = ipaddr.parse(address);
    return ranges.some((range) => isInRange(parsed, range));
  };
  return ({ protocol }: Pick<URL, 'protocol'>): IsReachable =>
    encrypted.has(protocol) ? (address) => isPublic(address) || isAllowed(address) : isAllowed;
}

/** Returns the IP address in a URL; null when it has a name. */
export function ipLiteralOf({ hostname }: Pick<URL, 'hostname'>): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

/** A DNS lookup that fails when any address of the name is not allowed: Node may connect to any of them. */
export const guardedLookup =
  (isReachable: IsReachable): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('The name has no address.'), '', 0);
      if (!addresses.every(({ address }) => isReachable(address))) {
        return callback(
          new DestinationNotAllowed('The name resolves to an address that is not allowed.'),
          '',
          0,
        );
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
