/** Proposes the candidates of every target. */
import type { Payload } from '../../domain/mappings/mapping.ts';
import { compareByScore } from '../suggest-candidates/candidate.ts';
import type { Candidate } from '../suggest-candidates/candidate.ts';
import { penalizeOtherName } from './fallbacks.ts';
import { headerCandidates } from '../suggest-candidates/header-candidates.ts';
import { eventIdCandidates, externalIdCandidates } from '../suggest-candidates/id-candidates.ts';
import {
  eventDateCandidates,
  eventTypeCandidates,
} from '../suggest-candidates/event-candidates.ts';
import {
  documentCandidates,
  emailCandidates,
  nameCandidates,
  phoneCandidates,
} from '../suggest-candidates/person-candidates.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';
import {
  campaignCandidates,
  messageCandidates,
  originCandidates,
} from '../suggest-candidates/message-candidates.ts';

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

/** Returns at most 12 candidates for each target, the best first by the rules. */
export function proposeCandidates(
  index: LeafIndex,
  samples: readonly Payload[],
): CandidatesByTarget {
  const headers = headerCandidates(samples);
  const found: readonly (readonly [TargetName, readonly Candidate[]])[] = [
    [
      'eventId',
      [...(index.splits ? [] : headers.eventId), ...eventIdCandidates(index)].toSorted(
        compareByScore,
      ),
    ],
    ['eventType', [...eventTypeCandidates(index), ...headers.eventType].toSorted(compareByScore)],
    ['eventDate', eventDateCandidates(index)],
    ['contact.externalId', externalIdCandidates(index)],
    ['contact.name', nameCandidates(index)],
    ['contact.phone', phoneCandidates(index)],
    ['contact.email', emailCandidates(index)],
    ['contact.document', documentCandidates(index)],
    ['message.text', messageCandidates(index)],
    ['context.campaign', campaignCandidates(index)],
    ['context.origin', originCandidates(index)],
  ];
  const worth = new Map(
    found.map(([target, candidates]) => [
      target,
      candidates.filter((each) => !isConstantId(each, target)).slice(0, maxCandidates),
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

const minSamples = 3;

/** Whether an id of an event is the same in three and more samples: it is that of the sender. */
const isConstantId = ({ leaf }: Candidate, target: TargetName): boolean =>
  target === 'eventId' &&
  leaf !== null &&
  leaf.values.length >= minSamples &&
  leaf.values.every((value) => value === leaf.values[0]);

/** Returns the name of the contact, or null when none is clear. */
function clearName([best]: readonly Candidate[]): string | null {
  return best !== undefined && best.score >= clearNameScore ? String(best.example) : null;
}
