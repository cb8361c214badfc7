/** Addresses that requests come from: how they are read, which ranges they are in, and who counts as one neighbour. */
import { isIP } from 'node:net';
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js';

type Address = IPv4 | IPv6;
export type AddressRange = readonly [Address, number];

const widest = { ipv4: 32, ipv6: 128 } as const;
/** Where an IPv4 address stands inside an IPv6 one that only wraps it. */
const mappedBits = 96;

/** Some proxies put the port behind the address. */
const withoutPort = (text: string): string =>
  text.replace(/^\[([^\]]*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1');

/** Null for what is no address. One that is wrapped in IPv6 is the IPv4 address that it is. */
export function parseAddress(text: string): Address | null {
  const bare = withoutPort(text);
  return isIP(bare) === 0 ? null : ipaddr.process(bare);
}

/** An address, or a range such as `203.0.113.0/24`; null for what is neither. */
export function parseRange(text: string): AddressRange | null {
  const [base = '', bits, ...rest] = text.split('/');
  if (isIP(base) === 0 || base.includes('%') || rest.length > 0) return null;
  const address = ipaddr.parse(base);
  const most = widest[address.kind()];
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > most)) return null;
  const length = bits === undefined ? most : Number(bits);
  const isMapped = address.kind() === 'ipv6' && (address as IPv6).isIPv4MappedAddress();
  if (!isMapped || length < mappedBits) return [address, length];
  return [(address as IPv6).toIPv4Address(), length - mappedBits];
}

// The cast holds for both kinds: each matches its own.
export const isInRange = (address: Address, [base, bits]: AddressRange): boolean =>
  address.kind() === base.kind() && (address as IPv6).match(base as IPv6, bits);

/**
 * Who is counted together: an IPv4 address by itself, of IPv6 the /64 that one customer has to himself. What is no address
 * is one neighbour too.
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
