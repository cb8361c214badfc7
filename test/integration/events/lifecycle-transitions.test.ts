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
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { ClaimedEvent } from '../../../src/store/events/claim.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('lifecycle');
});
afterAll(() => context.close());

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const token = 'token';

let count = 0;
/** An event in that state, claimed and due, so that only its state can prevent a change. */
async function eventIn(state: EventState, over: Partial<EventRecord>): Promise<ClaimedEvent> {
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
  const event: ClaimedEvent = {
    ...(statesBefore('claim').$in.includes(state) ? fresh : ended),
    state,
    claimToken: token,
    fence: 1,
    attempts: 1,
    ...over,
  };
  await events().insertOne(event);
  return event;
}

const seen = { eventType: null, eventDate: null, problems: [] };
const effects = { contactId: 'a', chatId: 'b', messageId: 'c' };
const outcomes: readonly Outcome[] = [
  { kind: 'done', effects, ...seen },
  { kind: 'split', items: 1 },
  { kind: 'ignored', reason: 'filter' },
  { kind: 'dead', reason: 'filter_failed' },
  { kind: 'retry', reason: 'internal_error' },
];

type Attempt = {
  readonly over?: Partial<EventRecord>;
  readonly make: (event: ClaimedEvent) => Promise<unknown>;
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

const fresh = { token: 'new', leaseMs: 60_000, alone: true };

/** Every function that makes a change, with each of its outcomes. */
const attempts: Record<TransitionName, readonly Attempt[]> = {
  claim: [
    { make: ({ _id }) => context.stores.events.claim([_id], fresh) },
    {
      over: { attempts: 9 },
      make: ({ _id }) => context.stores.events.claim([_id], fresh),
    },
  ],
  finish: outcomes.map((outcome) => ({
    make: (event) => context.stores.events.finish([{ event, outcome, delayMs: 60_000 }]),
  })),
  release: [{ make: ({ _id }) => context.stores.events.release(token, [_id]) }],
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
