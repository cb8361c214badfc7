/**
 * A person to erase, as texts and numbers of a payload are compared with.
 *
 * Every text of a payload is searched for the person's phone numbers, email addresses and documents, whatever the mapping
 * makes of it. The sender's own ids are only recognised through the mapping: a 7 may mean anything.
 */
import { jsonInBase64 } from '../base/json/json-text.ts';
import { canonicalPhone, parseStoredPhone } from '../domain/people/phone.ts';
import type { Identity } from '../domain/people/contact.ts';
import { parseDocument } from '../domain/people/document.ts';
import { withAsciiDigits, withoutInvisible } from '../domain/people/visible-text.ts';

export type Person = {
  readonly identityIds: ReadonlySet<string>;
  isMentionedIn(value: unknown, region: string): boolean;
  /** Returns the value with null for each text that mentions the person, and without members whose names do. */
  redact(value: unknown, region: string): unknown;
};

// Spaces and separators within a number; longer runs are lists of something else.
const numbers = /\+?\d[\d\s().-]{6,20}\d/g;
const maxTextLength = 100_000;
/** A shorter document would be found in any text. */
const minDocument = 5;

export function personOf(identities: readonly Identity[]): Person {
  const valuesOf = (kind: Identity['kind']) =>
    new Set(identities.filter((one) => one.kind === kind).map(({ value }) => value));
  const [phones, emails] = [valuesOf('phone'), valuesOf('email')];
  // Release 0.2.0 stored documents with the characters that are not shown.
  const documents = new Set(
    [...valuesOf('document')].map((value) => withoutInvisible(value).trim()),
  );

  // Parsing takes 10 µs, and a body may have 65,000 numbers. The last digits of a number are the same however it is written.
  const endings = [...phones].map((phone) => phone.replace(/\D/g, '').slice(-6));

  const hasPhone = (text: string, region: string): boolean =>
    phones.size > 0 &&
    [...withAsciiDigits(text.normalize('NFKC')).matchAll(numbers)].some(([found]) => {
      const digits = found.replace(/\D/g, '');
      if (!endings.some((ending) => digits.includes(ending))) return false;
      const phone = parseStoredPhone(found, region);
      return phone !== null && phones.has(canonicalPhone(phone));
    });
  const hasEmail = (text: string): boolean => {
    const lower = emails.size > 0 ? text.normalize('NFC').toLowerCase() : '';
    return [...emails].some((email) => lower.includes(email.toLowerCase()));
  };
  const hasDocument = (text: string): boolean =>
    documents.size > 0 &&
    text.length < 40 &&
    [text, parseDocument(text) ?? ''].some(
      (one) => one.length >= minDocument && documents.has(one),
    );

  function mentions(value: unknown, region: string): boolean {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    const given = String(value);
    // A mapping reads JSON in base64 too.
    const text = withoutInvisible((jsonInBase64(given) ?? given).slice(0, maxTextLength));
    return hasEmail(text) || hasDocument(text.trim()) || hasPhone(text, region);
  }

  function mentionedIn(value: unknown, region: string): boolean {
    if (typeof value !== 'object' || value === null) return mentions(value, region);
    return Object.entries(value).some(
      ([name, inner]) => mentions(name, region) || mentionedIn(inner, region),
    );
  }

  function takenOut(value: unknown, region: string): unknown {
    if (typeof value !== 'object' || value === null) return mentions(value, region) ? null : value;
    if (Array.isArray(value)) return value.map((inner) => takenOut(inner, region));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !mentions(name, region))
        .map(([name, inner]) => [name, takenOut(inner, region)]),
    );
  }

  return {
    identityIds: new Set(identities.map(({ _id }) => _id)),
    isMentionedIn: mentionedIn,
    redact: takenOut,
  };
}

/** Returns the value with `gap` in place of these objects, or null when one of them is not part of it. */
export function removeParts(
  value: unknown,
  parts: readonly unknown[],
  gap: unknown,
): { readonly value: unknown } | null {
  const left = new Set(parts);
  if (left.size < parts.length || parts.some((part) => typeof part !== 'object' || part === null))
    return null;
  const found = new Set<unknown>();
  function cut(inner: unknown): unknown {
    if (left.has(inner)) {
      found.add(inner);
      return gap;
    }
    if (Array.isArray(inner)) return inner.map(cut);
    if (typeof inner !== 'object' || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, cut(one)]));
  }
  const result = cut(value);
  return found.size === left.size ? { value: result } : null;
}
