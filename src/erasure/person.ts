/**
 * A person to erase, as texts and numbers of a payload are compared with.
 *
 * Every text of a payload is searched for the person's phone numbers, email addresses and documents, whatever the mapping
 * makes of it. The sender's own ids are only recognised through the mapping: a 7 may mean anything.
 */
import type { Identity } from '../domain/people/contact.ts';
import { createMentionSearch } from './mentions.ts';

export type Person = {
  readonly identityIds: ReadonlySet<string>;
  isMentionedIn(value: unknown, region: string): boolean;
  /** Returns the value with null for each text that mentions the person, and without members whose names do. */
  redact(value: unknown, region: string): unknown;
};

export function personOf(identities: readonly Identity[]): Person {
  const search = createMentionSearch(identities);

  function mentions(value: unknown, region: string): boolean {
    if (typeof value !== 'string' && typeof value !== 'number') return false;
    return search(String(value), region);
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
