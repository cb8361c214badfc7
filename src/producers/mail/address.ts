/** Reads the sender of a mail. */

export type MailSender = { readonly address: string; readonly name: string | null };

const maxLength = 1_000;
const address = /^[^\s@<>(),;:"]{1,64}@[^\s@<>(),;:"]{1,255}$/u;

/** The time of the first pattern is the square of the length, so a name is cut. */
const nameOf = (text: string): string | null => {
  const name = text
    .slice(0, maxLength)
    .replace(/^[\s"']+|[\s"']+$/g, '')
    .replaceAll(/\\(["\\])/g, '$1')
    .replaceAll(/\s+/g, ' ');
  return name === '' ? null : name;
};

/**
 * Returns the sender of a `From` header; null unless it is one address. A name or a comment that looks like an address is none:
 * quoted texts and comments are removed before the address is looked for.
 */
export function senderIn(text: string): MailSender | null {
  if (text.length > maxLength) return null;
  const bare = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, ' ').replaceAll(/\([^()]*\)/g, ' ');
  const end = bare.trimEnd();
  const open = end.lastIndexOf('<');
  const found = open >= 0 && end.endsWith('>') ? end.slice(open + 1, -1) : end;
  const before = open < 0 ? '' : end.slice(0, open);
  if (!address.test(found.trim()) || /[<>,;]/.test(before)) return null;
  const name = open < 0 ? null : nameOf(text.slice(0, text.lastIndexOf('<')));
  return { address: found.trim().toLowerCase(), name };
}

/** Returns the sender whose address and name the service has parsed. */
export function senderOf(given: unknown, name: unknown): MailSender | null {
  const sender = typeof given === 'string' ? senderIn(given) : null;
  if (!sender) return null;
  return { address: sender.address, name: typeof name === 'string' ? nameOf(name) : sender.name };
}
