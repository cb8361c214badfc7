// A lease is renewed while its worker runs, and a worker that lost its lease has no further effects.
import { systemClock, type Clock } from '../../../src/base/clock.ts';
import { AppError } from '../../../src/base/errors.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import type { Stores } from '../../../src/store/stores.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('lease');
});
afterAll(() => context.close());
beforeEach(() => context.clear());
afterEach(() => void jest.useRealTimers());

/** Only the test lets it end. */
const leaseMs = 3_600_000;

const lead = (id: string, person = 1) => ({
  id,
  at: '2026-01-06T12:00:00Z',
  text: `hello ${id}`,
  lead: { name: 'Ana', phone: `+55 11 9${70_000_000 + person}` },
  label: `Label ${id}`,
});
const events = () => collectionOf<EventRecord>(context.connection, 'events');
const never = () => new Promise<never>(() => {});

type Call = (...given: unknown[]) => Promise<unknown>;
/** Wraps a store call. */
type Around = (name: string, run: () => Promise<unknown>) => Promise<unknown>;

/** The stores with every call of processing wrapped by `around`. */
function surrounded(around: Around): Stores {
  const used = [
    'events',
    'identities',
    'contacts',
    'chats',
    'messages',
    'labels',
    'sectors',
  ] as const;
  const wrapped = used.map((name) => {
    const calls = Object.entries(context.stores[name] as unknown as Record<string, Call>).map(
      ([call, run]): [string, Call] => [
        call,
        (...given) => around(`${name}.${call}`, () => run(...given)),
      ],
    );
    return [name, Object.fromEntries(calls)];
  });
  return { ...context.stores, ...Object.fromEntries(wrapped) } as Stores;
}

const effects = new Set([
  'identities.claim',
  'contacts.applyChanges',
  'labels.ensureIds',
  'sectors.ensureIds',
  'chats.applyChanges',
  'messages.insert',
  'chats.open',
  'chats.raiseLastMessageAt',
  'events.finish',
]);

/** A clock whose monotonic part can jump, as after a stop of the whole process. */
function jumpyClock(): { clock: Clock; jump: (ms: number) => void } {
  let jumpedMs = 0;
  return {
    clock: { now: () => systemClock.now(), elapsedMs: () => systemClock.elapsedMs() + jumpedMs },
    jump: (ms) => void (jumpedMs += ms),
  };
}

async function endLeases(): Promise<void> {
  await events().updateMany({ state: 'processing' }, { $set: { dueAt: new Date(0) } });
}

/** How many store calls one event takes; a test below counts them. */
const callsOfOne = 9;

test.each(Array.from({ length: callsOfOne }, (_, index) => index))(
  'a worker that was suspended for longer than its lease after store call %i writes nothing more',
  async (stopAfter) => {
    const webhook = await context.addWebhook();
    const id = await context.send(webhook, lead(`e${stopAfter}`));
    const { clock, jump } = jumpyClock();
    const late: string[] = [];
    let calls = 0;
    const stores = surrounded(async (name, run) => {
      if (calls > stopAfter && effects.has(name)) late.push(name);
      const result = await run();
      if (calls === stopAfter) jump(leaseMs);
      calls += 1;
      return result;
    });
    await context.newProcessing({ stores, clock, leaseMs })([id]);
    expect(calls).toBeGreaterThan(stopAfter);
    expect(late).toEqual([]);
    await endLeases();
    await context.processEvents([id]);
    expect(await context.stores.events.get(id)).toMatchObject({ state: 'done' });
    expect((await context.snapshot()).messages).toBe(1);
  },
);

test('one event takes as many store calls as are stopped at', async () => {
  const id = await context.send(await context.addWebhook(), lead('e1'));
  let calls = 0;
  const stores = surrounded((_name, run) => {
    calls += 1;
    return run();
  });
  await context.newProcessing({ stores })([id]);
  expect(calls).toBe(callsOfOne);
});

/**
 * Takes the intervals, which renew leases, out of real time. The function lets a third of a lease pass, by the clock and for the
 * database, and then an interval end.
 */
function holdRenewals(jump: (ms: number) => void) {
  const timers = ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] as const;
  const others = ['Date', 'hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const;
  jest.useFakeTimers({ doNotFake: [...timers, ...others] });
  return async () => {
    const thirdMs = leaseMs / 3;
    jump(thirdMs);
    await events().updateMany({ state: 'processing' }, [
      { $set: { dueAt: { $subtract: ['$dueAt', thirdMs] } } },
    ]);
    jest.advanceTimersByTime(thirdMs);
  };
}

test('a set that takes longer than its lease renews it, and no other worker claims its events', async () => {
  const id = await context.send(await context.addWebhook(), lead('e1'));
  const { clock, jump } = jumpyClock();
  let renewals = 0;
  let renewed = () => {};
  const stores = surrounded(async (name, run) => {
    const result = await run();
    if (name === 'contacts.applyChanges') {
      for (let third = 0; third < 4; third += 1) {
        const isRenewed = new Promise<void>((resolve) => (renewed = resolve));
        await letThirdPass();
        await isRenewed;
      }
      // Four thirds of a lease have passed.
      await context.processEvents([id]);
    }
    if (name === 'events.renew') {
      renewals += 1;
      setImmediate(renewed);
    }
    return result;
  });
  const letThirdPass = holdRenewals(jump);
  await context.newProcessing({ stores, clock, leaseMs })([id]);
  expect(renewals).toBe(4);
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'done',
    attempts: 1,
    fence: 1,
  });
  expect((await context.snapshot()).messages).toBe(1);
});

test('an event that a renewal finds claimed by another worker has no further effects, and the others go on', async () => {
  const webhook = await context.addWebhook();
  const taken = await context.send(webhook, lead('taken', 1));
  const kept = await context.send(webhook, lead('kept', 2));
  const { clock, jump } = jumpyClock();
  let noticed = () => {};
  const isNoticed = new Promise<void>((resolve) => (noticed = resolve));
  const stores = surrounded(async (name, run) => {
    const result = await run();
    if (name === 'contacts.applyChanges') {
      await events().updateOne({ _id: taken }, { $inc: { fence: 1 } });
      await letThirdPass();
      await isNoticed;
    }
    if (name === 'events.renew' && (result as Set<string>).size > 0) setImmediate(noticed);
    return result;
  });
  const letThirdPass = holdRenewals(jump);
  await context.newProcessing({ stores, clock, leaseMs })([taken, kept]);
  expect(await context.stores.events.get(kept)).toMatchObject({ state: 'done' });
  expect(await context.stores.events.get(taken)).toMatchObject({ state: 'processing', fence: 2 });
  const messages = await collectionOf<{ _id: string; eventId: string }>(
    context.connection,
    'messages',
  )
    .find({})
    .toArray();
  expect(messages.map(({ eventId }) => eventId)).toEqual([kept]);
});

test('an outcome that the database rejects at first is retried while the lease lasts', async () => {
  const id = await context.send(await context.addWebhook(), lead('e1'));
  let refusals = 0;
  const stores = surrounded((name, run) =>
    name === 'events.finish' && (refusals += 1) <= 2
      ? Promise.reject(new AppError('unavailable'))
      : run(),
  );
  await context.newProcessing({ stores })([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test('an outcome whose answer was lost counts as written', async () => {
  const id = await context.send(await context.addWebhook(), lead('e1'));
  const answers: unknown[] = [];
  const stores = surrounded(async (name, run) => {
    const result = await run();
    if (name !== 'events.finish') return result;
    answers.push(result);
    if (answers.length === 1) throw new AppError('unavailable');
    return result;
  });
  await context.newProcessing({ stores })([id]);
  expect(answers).toEqual([new Set(), new Set()]);
  expect((await context.stores.events.get(id))?.timeline.map(({ state }) => state)).toEqual([
    'received',
    'processing',
    'done',
  ]);
});

test('a body of a thousand items is stored in hundreds; a crash between them loses and duplicates none', async () => {
  const webhook = await context.addWebhook({ ...leadMapping, split: 'items' });
  const items = Array.from({ length: 1_000 }, (_, n) => ({ id: `i${n}`, lead: { id: `p${n}` } }));
  const parent = await context.send(webhook, { items });
  const sizes: number[] = [];
  let die = () => {};
  const died = new Promise<void>((resolve) => (die = resolve));
  const insert: Stores['events']['insert'] = async (records) => {
    sizes.push(records.length);
    const result = await context.stores.events.insert(records);
    if (sizes.length < 3) return result;
    die();
    return never();
  };
  const dying = { ...context.stores, events: { ...context.stores.events, insert } };
  void context.newProcessing({ stores: dying })([parent]);
  await died;
  expect(sizes).toEqual([100, 100, 100]);
  await endLeases();
  await context.processEvents([parent]);
  expect(await events().countDocuments({ parentId: parent })).toBe(1_000);
  expect(await events().countDocuments({ parentId: parent, deliveries: 1 })).toBe(1_000);
  expect(await context.stores.events.get(parent)).toMatchObject({ state: 'done', items: 1_000 });
});
