/**
 * A person to erase, as texts and numbers of a payload are compared with.
 *
 * Every text of a payload is searched for the person's phone numbers, email addresses and documents, whatever the mapping
 * makes of it. The sender's own ids are only recognised through the mapping: a 7 may mean anything.
 */
import type { OwnedIdentity } from '../domain/people/contact.ts';
import { createMentionSearch, type Compared } from './mentions.ts';

export type Person = {
  readonly identityIds: ReadonlySet<string>;
  isMentionedIn(value: unknown, region: string): boolean;
  /** Returns the value with null for each text that mentions the person, and without members whose names do. */
  redact(value: unknown, region: string): unknown;
};

export function personOf(identities: readonly OwnedIdentity[]): Person {
  const search = createMentionSearch(identities);

  /** Of one body. */
  function mentionsIn(region: string) {
    const compared: Compared = { numbers: new Set(), count: 0 };
    return (value: unknown): boolean =>
      (typeof value === 'string' || typeof value === 'number') &&
      search(String(value), region, compared);
  }
  type Mentions = ReturnType<typeof mentionsIn>;

  function mentionedIn(value: unknown, mentions: Mentions): boolean {
    if (typeof value !== 'object' || value === null) return mentions(value);
    if (Array.isArray(value)) return value.some((inner) => mentionedIn(inner, mentions));
    return Object.entries(value).some(
      ([name, inner]) => mentions(name) || mentionedIn(inner, mentions),
    );
  }

  function takenOut(value: unknown, mentions: Mentions): unknown {
    if (typeof value !== 'object' || value === null) return mentions(value) ? null : value;
    if (Array.isArray(value)) return value.map((inner) => takenOut(inner, mentions));
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !mentions(name))
        .map(([name, inner]) => [name, takenOut(inner, mentions)]),
    );
  }

  return {
    identityIds: new Set(identities.map(({ _id }) => _id)),
    isMentionedIn: (value, region) => mentionedIn(value, mentionsIn(region)),
    redact: (value, region) => takenOut(value, mentionsIn(region)),
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
