/** IP addresses: parsing, CIDR ranges, and the network that one client has. */
import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

type Address = IPv4 | IPv6;
export type AddressRange = readonly [Address, number];

const addressBits = { ipv4: 32, ipv6: 128 } as const;
/** Number of prefix bits of an IPv4-mapped IPv6 address. */
const mappedBits = 96;

/** Removes a port, which some proxies append. */
const withoutPort = (text: string): string =>
  text
    .replace(/^"(.*)"$/, '$1')
    .replace(/^\[([^\]]*)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');

/** Returns the parsed address, or null. An IPv4-mapped IPv6 address becomes IPv4. */
export function parseAddress(text: string): Address | null {
  const bare = withoutPort(text);
  return isIP(bare) === 0 ? null : ipaddr.process(bare);
}

/** Parses an address or a CIDR range such as `203.0.113.0/24`. Returns null if it is neither. */
export function parseRange(text: string): AddressRange | null {
  const [base = '', bits, ...rest] = text.split('/');
  if (isIP(base) === 0 || base.includes('%') || rest.length > 0) return null;
  const address = ipaddr.parse(base);
  const most = addressBits[address.kind()];
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return null;
  const length = bits === undefined ? most : Number(bits);
  const isMapped = address.kind() === 'ipv6' && (address as IPv6).isIPv4MappedAddress();
  if (!isMapped || length < mappedBits) return [address, length];
  return [(address as IPv6).toIPv4Address(), length - mappedBits];
}

// The cast is safe: both have the same kind.
export const isInRange = (address: Address, [base, bits]: AddressRange): boolean =>
  address.kind() === base.kind() && (address as IPv6).match(base as IPv6, bits);

/**
 * Returns the key by which clients are counted: an IPv4 address, or the /64 of an IPv6 address, which one
 * customer usually has alone. Returns `unknown` for text that is not an address.
 */
export function clientNetworkOf(text: string): string {
  const address = parseAddress(text);
  if (!address) return 'unknown';
  if (address.kind() === 'ipv4') return address.toString();
  return `${(address as IPv6).parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
