// Two workers with the same people are stopped before each read and write and resumed in every order: the final state
// equals that of one worker that processes the events one by one. The default tier tries some pairs of stops, the deep tier all.
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { readCollections } from '../services/documents.ts';
import { expireSet } from '../../../src/store/sets/expired-sets.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { processOpen } from './races.ts';
import { startSteppedWorker, type SteppedWorker } from './stepped-worker.ts';
import { createTestContext, type TestContext } from './test-context.ts';

let context: TestContext;
let webhook: Webhook;

const phone = '+55 11 90000-0001';
const email = 'ana@example.com';

type Payload = { readonly id: string; readonly lead: object };
const event = (n: number, lead: object): Payload & Record<string, unknown> => ({
  id: `e${n}`,
  at: `2026-01-0${n}T12:00:00Z`,
  text: `hello ${n}`,
  lead: { name: `Ana ${n}`, ...(n % 2 ? { city: 'Recife' } : {}), ...lead },
  origin: n % 2 ? 'google' : 'meta',
  label: `Label ${n}`,
});

const begin = (ids: readonly string[]) => startSteppedWorker(context, ids);

type Scenario = {
  readonly known?: readonly Payload[];
  /** One set for each worker. An event in two sets is one whose lease was lost. */
  readonly sets: readonly (readonly Payload[])[];
};

async function sendAll(payloads: readonly Payload[]): Promise<string[]> {
  const ids: string[] = [];
  for (const payload of payloads) ids.push(await context.send(webhook, payload));
  return ids;
}

async function beginAll({ known = [], sets }: Scenario): Promise<SteppedWorker[]> {
  await context.clear();
  for (const id of await sendAll(known)) await context.processEvents([id]);
  const claims: string[][] = [];
  for (const set of sets) claims.push([...new Set(await sendAll(set))]);
  const runs: SteppedWorker[] = [];
  for (const ids of claims) {
    const live = await listSets(context.connection);
    for (const set of live)
      if (set.eventIds.some((id) => ids.includes(id))) await expireSet(context.connection, set);
    runs.push(await begin(ids));
  }
  return runs;
}

async function oneByOne({ known = [], sets }: Scenario) {
  await context.clear();
  for (const id of await sendAll([...known, ...sets.flat()])) await context.processEvents([id]);
  return context.snapshot();
}

type Doc = {
  readonly _id: string;
  readonly contactId: string;
  readonly chatId: string;
  readonly state?: string;
  readonly mergedInto?: string;
  readonly lastMessageAt?: Date;
};

/** Checks the invariants after each order. */
async function expectSound(): Promise<void> {
  const names = ['events', 'identities', 'contacts', 'chats', 'messages'] as const;
  const found = await readCollections(context.connection, names);
  const { events, identities, contacts, chats, messages } = found as Record<
    keyof typeof found,
    Doc[]
  >;
  const real = new Map(contacts.map((contact) => [contact._id, contact]));
  const idOf = (id: string): string | undefined => {
    const contact = real.get(id);
    return contact?.mergedInto === undefined ? contact?._id : idOf(contact.mergedInto);
  };
  const named = new Set(identities.map(({ contactId }) => idOf(contactId)));
  expect(named).toEqual(
    new Set([...real.values()].filter((one) => !one.mergedInto).map(({ _id }) => _id)),
  );
  expect(events.filter(({ state }) => state !== 'done')).toEqual([]);
  const chatOf = new Map(chats.map((chat) => [chat._id, chat]));
  for (const { contactId, chatId } of messages) {
    expect(idOf(chatOf.get(chatId)?.contactId ?? '')).toBe(contactId);
  }
  const listed = chats.filter(({ lastMessageAt }) => lastMessageAt);
  expect(new Set(listed.map(({ _id }) => _id))).toEqual(
    new Set(messages.map(({ chatId }) => chatId)),
  );
}

const both = { phone, email };
const scenarios: [string, Scenario][] = [
  ['one event whose lease was lost', { sets: [[event(1, both)], [event(1, both)]] }],
  ['two events of one new person', { sets: [[event(1, both)], [event(2, both)]] }],
  ['two events that share one identity', { sets: [[event(1, { phone })], [event(2, both)]] }],
  [
    'two sets with the same people, of whom one is known, the other way round',
    {
      known: [event(1, both)],
      sets: [
        [event(2, { phone }), event(3, { phone: '+55 11 90000-0002' })],
        [event(4, { phone: '+55 11 90000-0002', id: 'b' }), event(5, { email, id: 'a' })],
      ],
    },
  ],
];

async function countSteps(scenario: Scenario): Promise<number> {
  const [first] = await beginAll(scenario);
  let count = 1;
  while (first && !first.isAtEnd()) {
    await first.step();
    count += 1;
  }
  return count;
}

const seed = Number(process.env.INLET_TEST_SEED ?? randomInt(2 ** 31));
const samples = 3;

type Pairs = 'all' | 'some';

/**
 * Pairs of stops: all of them, or each stop of one worker with three stops of the other, chosen by the seed so that each stop of the
 * other comes three times too.
 */
function pairsOf(count: number, pairs: Pairs): readonly (readonly [number, number])[] {
  const stops = Array.from({ length: count }, (_, n) => n);
  const some = fc.shuffledSubarray(stops, { minLength: samples, maxLength: samples });
  const offsets = pairs === 'all' ? stops : (fc.sample(some, { seed, numRuns: 1 })[0] ?? stops);
  return stops.flatMap((one) => offsets.map((offset) => [one, (one + offset) % count] as const));
}

async function expectSameAsOneByOne(scenario: Scenario, pairs: Pairs): Promise<void> {
  const { tombstones: _none, ...expected } = await oneByOne(scenario);
  expect(expected.conflicts).toBe(0);
  for (const [one, other] of pairsOf(await countSteps(scenario), pairs)) {
    const [first, second] = await beginAll(scenario);
    if (!first || !second) throw new Error('A scenario has two sets.');
    for (let n = 0; n < one; n += 1) await first.step();
    for (let n = 0; n < other; n += 1) await second.step();
    await first.toEnd();
    await second.toEnd();
    // An event waits whose tries all met the transaction of a worker that was stopped.
    await processOpen(context);
    const { tombstones: _any, ...after } = await context.snapshot();
    expect({ seed, one, other, ...after }).toEqual({ seed, one, other, ...expected });
    await expectSound();
  }
}

// Phone and email in separate events, then together: the order decides whether the last event bridges two contacts.
const apart: Scenario = {
  sets: [[event(1, { phone })], [event(2, { email })], [event(3, both)]],
};

async function expectBridgesSound(): Promise<void> {
  const order = fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 20, maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(order, async (turns) => {
      const runs = await beginAll(apart);
      for (const turn of turns) if (!runs[turn]?.isAtEnd()) await runs[turn]?.step();
      for (const run of runs) await run.toEnd();
      await processOpen(context);
      const after = await context.snapshot();
      expect(after.messages).toBe(3);
      expect(after.contacts.length).toBeLessThanOrEqual(2);
      expect(after.conflicts).toBe(after.contacts.length - 1);
      for (const { chats } of after.contacts) expect(chats).toHaveLength(1);
      await expectSound();
    }),
    { numRuns: 25 },
  );
}

/** Registers the tests of a file. */
export function testInterleavings(pairs: Pairs): void {
  beforeAll(async () => {
    context = await createTestContext('interleave');
    webhook = await context.addWebhook();
  });
  afterAll(() => context.close());
  console.log(`interleave: ${pairs === 'all' ? 'all pairs' : `INLET_TEST_SEED=${seed}`}`);

  test.each(scenarios)(
    '%s: for each pair of stops, the final state equals sequential processing',
    (_what, scenario) => expectSameAsOneByOne(scenario, pairs),
  );

  test('three workers, one of them with a bridge, resumed in any order: one contact, or two with the conflict recorded', () =>
    expectBridgesSound());
}
