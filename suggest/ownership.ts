/** Decides to whom a leaf belongs: the contact, or a seller, a company, a product or a page. */
import type { Leaf } from './leaves/leaf.ts';
import { hasConcept, type NameReading } from './names/concepts.ts';

export interface Ownership {
  /** Above 0 for the person that the event is about, below 0 for another person or a thing. */
  readonly score: number;
  readonly reason: string;
}

/** The nearest container that names an owner decides. An actor farther out lowers the score. A plain user is
 * another person when `hasPerson`: the payload has a person of its own. */
export function ownershipOf({ trail }: Leaf, { hasPerson }: { hasPerson: boolean }): Ownership {
  let nearest: Ownership | null = null;
  let penalty = 0;
  let isWeak = false;
  for (const [distance, reading] of trail.toReversed().entries()) {
    const { concepts } = reading;
    if (distance === trail.length - 1 && isWrapping(reading)) continue;
    if (concepts.has('past')) return { score: -1, reason: 'an earlier state' };
    if (hasConcept(reading, 'holder', 'phone', 'mobile', 'email', 'document')) continue;
    // A form's own name belongs to no person; the answers in it belong to the contact.
    if (concepts.has('form') && distance > 0) continue;
    if (nearest === null) {
      nearest = decide(reading, { hasPerson });
      isWeak = nearest !== null && nearest.score > 0 && (concepts.get('person') ?? 0) <= 0.5;
    } else if (concepts.has('actor')) penalty = -0.4;
    // The author of a course is not who takes it.
    else if (isWeak && concepts.has('thing') && !concepts.has('matter')) penalty = -0.5;
  }
  const { score, reason } = nearest ?? { score: 0, reason: '' };
  return { score: score + penalty, reason };
}

/** Whether a root key wraps the whole payload, such as `helpdesk_webhook: { … }`. It names no owner. */
const isWrapping = ({ words }: NameReading): boolean =>
  words.length > 1 &&
  /^(?:webhook|hook|integration|integracao|notification|payload)$/.test(words.at(-1) ?? '');

/** Whether a name is a plain `user`, who may be the contact or may work for the receiver. */
export const isUserWord = (words: readonly string[]): boolean =>
  /^(?:user|usuario|utilisateur|benutzer|utente)s?$/.test(words.join(' '));

function decide(
  { concepts, words }: NameReading,
  { hasPerson }: { hasPerson: boolean },
): Ownership | null {
  const person = concepts.get('person') ?? 0;
  const name = words.join(' ');
  if (concepts.has('actor')) return { score: -0.6, reason: `inside "${name}", another person` };
  if (concepts.has('thing') || concepts.has('form'))
    return { score: -0.45, reason: `inside "${name}", not a person` };
  if (hasPerson && person > 0 && isUserWord(words)) {
    return { score: -0.5, reason: 'a user, beside the person of the event' };
  }
  return person === 0 ? null : { score: 0.16 * person, reason: `inside "${name}"` };
}
