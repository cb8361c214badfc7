import type { MappedEvent } from '../../src/domain/mappings/mapping.ts';
import { emptyTally } from './score.ts';
import type { Tally } from './score.ts';

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

export function judgeFixture({ truth, also = {} }: Fixture, event: MappedEvent): Tally {
  const tally = emptyTally();
  for (const [field, read] of Object.entries(readers) as [Field, (typeof readers)[Field]][]) {
    const value = read(event);
    if (truth[field] !== undefined) {
      tally[value === null ? 'missing' : value === truth[field] ? 'right' : 'wrong'] += 1;
    } else if (value === null) tally.empty += 1;
    else if (![also[field] ?? []].flat().includes(value)) tally.invented += 1;
  }
  return tally;
}
