/**
 * Which addresses a message may be sent to: public ones, and those that whoever runs Inlet allows.
 *
 * Promises: the address that is judged is the one that is connected to. A name is judged after each look-up, by the
 * hook of the connection itself, so that a name that changes its mind is judged again; an address in the URL, for
 * which Node asks no hook, is judged before.
 */
import { lookup as lookUp } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

export class DestinationNotAllowed extends Error {
  override readonly name = 'RefusedDestination';
}

type IsReachable = (address: string) => boolean;
type Address = IPv4 | IPv6;

// The cast holds for both kinds: each matches its own.
const isWithin = (address: Address, [base, bits]: readonly [Address, number]): boolean =>
  address.kind() === base.kind() && (address as IPv6).match(base as IPv6, bits);

const ipv6Public = ipaddr.parseCIDR('2000::/3');

/**
 * Everything that is not plain public unicast is refused: loopback, private, link-local, shared, multicast and reserved
 * ranges, and every form in which IPv6 carries an IPv4 address (mapped, compatible, translated, tunnelled).
 */
function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || isWithin(parsed, ipv6Public);
}

/** Plain HTTP can be read on its way, so it is for the allowed ranges only. */
export function createDestinationPolicy(allowed: readonly string[]) {
  const ranges = allowed.map((range) =>
    ipaddr.parseCIDR(range.includes('/') ? range : `${range}/${isIP(range) === 4 ? 32 : 128}`),
  );
  const isAllowed: IsReachable = (address) => {
    const parsed = ipaddr.parse(address);
    return ranges.some((range) => isWithin(parsed, range));
  };
  return (url: URL): IsReachable =>
    url.protocol === 'https:' ? (address) => isPublic(address) || isAllowed(address) : isAllowed;
}

/** The address in a URL, or null where it has a name. */
export function ipLiteralOf({ hostname }: URL): string | null {
  const host = hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
}

/** One address that may not be reached refuses the name: it would be a matter of luck which one is taken. */
export const guardedLookup =
  (isReachable: IsReachable): LookupFunction =>
  (hostname, options, callback) => {
    lookUp(hostname, { ...options, all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error || !first) return callback(error ?? new Error('The name has no address.'), '', 0);
      if (!addresses.every(({ address }) => isReachable(address))) {
        return callback(new DestinationNotAllowed('The name leads to a refused address.'), '', 0);
      }
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
