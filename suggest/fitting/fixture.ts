import type { MappedEvent } from '../../src/domain/mappings/mapping.ts';
import type { TargetName } from '../candidates.ts';
import type { Verdict } from './corpus.ts';
import { noVerdicts } from './score.ts';
import type { VerdictCounts } from './score.ts';

type Field =
  | 'eventId'
  | 'eventType'
  | 'eventDate'
  | 'externalId'
  | 'name'
  | 'phone'
  | 'email'
  | 'document'
  | 'text'
  | 'origin'
  | 'campaign';

/** A payload and its true values. A field in neither `truth` nor `also` must stay empty. */
export interface Fixture {
  name: string;
  body: unknown;
  headers?: Record<string, string>;
  /** The region of its numbers without a country code. */
  region?: string;
  truth: Partial<Record<Field, string>>;
  /** Values that are correct but not required, such as other numbers of the person. */
  also?: Partial<Record<Field, string | string[]>>;
  /** How many true values a suggestion does not read yet. */
  misses?: number;
  /** The number of items. */
  items?: number;
}

const readers: Readonly<Record<Field, (event: MappedEvent) => string | null>> = {
  eventId: (event) => event.eventId,
  eventType: (event) => event.eventType,
  eventDate: (event) => event.eventDate,
  externalId: (event) => event.contact.externalId,
  name: (event) => event.contact.name,
  phone: (event) => event.contact.phone,
  email: (event) => event.contact.email,
  document: (event) => event.contact.document,
  text: (event) => event.message.text,
  origin: (event) => event.context.origin,
  campaign: (event) => event.context.campaign,
};

/** The targets of the fields that have known values in every set of payloads. */
const targets: Readonly<Partial<Record<Field, TargetName>>> = {
  eventType: 'eventType',
  eventDate: 'eventDate',
  externalId: 'contact.externalId',
  name: 'contact.name',
  phone: 'contact.phone',
  email: 'contact.email',
  document: 'contact.document',
  text: 'message.text',
  origin: 'context.origin',
  campaign: 'context.campaign',
};

const fieldReaders = Object.entries(readers) as [Field, (typeof readers)[Field]][];

function verdictOn(field: Field, value: string | null, { truth, also = {} }: Fixture): Verdict {
  if (truth[field] !== undefined)
    return value === null ? 'missing' : value === truth[field] ? 'right' : 'wrong';
  if (value === null || [also[field] ?? []].flat().includes(value)) return 'empty';
  // Where a payload names no event id, one is composed.
  if (field === 'eventId' && value.includes(':')) return 'empty';
  return 'invented';
}

/** Returns the true value of each target. */
export const fixtureTruth = ({ truth }: Fixture): Map<TargetName, string> =>
  new Map(
    (Object.entries(truth) as [Field, string][]).flatMap(([field, value]) => {
      const target = targets[field];
      return target === undefined ? [] : [[target, value] as const];
    }),
  );

/** Returns the verdict on each target of an event. */
export function fixtureVerdicts(fixture: Fixture, event: MappedEvent): Map<TargetName, Verdict> {
  return new Map(
    fieldReaders.flatMap(([field, read]) => {
      const target = targets[field];
      return target === undefined
        ? []
        : [[target, verdictOn(field, read(event), fixture)] as const];
    }),
  );
}

export function judgeFixture(fixture: Fixture, event: MappedEvent): VerdictCounts {
  const tally = noVerdicts();
  for (const [field, read] of fieldReaders) tally[verdictOn(field, read(event), fixture)] += 1;
  return tally;
}
