/**
 * Secrets at rest: AES-256-GCM under keys that a process is given and the database never sees.
 *
 * Promises: what is sealed opens under any of the keys, and only in the place that it was sealed for: owner and field are
 * authenticated with it, so a sealed text that was moved elsewhere is worth nothing. The first key seals. What was stored in
 * clear, before there were keys, opens as it is.
 * Must never: put a secret or a key into an error.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The key is missing or wrong, or the text was tampered with or moved. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

export type Vault = {
  /** Without a key nothing can be sealed. */
  readonly canSeal: boolean;
  /** `place`: whose secret it is, and which of them. */
  readonly seal: (text: string, place: string) => string;
  /** Throws SecretUnreadable. */
  readonly open: (stored: string, place: string) => string;
  /** Whether it is sealed, and under the first key. */
  readonly isCurrent: (stored: string) => boolean;
};

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const mark = 'sealed:1';

type Key = { readonly id: string; readonly bytes: Buffer };

/** Null where the text is not the base64 of 32 bytes. */
export function decodeKey(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes ? bytes : null;
}

/** Says which key, and nothing of it. */
const idOf = (bytes: Buffer): string =>
  createHash('sha256').update('inlet key id').update(bytes).digest('hex').slice(0, 8);

function keyOf(text: string): Key {
  const bytes = decodeKey(text);
  if (!bytes) throw new Error('A secret key is not the base64 of 32 bytes.');
  return { id: idOf(bytes), bytes };
}

/** Keys as base64 of 32 bytes each: the first seals, all open. */
export function createVault(given: readonly string[]): Vault {
  const keys = given.map(keyOf);
  const [first] = keys;

  function seal(text: string, place: string): string {
    if (!first) throw new Error('There is no key to seal secrets with.');
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, first.bytes, iv, { authTagLength: tagBytes });
    sealing.setAAD(Buffer.from(`${first.id}:${place}`));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    const whole = Buffer.concat([iv, sealing.getAuthTag(), sealed]);
    return `${mark}:${first.id}:${whole.toString('base64url')}`;
  }

  function open(stored: string, place: string): string {
    if (!stored.startsWith(`${mark}:`)) return stored;
    const [id = '', data = ''] = stored.slice(mark.length + 1).split(':');
    const key = keys.find((one) => one.id === id);
    if (!key) throw new SecretUnreadable(`The key ${id.slice(0, 8)} is not among those given.`);
    const whole = Buffer.from(data, 'base64url');
    try {
      const iv = whole.subarray(0, ivBytes);
      const opening = createDecipheriv(cipher, key.bytes, iv, { authTagLength: tagBytes });
      opening.setAAD(Buffer.from(`${id}:${place}`));
      opening.setAuthTag(whole.subarray(ivBytes, ivBytes + tagBytes));
      const sealed = whole.subarray(ivBytes + tagBytes);
      return opening.update(sealed, undefined, 'utf8') + opening.final('utf8');
    } catch {
      throw new SecretUnreadable('A sealed secret does not open in its place.');
    }
  }

  return {
    canSeal: first !== undefined,
    seal,
    open,
    isCurrent: (stored) => first !== undefined && stored.startsWith(`${mark}:${first.id}:`),
  };
}
