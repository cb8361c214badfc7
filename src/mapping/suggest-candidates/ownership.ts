/** Whose a leaf is: the contact's, or that of an owner, a company, a product, a page. */
import type { Leaf } from '../suggest-leaves/leaf.ts';
import type { NameReading } from '../suggest-names/concepts.ts';

export interface Ownership {
  /** Above 0: a person whom the event is about; below: somebody or something else. */
  readonly score: number;
  readonly why: string;
}

const reaches: readonly ('phone' | 'mobile' | 'email' | 'document')[] = [
  'phone',
  'mobile',
  'email',
  'document',
];

/** The nearest container that says whose decides; an actor farther out still counts. */
export function ownershipOf({ trail }: Leaf, hasPerson = false): Ownership {
  let kin: Ownership | null = null;
  let burden = 0;
  for (const [distance, reading] of trail.toReversed().entries()) {
    const { concepts } = reading;
    if (distance === trail.length - 1 && isWrapping(reading)) continue;
    if (concepts.has('past')) return { score: -1, why: 'what was before' };
    if (concepts.has('holder') || reaches.some((each) => concepts.has(each))) continue;
    // A form's own name is nobody's; what was written into it is somebody's.
    if (concepts.has('form') && distance > 0) continue;
    if (kin === null) kin = decide(reading, hasPerson);
    else if (concepts.has('actor')) burden = -0.4;
  }
  const { score, why } = kin ?? { score: 0, why: '' };
  return { score: score + burden, why };
}

/** What a sender puts around all that it sends says nothing of whose it is: `helpdesk_webhook: { … }`. */
const isWrapping = ({ words }: NameReading): boolean =>
  words.length > 1 &&
  /^(?:webhook|hook|integration|integracao|notification|payload)$/.test(words.at(-1) ?? '');

/** A bare user may be the contact or may work for the receiver. */
export const isUserWord = (words: readonly string[]): boolean =>
  /^(?:user|usuario|utilisateur|benutzer|utente)s?$/.test(words.join(' '));

function decide({ concepts, words }: NameReading, hasPerson: boolean): Ownership | null {
  const person = concepts.get('person') ?? 0;
  const name = words.join(' ');
  if (concepts.has('actor')) return { score: -0.6, why: `inside "${name}", somebody else` };
  if (concepts.has('thing') || concepts.has('form'))
    return { score: -0.45, why: `inside "${name}", no person` };
  if (hasPerson && person > 0 && isUserWord(words)) {
    return { score: -0.5, why: 'a user, beside the person of the event' };
  }
  return person === 0 ? null : { score: 0.16 * person, why: `inside "${name}"` };
}
