/** Settings that are valid and probably not meant: processes warn about them at the start. */
import { isWideRange } from './address-range.ts';
import type { Config } from './config.ts';

type UnsafeSetting = { readonly setting: string; readonly hint: string };

type CheckedConfig = Pick<Config, 'adminToken' | 'opsHost' | 'allowedDestinations' | 'trustProxy'>;

/** 16 random letters and digits have more, words and repetitions fewer. */
const minEntropyBits = 52;

/** Returns the unsafe settings, without their values. */
export function findUnsafeSettings(config: CheckedConfig): UnsafeSetting[] {
  const { adminToken, opsHost, allowedDestinations, trustProxy } = config;
  const rows: readonly (readonly [isUnsafe: boolean, setting: string, hint: string])[] = [
    [
      adminToken !== '' && entropyBitsOf(adminToken) < minEntropyBits,
      'INLET_ADMIN_TOKEN',
      'can be guessed: set 32 random characters or more',
    ],
    [
      /^(?:0\.0\.0\.0|::|\[::\])$/.test(opsHost),
      'INLET_OPS_HOST',
      'opens the operations port on every address: keep the network private',
    ],
    [
      allowedDestinations.some(isWideRange),
      'INLET_ALLOWED_DESTINATIONS',
      'lets channels post to nearly every address, also without TLS: list the destinations',
    ],
    [
      trustProxy.some(isWideRange),
      'INLET_TRUST_PROXY',
      'lets many clients choose the address that they seem to have: list the proxies',
    ],
  ];
  return rows.flatMap(([isUnsafe, setting, hint]) => (isUnsafe ? [{ setting, hint }] : []));
}

/** Estimates by the frequency of characters, and of the steps between them, which show sequences. */
function entropyBitsOf(text: string): number {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const steps = codes.slice(1).map((code, index) => code - (codes[index] ?? 0));
  return Math.min(bitsPerItem(codes), bitsPerItem(steps)) * text.length;
}

/** Shannon entropy of the frequencies. */
function bitsPerItem(items: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  const shares = [...counts.values()].map((count) => count / items.length);
  return -shares.reduce((sum, share) => sum + share * Math.log2(share), 0);
}
