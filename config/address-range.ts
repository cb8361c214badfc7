/** Addresses and CIDR ranges in settings. */
import { isIP } from 'node:net';

type AddressRange = {
  /** Bits that are fixed; 0 contains every address of the family. */
  readonly bits: number;
  readonly family: 4 | 6;
};

/** An IPv6 range of IPv4 addresses. */
const mapped = /^(?:::|(?:0{1,4}:){5})ffff:/i;
const mappedBits = 96;

/** Returns null if the text is neither an address nor a CIDR range. */
export function parseAddressRange(range: string): AddressRange | null {
  const [address = '', bits, ...rest] = range.split('/');
  const family = isIP(address);
  if ((family !== 4 && family !== 6) || rest.length > 0 || address.includes('%')) return null;
  const longest = family === 4 ? 32 : 128;
  if (bits !== undefined && (!/^\d{1,3}$/.test(bits) || Number(bits) > longest)) return null;
  const fixed = bits === undefined ? longest : Number(bits);
  const isMapped = mapped.test(address) && fixed >= mappedBits;
  return isMapped ? { bits: fixed - mappedBits, family: 4 } : { bits: fixed, family };
}

/** The largest networks that one organisation has are smaller. */
const wide = { 4: 8, 6: 16 } as const;

/** Whether the range contains addresses of many organisations. */
export function isWideRange(range: string): boolean {
  const parsed = parseAddressRange(range);
  return parsed !== null && parsed.bits < wide[parsed.family];
}
