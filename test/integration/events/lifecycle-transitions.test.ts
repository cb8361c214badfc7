// The transition table against the database: of all states and changes exactly the table's pairs succeed.
import {
  eventStates,
  type EventRecord,
  type EventState,
} from '../../../src/domain/events/event.ts';
import {
  statesBefore,
  transitions,
  type TransitionName,
} from '../../../src/domain/events/lifecycle.ts';
import type { Outcome } from '../../../src/domain/events/outcome.ts';
import { newEvent } from '../../../src/domain/events/new-event.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { writeOutcomes } from '../../../src/store/events/outcomes.ts';
import { expireSet } from '../../../src/store/sets/expired-sets.ts';
import { runSetTransaction } from '../../../src/store/sets/set-transaction.ts';
import { sets, takeEvents, type SetRecord } from '../../../src/store/sets/sets.ts';
import { newId } from '../../../src/base/ids.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('lifecycle');
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');

let count = 0;
/** An event in that state, due, so that only its state can prevent a change. */
async function eventIn(state: EventState, over: Partial<EventRecord>): Promise<EventRecord> {
  const name = `e${(count += 1)}`;
  const fresh = newEvent({
    webhookId: name,
    channelId: 'channel',
    externalId: name,
    dedupKeys: [name],
    delivery: null,
    bodySha256: 'body',
    bodyBytes: 4,
    mappingVersion: 1,
    isHeld: state === 'held',
    receivedAt: new Date(0),
    now: new Date(0),
  });
  const { open: _open, ...ended } = fresh;
  const event: EventRecord = {
    ...(statesBefore('finish').$in.includes(state) ? fresh : ended),
    state,
    fence: 1,
    attempts: 1,
    ...over,
  };
  await events().insertOne(event);
  return event;
}

const seen = { eventType: null, eventDate: null, problems: [] };
const effects = { contactId: 'a', chatId: 'b' };
const outcomes: readonly Outcome[] = [
  { kind: 'done', effects, ...seen },
  { kind: 'split', items: 1 },
  { kind: 'ignored', reason: 'filter' },
  { kind: 'dead', reason: 'filter_failed' },
  { kind: 'retry', reason: 'internal_error' },
];

type Attempt = {
  readonly over?: Partial<EventRecord>;
  readonly make: (event: EventRecord) => Promise<unknown>;
};

const resend = (event: EventRecord, revivedState: 'received' | 'held') =>
  context.stores.events.countResends([
    {
      ...event,
      dedupKeys: event.dedupKeys ?? [],
      bodySha256: 'another body',
      mappingVersion: 2,
      revivedState,
    },
  ]);
const sendAgain = (change: 'replay' | 'remap'): Attempt[] =>
  (['received', 'held'] as const).map((state) => ({
    make: ({ _id: eventId, channelId }) =>
      context.stores.events.replay(
        { eventId, change, channelId, mappingVersion: 2, maxAttempts: undefined, state },
        actor,
      ),
  }));

/** Finishes the event as the worker that takes it. */
async function finish({ _id }: EventRecord, outcome: Outcome): Promise<void> {
  const { connection } = context;
  const session = connection.getClient().startSession();
  const tx = { connection, session };
  const token = newId();
  const terms = { token, worker: 'test', session, alone: true, now: new Date() };
  const finishes = (await takeEvents(connection, [_id], terms)).map((event) => {
    return { event, outcome, delayMs: 60_000 };
  });
  if (finishes.length > 0)
    await runSetTransaction(tx, { token, eventIds: null }, () =>
      writeOutcomes(tx, finishes, 'test'),
    );
  await session.endSession();
}

/** Ends a set that has the event. */
async function expire({ _id }: EventRecord): Promise<void> {
  const { connection } = context;
  const ofWorker = { worker: 'test', session: new Uint8Array(16), beat: 0, takenAt: new Date() };
  const set: SetRecord = { _id: newId(), eventIds: [_id], ...ofWorker };
  await sets(connection).insertOne(set);
  await expireSet(connection, set);
}

/** Every function that makes a change, with each of its outcomes. */
const attempts: Record<TransitionName, readonly Attempt[]> = {
  finish: outcomes.map((outcome) => ({ make: (event) => finish(event, outcome) })),
  expire: [{ make: expire }, { over: { attempts: 8 }, make: expire }],
  revive: [
    { make: (event) => resend(event, 'received') },
    { make: (event) => resend(event, 'held') },
  ],
  replay: sendAgain('replay'),
  remap: sendAgain('remap'),
  discard: [{ make: ({ _id }) => context.stores.events.discard(_id, actor) }],
  resume: [{ make: ({ _id }) => context.stores.events.releaseHeld([_id]) }],
};

async function pairsOf(change: TransitionName): Promise<string[]> {
  const pairs = new Set<string>();
  for (const from of eventStates) {
    for (const { over = {}, make } of attempts[change]) {
      const before = await eventIn(from, over);
      await make(before);
      const after = await events().findOne({ _id: before._id });
      const hasHappened = (after?.timeline.length ?? 0) > before.timeline.length;
      expect([from, after?.state !== from && !hasHappened]).toEqual([from, false]);
      if (hasHappened) pairs.add(`${from} → ${after?.state}`);
    }
  }
  return [...pairs].toSorted();
}

test.each(Object.keys(attempts) as TransitionName[])(
  '%s happens from and to the states of the table, and no others',
  async (change) => {
    const { from, to } = transitions[change];
    const allowed = from.flatMap((start) => to.map((end) => `${start} → ${end}`));
    expect(await pairsOf(change)).toEqual(allowed.toSorted());
  },
);
