/**
 * Encrypts secrets at rest with AES-256-GCM. The keys are given to the process and are not in the database.
 *
 * Promises: a sealed text opens with any of the keys, and only at the location (owner and field) that it was
 * sealed for; the location is authenticated. The first key seals. Text that was stored before keys were
 * configured opens unchanged.
 * Must never: put a secret or a key into an error.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from 'node:crypto';

/** The key is missing or wrong, or the text was changed or moved. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

/** Returns what `open` returns; null if it throws `SecretUnreadable`. */
export function openOrNull<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const ivBytes = 12;
const tagBytes = 16;
const mark = 'sealed:1';

type Key = { readonly id: string; readonly bytes: Buffer };

/** Returns the 32 bytes of a base64 key, or null. */
export function decodeKey(text: string): Buffer | null {
  if (!/^[A-Za-z0-9+/_-]{43}=?$/.test(text)) return null;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === keyBytes ? bytes : null;
}

/** Identifies a key without revealing it. */
const keyIdOf = (bytes: Buffer): string =>
  createHash('sha256').update('inlet key id').update(bytes).digest('hex').slice(0, 8);

function parseKey(text: string): Key {
  const bytes = decodeKey(text);
  if (!bytes) throw new Error('A secret key is not the base64 of 32 bytes.');
  return { id: keyIdOf(bytes), bytes };
}

/**
 * Creates a vault from base64 keys of 32 bytes. The first key seals, all keys open. Throws if a key is
 * malformed.
 */
export type Vault = ReturnType<typeof createVault>;

export function createVault(given: readonly string[]) {
  const keys = given.map(parseKey);
  const [first] = keys;

  /** `place` names the owner and the field. Throws if there is no key. */
  function seal(text: string, place: string): string {
    if (!first) throw new Error('There is no key to seal secrets with.');
    const iv = randomBytes(ivBytes);
    const sealing = createCipheriv(cipher, first.bytes, iv, { authTagLength: tagBytes });
    sealing.setAAD(Buffer.from(`${first.id}:${place}`));
    const sealed = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
    const whole = Buffer.concat([iv, sealing.getAuthTag(), sealed]);
    return `${mark}:${first.id}:${whole.toString('base64url')}`;
  }

  /** Throws `SecretUnreadable`. */
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
    /** False if there is no key. */
    canSeal: first !== undefined,
    seal,
    open,
    /** Whether the text is sealed with the first key. */
    isCurrent: (stored: string): boolean =>
      first !== undefined && stored.startsWith(`${mark}:${first.id}:`),
  };
}
