/** Proposes the candidates of every target. */
import type { Payload, Scalar } from '../src/domain/mappings/mapping.ts';
import { compareByScore, displayPath, type Candidate } from './candidate.ts';
import { compositeEventIds } from './composite-id.ts';
import { penalizeOtherName } from './fallbacks.ts';
import { eventIdCandidates, externalIdCandidates } from './id-candidates.ts';
import { eventDateCandidates, eventTypeCandidates, headerCandidates } from './event-candidates.ts';
import {
  documentCandidates,
  emailCandidates,
  nameCandidates,
  phoneCandidates,
} from './person-candidates.ts';
import type { LeafIndex } from './leaf-index.ts';
import { campaignCandidates, messageCandidates, originCandidates } from './message-candidates.ts';

export type TargetName =
  | 'eventId'
  | 'eventType'
  | 'eventDate'
  | 'contact.externalId'
  | 'contact.name'
  | 'contact.phone'
  | 'contact.email'
  | 'contact.document'
  | 'message.text'
  | 'context.campaign'
  | 'context.origin';

export type CandidatesByTarget = ReadonlyMap<TargetName, readonly Candidate[]>;

/** The score from which on a name is that of the contact, and other names near an address speak against it. */
const clearNameScore = 0.46;
const maxCandidates = 12;
/** The score from which on an id that the payload names is that of the event. */
const eventIdScore = 0.6;

/** Returns at most 12 candidates for each target, the best first by the rules. `whole` has the values of all samples. */
export function proposeCandidates(
  index: LeafIndex,
  samples: readonly Payload[],
  whole: LeafIndex = index,
): CandidatesByTarget {
  const headers = headerCandidates(samples);
  const phones = phoneCandidates(index).toSorted(compareByScore);
  const proposed: readonly (readonly [TargetName, readonly Candidate[]])[] = [
    ['eventId', [...(index.splits ? [] : headers.eventId), ...eventIdCandidates(index)]],
    ['eventType', [...eventTypeCandidates(index), ...headers.eventType]],
    ['eventDate', eventDateCandidates(index)],
    ['contact.externalId', externalIdCandidates(index, phones[0])],
    ['contact.name', nameCandidates(index)],
    ['contact.phone', phones],
    ['contact.email', emailCandidates(index)],
    ['contact.document', documentCandidates(index)],
    ['message.text', messageCandidates(index)],
    ['context.campaign', campaignCandidates(index)],
    ['context.origin', originCandidates(index)],
  ];
  const found = proposed.map(
    ([target, candidates]) => [target, candidates.toSorted(compareByScore)] as const,
  );
  const ids = found.find(([target]) => target === 'eventId')?.[1];
  if ((ids?.[0]?.score ?? 0) < eventIdScore) {
    const of = (name: TargetName) => found.find(([target]) => target === name)?.[1] ?? [];
    const composed = compositeEventIds(index, { types: of('eventType'), dates: of('eventDate') });
    found[0] = ['eventId', [...composed, ...of('eventId')]];
  }
  const known = new Map(whole.leaves.map((leaf) => [displayPath(leaf), leaf.values]));
  const valuesOf = ({ path }: Candidate): readonly Scalar[] => {
    const parts = path.split(' + ').map((part) => known.get(part) ?? []);
    // A composed value varies with any of its parts.
    return parts.find(varies) ?? parts[0] ?? [];
  };
  const personVaries = found.some(
    ([target, [best]]) => /name|phone|email/.test(target) && best && varies(valuesOf(best)),
  );
  const worth = new Map(
    found.map(([target, candidates]) => [
      target,
      candidates
        .filter(({ leaf }) => !(target.startsWith('contact.') && isOfAllItems(leaf, index)))
        .filter((each) => !isContradicted(target, { values: valuesOf(each), personVaries }))
        .slice(0, maxCandidates),
    ]),
  );
  const name = clearName(worth.get('contact.name') ?? []);
  for (const target of ['contact.phone', 'contact.email'] as const) {
    const candidates = worth.get(target) ?? [];
    worth.set(
      target,
      candidates.map((each) => penalizeOtherName(each, name, index)).toSorted(compareByScore),
    );
  }
  return worth;
}

/** Whether a value is beside the items: it is that of all of them, so their people would be one contact. */
const isOfAllItems = (leaf: Candidate['leaf'], { splits }: LeafIndex): boolean =>
  splits && leaf !== null && leaf.outside;

const minSamples = 3;
const minTypeSamples = 5;

/**
 * Whether several samples contradict a candidate: an id of an event or, where the person varies, of a person is never the same in three
 * and more, and a type is not different in each of five and more.
 */
function isContradicted(
  target: TargetName,
  { values, personVaries }: { values: readonly Scalar[]; personVaries: boolean },
): boolean {
  const isConstant = values.length >= minSamples && !varies(values);
  if (target === 'eventId') return isConstant;
  if (target === 'contact.externalId') return isConstant && personVaries;
  if (target !== 'eventType' || values.length < minTypeSamples) return false;
  return new Set(values).size === values.length;
}

const varies = (values: readonly Scalar[]): boolean => values.some((value) => value !== values[0]);

/** Returns the name of the contact, or null when none is clear. */
function clearName([best]: readonly Candidate[]): string | null {
  return best !== undefined && best.score >= clearNameScore ? String(best.example) : null;
}
