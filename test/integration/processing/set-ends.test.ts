// How a set ends beside its transaction: by its expiry, by the death of its worker, by the loss of its document or of an answer. Each of
// its events is processed once, and no other event suffers.
import type { Clock } from '../../../src/base/clock.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { maxIsolatedCrashes } from '../../../src/domain/events/outcome.ts';
import { startSetExpiry } from '../../../src/processing/sets/expire-sets.ts';
import { maxTries } from '../../../src/processing/sets/retry-conflicts.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { dyingAt, setSteps } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import { losingCommits } from '../../support/context/lost-commits.ts';
import {
  createField,
  eventOf,
  otherPhone,
  phone,
  type Field,
} from '../../support/context/race-field.ts';
import { expectSound } from '../../support/context/race-state.ts';
import { processOpen } from '../../support/context/races.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';

jest.setTimeout(300_000);

let field: Field;
beforeAll(async () => {
  field = await createField('set_ends');
});
afterAll(() => field.context.close());
beforeEach(() => field.clear());

const connection = () => field.context.connection;
const events = () => collectionOf<EventRecord>(connection(), 'events');
const getMany = (ids: readonly string[]) => field.stores.events.getMany([...ids]);
const countMessages = () => collectionOf(connection(), 'messages').countDocuments({});

/** Two events of two people, one of whom is known. */
async function sendTwo(): Promise<string[]> {
  await field.tell(eventOf(1, { phone }));
  return [
    await field.send(eventOf(2, { phone })),
    await field.send(eventOf(3, { phone: otherPhone })),
  ];
}

const stops = setSteps.map((step, stop) => [step, stop] as const);

test.each(stops)(
  'a set that expires while its worker is before the step %s is committed or expired, not both',
  async (step, stop) => {
    const ids = await sendTwo();
    const worker = await startSteppedWorker(field.context, ids);
    for (let n = 0; n < stop; n += 1) await worker.step();
    await endSets(connection());
    await worker.toEnd();
    await processOpen(field.context);
    const attempts = step === 'committed' ? 1 : 2;
    for (const event of await getMany(ids))
      expect(event).toMatchObject({ state: 'done', attempts, crashes: 0, fence: attempts });
    expect(await countMessages()).toBe(3);
    await expectSound(field);
  },
);

test.each(stops)(
  'a worker that dies before the step %s leaves no lock after its expiry, and no event of its set nearer to dead',
  async (step) => {
    const ids = await sendTwo();
    const dying = dyingAt(step);
    void field.context.newProcessing({ onStep: dying.onStep })(ids);
    await dying.died;
    await endSets(connection());
    await field.tell(eventOf(4, { phone }));
    await processOpen(field.context);
    for (const event of await getMany(ids))
      expect(event).toMatchObject({ state: 'done', crashes: 0 });
    expect(await countMessages()).toBe(4);
    await expectSound(field);
  },
);

/** A worker that takes the events dies. */
async function crash(ids: readonly string[]): Promise<void> {
  const dying = dyingAt('begin');
  void field.context.newProcessing({ onStep: dying.onStep })(ids);
  await dying.died;
}

const loseSets = () => collectionOf(connection(), 'sets').deleteMany({});

test('an event that ends its worker is dead within the bound, also when its set is lost once, and its neighbour is done', async () => {
  const [poison = '', other = ''] = await sendTwo();
  await crash([poison, other]);
  await endSets(connection());
  await field.process(other);
  await crash([poison]);
  await loseSets();
  for (let crashes = 0; crashes < maxIsolatedCrashes; crashes += 1) {
    expect(await field.stores.events.get(poison)).toMatchObject({ state: 'received', crashes });
    await crash([poison]);
    await endSets(connection());
  }
  expect(await getMany([poison, other])).toMatchObject([
    { state: 'dead', reason: 'crashed_worker' },
    { state: 'done', crashes: 0 },
  ]);
});

test('an event that ends two workers at once, after the loss of its set, counts both and is dead within the bound', async () => {
  const id = await field.send(eventOf(2, { phone }));
  await crash([id]);
  const lost = await listSets(connection());
  await loseSets();
  await crash([id]);
  await collectionOf<{ _id: string }>(connection(), 'sets').insertMany([...lost]);
  await endSets(connection());
  expect(await field.stores.events.get(id)).toMatchObject({ state: 'received', crashes: 2 });
  await crash([id]);
  await endSets(connection());
  expect(await field.stores.events.get(id)).toMatchObject({ state: 'dead', attempts: 3 });
  await expectSound(field);
});

const leaseMs = 60_000;

/** A clock that the test moves, and a connection that the test takes away. */
function faulty() {
  let nowMs = 0;
  let isAway = false;
  const clock: Clock = { now: () => systemClock.now(), elapsedMs: () => nowMs };
  const client = connection().getClient();
  const away = () => {
    throw new Error('The database is away.');
  };
  const losing = {
    startSession: client.startSession.bind(client),
    withSession: client.withSession.bind(client),
    db(name?: string, options?: object) {
      const db = client.db(name, options);
      return Object.create(db, {
        collection: { value: (its: string) => (isAway ? away() : db.collection(its)) },
      }) as typeof db;
    },
  };
  return {
    clock,
    connection: Object.create(connection(), { getClient: { value: () => losing } }) as ReturnType<
      typeof connection
    >,
    pass: (ms: number) => void (nowMs += ms),
    setAway: (its: boolean) => void (isAway = its),
  };
}

test('an outage that is longer than a lease expires no set; a worker that shows nothing for a lease after it does', async () => {
  const ids = await sendTwo();
  const worker = await startSteppedWorker(field.context, ids);
  const { clock, pass, setAway, connection: faultyConnection } = faulty();
  const queue = { hint: () => {} };
  const parts = { metrics: createMetrics(), logger: silentLogger(), connection: faultyConnection };
  const expiry = startSetExpiry({ ...parts, queue, leaseMs, clock });
  const tick = async (ms: number) => {
    pass(ms);
    await expiry.tick();
    return (await listSets(connection())).length;
  };
  try {
    expect(await tick(0)).toBe(1);
    setAway(true);
    expect(await tick(leaseMs / 2)).toBe(1);
    expect(await tick(leaseMs)).toBe(1);
    setAway(false);
    expect(await tick(1)).toBe(1);
    expect(await tick(leaseMs - 1)).toBe(1);
    for (const event of await getMany(ids)) expect(event).not.toHaveProperty('alone');
    expect(await tick(1)).toBe(0);
  } finally {
    await expiry.close();
  }
  for (const event of await getMany(ids)) expect(event).toMatchObject({ attempts: 1, alone: true });
  await worker.toEnd();
  await processOpen(field.context);
  await expectSound(field);
});

test.each([
  ['once', 'answer', 1],
  ['always', 'answer', undefined],
  ['once, and the command too', 'command', 1],
  ['always, and the command too', 'command', undefined],
] as const)(
  'when the answer of a commit is lost %s, the effects and the outcome are there once, and the outcome is counted once',
  async (_often, lost, times) => {
    const ids = await sendTwo();
    const hinted: string[] = [];
    const outcomes: string[] = [];
    const queue = {
      hint: ({ groups }: { groups: readonly { eventIds: readonly string[] }[] }) =>
        void hinted.push(...groups.flatMap(({ eventIds }) => eventIds)),
    };
    const losing = losingCommits(connection(), lost, times);
    await field.context.newProcessing({
      stores: { ...field.stores, connection: losing },
      queue,
      recordOutcome: ({ _id }) => void outcomes.push(_id),
    })(ids);
    expect(await listSets(connection())).toEqual([]);
    // The command is sent again.
    const isCommitted = lost === 'answer' || times === 1;
    expect(outcomes).toEqual(isCommitted ? ids : []);
    expect(hinted).toEqual(isCommitted ? [] : ids);
    for (const event of await getMany(ids))
      expect(event).toMatchObject({ attempts: isCommitted ? 1 : 0 });
    // The locks are free.
    await field.tell(eventOf(4, { phone }));
    await processOpen(field.context);
    for (const event of await getMany(ids))
      expect(event).toMatchObject({ state: 'done', attempts: 1 });
    expect(await countMessages()).toBe(4);
    await expectSound(field);
  },
);

const senders = 20;
const maxResends = 400;

/** Resends of the event, one after the other from each of many senders, until `end` is called. */
async function startResends(id: string) {
  const [event] = await getMany([id]);
  if (!event) throw new Error('The event is gone.');
  const resend = { ...event, dedupKeys: event.dedupKeys ?? [], revivedState: 'received' as const };
  let isOver = false;
  let count = 0;
  async function send(): Promise<void> {
    for (let n = 0; n < maxResends && !isOver; n += 1) {
      count += 1;
      await field.stores.events.countResends([resend]);
    }
  }
  const sending = Promise.all(Array.from({ length: senders }, send));
  return async function end(): Promise<number> {
    isOver = true;
    await sending;
    return count;
  };
}

test.each([
  ['one event', eventOf(2, { phone }), 'webhook'],
  ['one body that is split', { items: [eventOf(2, { phone })] }, 'splitting'],
] as const)(
  'a stream of resends of %s does not keep it from being committed within five tries, and all are counted',
  async (_what, payload, to) => {
    const id = await field.send(payload, field[to]);
    // Without an id of its own, a body is never resent.
    await events().updateOne({ _id: id }, { $set: { dedupKeys: ['key'] } });
    const metrics = createMetrics();
    const end = await startResends(id);
    await field.context.newProcessing({ metrics })([id]);
    const sent = await end();
    const [{ value: conflicts } = { value: 0 }] = (await metrics.setConflicts.get()).values;
    expect(conflicts).toBeLessThan(maxTries);
    const done = { state: 'done', attempts: 1, deliveries: sent + 1 };
    expect(await field.stores.events.get(id)).toMatchObject(done);
    await processOpen(field.context);
    await expectSound(field);
  },
);

test('ten workers with events of one person come to an end, and the other person in one of their sets does not wait', async () => {
  const ids: string[] = [];
  for (let n = 0; n < 10; n += 1)
    ids.push(await field.send({ ...eventOf(1, { phone }), id: `t${n}` }));
  const other = await field.send(eventOf(2, { phone: otherPhone }));
  await Promise.all(ids.map((id, n) => field.process(id, ...(n === 0 ? [other] : []))));
  expect(await field.stores.events.get(other)).toMatchObject({ state: 'done', attempts: 1 });
  await processOpen(field.context);
  expect(await events().countDocuments({ state: 'done' })).toBe(11);
  expect(await countMessages()).toBe(11);
  expect((await field.context.snapshot()).contacts).toHaveLength(2);
  await expectSound(field);
});
