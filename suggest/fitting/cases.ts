/** All payloads with known values, in one form: the corpora and the invented payloads, as they are and with other values. */
import type { MappedEvent, Payload } from '../../src/domain/mappings/mapping.ts';
import type { PreviewItem } from '../../src/mapping/evaluation/preview.ts';
import type { TargetName } from '../candidates.ts';
import {
  corpusNames,
  judge,
  payloadOf,
  readCorpus,
  regionOf,
  withoutPrototypes,
} from './corpus.ts';
import type { Request, TruthField, Verdict } from './corpus.ts';
import { fixtureTruth, fixtureVerdicts } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { fixtures } from './payloads/all-payloads.ts';
import { varyFixture, varyRequest } from './variation/varied-cases.ts';

export interface Case {
  readonly name: string;
  /** Payloads of one producer are never both learned from and scored. */
  readonly producer: string;
  /** The name of its corpus, or `invented`. */
  readonly set: string;
  readonly payload: Payload;
  readonly region: string;
  /** The true values as texts. */
  readonly truth: ReadonlyMap<TargetName, string>;
  /** The verdict on each target of a mapped event; of an event without values when it is undefined. */
  judge(this: void, event: PreviewItem | undefined): ReadonlyMap<TargetName, Verdict>;
}

const fields: Readonly<Record<TruthField, TargetName>> = {
  external_id: 'contact.externalId',
  name: 'contact.name',
  phone: 'contact.phone',
  email: 'contact.email',
  document: 'contact.document',
  message: 'message.text',
  campaign: 'context.campaign',
  source: 'context.origin',
  event_date: 'eventDate',
  event_type: 'eventType',
};

/** The targets that have known values. */
export const scoredTargets: readonly TargetName[] = Object.values(fields);

const entries = Object.entries(fields) as [TruthField, TargetName][];

function caseOfRequest(request: Request, set: string): Case {
  return {
    name: request.name,
    producer: request.producer,
    set,
    payload: payloadOf(request),
    region: regionOf(request.truth),
    truth: new Map(
      entries.flatMap(([field, target]) => {
        const entry = request.truth[field];
        return entry ? [[target, entry.value] as const] : [];
      }),
    ),
    judge: (event) =>
      new Map(
        entries.map(([field, target]) => [
          target,
          event === undefined ? unread(request.truth[field]) : judge(field, request, event),
        ]),
      ),
  };
}

const unread = (truth: unknown): Verdict => (truth ? 'missing' : 'empty');

function caseOfFixture(fixture: Fixture): Case {
  const { name, body, headers = {}, region = 'BR' } = fixture;
  return {
    name,
    producer: `invented: ${name}`,
    set: 'invented',
    payload: { body: withoutPrototypes(body), headers, query: {} },
    region,
    truth: fixtureTruth(fixture),
    judge: (event) => fixtureVerdicts(fixture, event ?? nothingRead),
  };
}

const nothingRead: MappedEvent = {
  ignored: null,
  eventId: null,
  eventType: null,
  eventDate: null,
  contact: { externalId: null, name: null, phone: null, email: null, document: null },
  message: { text: null },
  context: { origin: null, campaign: null, labels: [], sector: null },
} as unknown as MappedEvent;

/** Returns the cases as they are. */
export function readCases(): Case[] {
  const corpora = corpusNames.flatMap((set) =>
    readCorpus(set).map((request) => caseOfRequest(request, set)),
  );
  return [...corpora, ...fixtures.map(caseOfFixture)];
}

/** Returns each case with other values. The same number gives the same values. */
export function readVariedCases(number: number): Case[] {
  const corpora = corpusNames.flatMap((set) =>
    readCorpus(set).map((request) => caseOfRequest(varyRequest(request, number), set)),
  );
  return [...corpora, ...fixtures.map((each) => caseOfFixture(varyFixture(each, number)))];
}
