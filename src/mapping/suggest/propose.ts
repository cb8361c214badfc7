/** The candidates of every target, the best first. */
import type { Payload } from '../../domain/mapping.ts';
import { byScore } from './candidate.ts';
import type { Candidate } from './candidate.ts';
import { headerCandidates } from './header.ts';
import { eventIdCandidates, externalIdCandidates } from './identity.ts';
import { eventDateCandidates, eventTypeCandidates } from './occurrence.ts';
import { documentCandidates, emailCandidates, nameCandidates, phoneCandidates } from './person.ts';
import type { Survey } from './survey.ts';
import { campaignCandidates, messageCandidates, originCandidates } from './topic.ts';

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

export type Proposals = ReadonlyMap<TargetName, readonly Candidate[]>;

const worthShowing = 0.25;
const maxCandidates = 12;

export function propose(survey: Survey, samples: readonly Payload[]): Proposals {
  const headers = headerCandidates(samples);
  const found: readonly (readonly [TargetName, readonly Candidate[]])[] = [
    [
      'eventId',
      [...(survey.splits ? [] : headers.eventId), ...eventIdCandidates(survey)].toSorted(byScore),
    ],
    ['eventType', [...eventTypeCandidates(survey), ...headers.eventType].toSorted(byScore)],
    ['eventDate', eventDateCandidates(survey)],
    ['contact.externalId', externalIdCandidates(survey)],
    ['contact.name', nameCandidates(survey)],
    ['contact.phone', phoneCandidates(survey)],
    ['contact.email', emailCandidates(survey)],
    ['contact.document', documentCandidates(survey)],
    ['message.text', messageCandidates(survey)],
    ['context.campaign', campaignCandidates(survey)],
    ['context.origin', originCandidates(survey)],
  ];
  return new Map(
    found.map(([target, candidates]) => [
      target,
      candidates.filter(({ score }) => score >= worthShowing).slice(0, maxCandidates),
    ]),
  );
}
