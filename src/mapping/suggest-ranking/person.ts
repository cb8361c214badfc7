/** Chooses the person of a payload once: the object that the best name, phone number and e-mail address are in. */
import type { TargetName } from '../suggest/candidates.ts';
import type { Candidate } from '../suggest-candidates/candidate.ts';

const traits = ['contact.name', 'contact.phone', 'contact.email'] as const;
const minScore = 0.3;

/** Returns the path of the person's object; null when the payload has none. Of equal ones the first wins. */
export function findPerson(found: ReadonlyMap<TargetName, readonly Candidate[]>): string | null {
  const sums = new Map<string, number>();
  for (const trait of traits) {
    const best = new Map<string, number>();
    for (const { leaf, score } of found.get(trait) ?? []) {
      if (leaf === null || score < minScore) continue;
      best.set(leaf.owner, Math.max(score, best.get(leaf.owner) ?? 0));
    }
    for (const [owner, score] of best) sums.set(owner, (sums.get(owner) ?? 0) + score);
  }
  let person: string | null = null;
  for (const [owner, sum] of sums) {
    if (person === null || sum > (sums.get(person) ?? 0)) person = owner;
  }
  return person;
}

/** Returns 1 for the object of the person, less for one inside or around it, 0 for others. */
export function nearness(owner: string, person: string | null): number {
  if (person === null) return 0;
  if (owner === person) return 1;
  if (isInside(owner, person)) return 0.7;
  return owner !== '' && isInside(person, owner) ? 0.4 : 0;
}

const isInside = (inner: string, outer: string): boolean =>
  outer !== '' && inner.startsWith(outer) && /^[.[]/.test(inner.slice(outer.length));
