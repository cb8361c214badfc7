/**
 * The ticker that forgets people: one small step after another, whichever process takes the next.
 *
 * First the person's events lose their bodies and their fences rise; then it waits until no worker can still have one of
 * them in hand; then identities and contact go together, with messages and chats; and once no worker can have met the
 * contact before, what such a worker left is taken away too.
 * Promises: a step is done wholly or not at all, and who dies is followed by somebody else. Nobody who was forgotten comes back by
 * a worker that was slow.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startTicker } from '../base/process/ticker.ts';
import {
  rescannedStates,
  scannedStates,
  type ErasureRecord,
  type ErasureSubject,
} from '../domain/people/erasure.ts';
import type { EventRecord, EventState } from '../domain/events/event.ts';
import type { SampleStore } from '../store/samples/samples.ts';
import type { WebhookStore } from '../store/webhooks/webhooks.ts';
import type { ErasureStore, ErasureProgress } from '../store/erasures/erasures.ts';
import type { PeopleStore } from '../store/people/people.ts';
import { personOf, type Person } from './person.ts';
import { createPersonMatcher, type PersonMatcherDeps } from './person-matcher.ts';

export type ErasureDeps = PersonMatcherDeps & {
  readonly erasures: ErasureStore;
  readonly people: Pick<PeopleStore, 'mergeTreeIds' | 'findOwners'>;
  readonly samples: Pick<SampleStore, 'all'>;
  readonly webhooks: Pick<WebhookStore, 'get' | 'listByChannels'>;
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly clock: Clock;
};

export type Erasure = {
  /** Does what can be done now, and tells in how many milliseconds to look again. */
  tick(): Promise<number>;
  wake(): void;
  close(): Promise<void>;
};

const busyMs = 500;
/** For a worker's clock and its last write under way. */
const marginMs = 1_000;

const nothing: ErasureSubject = { contactIds: [], channelIds: [], identities: [] };

type Step = (record: ErasureRecord, sought: ErasureSubject) => Promise<boolean | Date>;

export function startErasure(deps: ErasureDeps): Erasure {
  const { erasures, logger, clock, intervalMs } = deps;
  const steps = createSteps(deps);

  /** One erasure, as far as it goes without waiting. */
  async function work(): Promise<number> {
    const taken = await erasures.claim();
    if (!taken) return intervalMs;
    let record: ErasureRecord | null = taken;
    while (record && record.phase !== 'done' && record.token === taken.token) {
      const step: Step = steps[record.phase];
      const went: boolean | Date = await step(record, record.sought ?? nothing);
      if (went instanceof Date) await erasures.release(record, went);
      record = went === true ? await erasures.get(taken._id) : null;
    }
    return Math.min(intervalMs, busyMs);
  }

  async function tick(): Promise<number> {
    try {
      return await work();
    } catch (error) {
      logger.warn({ err: error }, 'erasure.failed');
      return busyMs;
    }
  }

  return { tick, ...startTicker(tick, { firstMs: intervalMs / 10 }) };

  /** True once the step is over; a date where it has to wait. */
  function createSteps(
    all: ErasureDeps,
  ): Readonly<Record<Exclude<ErasureRecord['phase'], 'done'>, Step>> {
    return {
      events: createLookThrough(all),
      samples: createSampleStep(all),
      wait: async (record) =>
        waits(record) ?? erasures.move(record, { phase: 'people', waitUntil: null }),
      people: createPeopleStep(all),
      settle: createSettleStep(all),
    };
  }

  function waits({ waitUntil }: ErasureRecord): Date | null {
    const until = new Date(+(waitUntil ?? 0) + marginMs);
    return waitUntil && until > clock.now() ? until : null;
  }
}

/** All events that are not done; what is done is found by its messages, or by whom it made. */
function createLookThrough({ erasures, ...deps }: ErasureDeps): Step {
  const witness = createPersonMatcher(deps);
  return async function lookThrough(record, sought) {
    const state = record.cursor?.state ?? scannedStates[0];
    const found = await erasures.nextEvents(record, state);
    const last = found.at(-1);
    const isAgain = record.cursor?.isAgain === true;
    if (!last) return erasures.move(record, behind(state, isAgain));
    const sifted = await witness.sift(personOf(sought.identities), found);
    const { receivedAt, _id: id } = last;
    return erasures.events(record, sifted, {
      cursor: { state, isAgain, receivedAt, id },
    });
  };
}

/** What is looked through after all events of a state. */
function behind(state: EventState, isAgain: boolean): ErasureProgress['to'] {
  const states: readonly EventState[] = isAgain ? rescannedStates : scannedStates;
  const next = states[states.indexOf(state) + 1];
  if (next) return { cursor: { state: next, isAgain, id: '' } };
  return isAgain
    ? { phase: 'samples', cursor: null }
    : { cursor: { state: rescannedStates[0], isAgain: true, id: '' } };
}

/** How many bodies are in memory at once. */
const testsAtOnce = 20;

/** A sample or a test that names the person is deleted as a whole: it is there to show a shape, and another shows it as well. */
function createSampleStep({ erasures, ...deps }: ErasureDeps): Step {
  const witness = createPersonMatcher(deps);
  return async function sampleStep(record, sought) {
    const person = personOf(sought.identities);
    const samples: string[] = [];
    const tests: EventRecord[] = [];
    for (const webhook of await deps.webhooks.listByChannels(sought.channelIds)) {
      for (const sample of await deps.samples.all(webhook._id))
        if (await witness.isInSample(person, sample, webhook)) samples.push(sample._id);
      tests.push(...(await testsThatName(person, webhook._id)));
    }
    return erasures.samples(record, { samples, tests }, { phase: 'wait' });
  };

  async function testsThatName(person: Person, webhookId: string): Promise<EventRecord[]> {
    const ids = await erasures.listTestEventIds(webhookId);
    const found: EventRecord[] = [];
    for (let from = 0; from < ids.length; from += testsAtOnce) {
      for (const test of await deps.events.getMany(ids.slice(from, from + testsAtOnce)))
        if (await witness.isNamedIn(person, test)) found.push({ ...test, delivery: null });
    }
    return found;
  }
}

function createPeopleStep(deps: ErasureDeps): Step {
  const { erasures, people } = deps;
  const sweep = createSweep(deps);
  return async function peopleStep(record, sought) {
    // A worker may have made somebody of them whom nobody knew when it was asked for.
    const owners = await people.findOwners(sought.identities.map(({ _id }) => _id));
    const contactIds = await people.mergeTreeIds([...sought.contactIds, ...owners]);
    const whole = { ...sought, contactIds };
    if (!(await sweep(record, whole))) return false;
    const waitUntil = await erasures.processingUntil(sought.channelIds);
    return erasures.insertTombstones({ ...record, sought: whole }, { phase: 'settle', waitUntil });
  };
}

/** What a worker wrote that had met the contact before it was a tombstone. */
function createSettleStep(deps: ErasureDeps): Step {
  const { erasures, clock } = deps;
  const sweep = createSweep(deps);
  return async function settleStep(record, sought) {
    const until = new Date(+(record.waitUntil ?? 0) + marginMs);
    if (record.waitUntil && until > clock.now() && (await isInHand(sought))) {
      return new Date(Math.min(+until, +clock.now() + marginMs));
    }
    if (!(await sweep(record, sought))) return false;
    if (!(await erasures.insertTombstones(record, {}))) return false;
    await erasures.redactAudit({
      targets: sought.contactIds.map((id) => ({ type: 'contact' as const, id })),
      mentions: mentionsOf(sought),
      about: { type: 'erasure', id: record._id },
      actor: record.createdBy,
    });
    const now = await erasures.get(record._id);
    return now ? erasures.finish(now) : false;
  };

  async function isInHand({ channelIds }: ErasureSubject): Promise<boolean> {
    return (await erasures.processingUntil(channelIds)) !== null;
  }
}

/** A sender's id alone is no mention: a 1234 may stand for anything. */
const mentionsOf = ({ identities }: ErasureSubject): string[] =>
  identities.filter(({ kind }) => kind !== 'externalId').map(({ value }) => value);

/** Takes away all messages of the person's chats, with what their events still hold. */
function createSweep({ erasures, events, ...deps }: ErasureDeps) {
  const witness = createPersonMatcher({ ...deps, events });
  return async function sweep(record: ErasureRecord, sought: ErasureSubject): Promise<boolean> {
    const person = personOf(sought.identities);
    for (;;) {
      const found = await erasures.nextMessages(sought);
      if (found.length === 0) return true;
      const told = found.flatMap(({ eventId }) => eventId ?? []);
      const own = (await events.getMany(told)).filter(({ erased }) => !erased);
      const ids = found.map(({ _id }) => _id);
      if (!(await erasures.messages(record, ids, await witness.own(person, own)))) return false;
    }
  };
}
