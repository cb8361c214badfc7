// A claimed event that will not be processed is released at once, and its attempt is given back.
import { AppError } from '../../../src/base/errors.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { collectionOf, type Connection } from '../../../src/store/db/connection.ts';
import { createStores, type Stores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('give_back');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (id: string) => ({
  id,
  text: 'hello',
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
});
const never = () => new Promise<never>(() => {});
const get = (id: string) => context.stores.events.get(id);

async function addEvents(...names: string[]): Promise<string[]> {
  const webhook = await context.addWebhook();
  return Promise.all(names.map((name) => context.send(webhook, lead(name))));
}

type Events = ReturnType<typeof collectionOf<EventRecord>>;

/** The event store over the real collection, with some calls replaced. */
function tampered(tamper: (events: Events) => Partial<Events>): Stores {
  const real = collectionOf<EventRecord>(context.connection, 'events');
  // A handle of its own: the store replaces methods of the one that it gets.
  const changed = tamper(collectionOf<EventRecord>(context.connection, 'events'));
  const collection = new Proxy(real, {
    get(target, name: keyof Events) {
      const value = changed[name] ?? target[name];
      return typeof value === 'function' ? (value as () => unknown).bind(target) : value;
    },
  });
  const client = { db: () => ({ collection: () => collection }) };
  const { name, models } = context.connection;
  const model = context.connection.model.bind(context.connection);
  const connection = { name, models, model, getClient: () => client };
  const { events } = createStores(connection as unknown as Connection);
  return { ...context.stores, events };
}

const lostAnswer = () => new AppError('unavailable', { internal: 'The answer was lost.' });

/** `updateMany` whose first call is executed, but whose answer is lost. */
const losingAnswer = (events: Events): Events['updateMany'] => {
  let calls = 0;
  return (async (...given: Parameters<Events['updateMany']>) => {
    const result = await events.updateMany(...given);
    if ((calls += 1) === 1) throw lostAnswer();
    return result;
  }) as Events['updateMany'];
};

test('a claim whose answer was lost is processed like any other', async () => {
  const [a = '', b = ''] = await addEvents('a', 'b');
  const stores = tampered((events) => ({ updateMany: losingAnswer(events) }));
  await context.newProcessing({ stores })([a, b]);
  for (const id of [a, b]) expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test('claimed events that cannot be found are released with their attempt, and the rest is processed', async () => {
  const [a = '', b = ''] = await addEvents('a', 'b');
  const stores = tampered((events) => ({
    updateMany: losingAnswer(events),
    // A read that does not find all of them yet.
    find: ((filter: { claimToken?: string }, options: object) =>
      events.find(filter.claimToken ? { ...filter, _id: a } : filter, options)) as Events['find'],
  }));
  await context.newProcessing({ stores })([a, b]);
  expect(await get(a)).toMatchObject({ state: 'done' });
  const given = await get(b);
  expect(given).toMatchObject({ state: 'received', attempts: 0, dueAt: null, open: true });
  expect(given).not.toHaveProperty('claimToken');
  await context.processEvents([b]);
  expect(await get(b)).toMatchObject({ state: 'done', attempts: 1 });
});

test('a claim made while the database became unavailable is released when it answers again', async () => {
  const [a = '', b = ''] = await addEvents('a', 'b');
  let tries = 0;
  const real = context.stores.events;
  const events: Stores['events'] = {
    ...real,
    claim: async (...given) => {
      await real.claim(...given);
      throw lostAnswer();
    },
    release: async (...given) => {
      if ((tries += 1) <= 2) throw lostAnswer();
      return real.release(...given);
    },
  };
  const processing = context.newProcessing({ stores: { ...context.stores, events } });
  await expect(processing([a, b])).rejects.toThrow('lost');
  expect(tries).toBe(3);
  for (const id of [a, b]) expect(await get(id)).toMatchObject({ state: 'received', attempts: 0 });
});

test('only the holder of the token can release', async () => {
  const [id = ''] = await addEvents('a');
  await context.stores.events.claim([id], { token: 'mine', leaseMs: 60_000 });
  await context.stores.events.release('another', [id]);
  expect(await get(id)).toMatchObject({ state: 'processing', attempts: 1 });
});

type Point = readonly [store: keyof Stores, call: string, passes: number];
type Call = (...given: unknown[]) => Promise<unknown>;

/** A worker that hangs in the named store calls after the first few. `reached` resolves at the first hanging call. */
function stuckAt(...points: readonly Point[]) {
  let reach = () => {};
  const stuck = points.map(([store, call, passes]) => {
    const calls = context.stores[store] as unknown as Record<string, Call>;
    let passed = 0;
    const hang: Call = (...given) => {
      if ((passed += 1) <= passes) return calls[call]?.(...given) ?? never();
      reach();
      return never();
    };
    return [store, { ...calls, [call]: hang }];
  });
  const stores = { ...context.stores, ...Object.fromEntries(stuck) } as Stores;
  const jobs: ProcessEventsJob[] = [];
  const queue = { hint: (job: ProcessEventsJob) => void jobs.push(job) };
  const worker = context.newProcessor({ stores, queue });
  async function workUntilStuck(ids: readonly string[]): Promise<void> {
    const reached = new Promise<void>((resolve) => (reach = resolve));
    void worker.processEvents(ids);
    await reached;
  }
  return { ...worker, workUntilStuck, jobs };
}

const hour = 3_600_000;

test('a worker that shuts down releases events without effects, and reports it', async () => {
  const [a = '', b = ''] = await addEvents('a', 'b');
  const worker = stuckAt(['channels', 'get', 0]);
  await worker.workUntilStuck([a, b]);
  await worker.drain(never(), { unbegunMs: 0, allMs: 0 });
  for (const id of [a, b]) expect(await get(id)).toMatchObject({ state: 'received', attempts: 0 });
  expect(worker.jobs.flatMap(eventIdsOf).toSorted()).toEqual([a, b].toSorted());
});

test('events with effects are released last, and their effects are found', async () => {
  const [begun = ''] = await addEvents('a');
  const [unbegun = ''] = await addEvents('b');
  const worker = stuckAt(['chats', 'open', 0], ['identities', 'findOwners', 1]);
  await worker.workUntilStuck([begun]);
  await worker.workUntilStuck([unbegun]);
  await worker.drain(never(), { unbegunMs: 0, allMs: 0 });
  expect(worker.jobs.map(eventIdsOf)).toEqual([[unbegun], [begun]]);
  for (const id of [begun, unbegun]) {
    expect(await get(id)).toMatchObject({ state: 'received', attempts: 0 });
    await context.processEvents([id]);
    expect(await get(id)).toMatchObject({ state: 'done' });
  }
  expect((await context.snapshot()).messages).toBe(2);
});

test('a worker without events releases nothing and does not wait', async () => {
  const [id = ''] = await addEvents('a');
  const worker = context.newProcessor();
  await worker.drain(worker.processEvents([id]), { unbegunMs: hour, allMs: hour });
  expect(await get(id)).toMatchObject({ state: 'done', attempts: 1 });
});

test('a worker that shuts down claims nothing more', async () => {
  const [id = ''] = await addEvents('a');
  const worker = context.newProcessor();
  await worker.drain(never(), { unbegunMs: 0, allMs: 0 });
  await worker.processEvents([id]);
  expect(await get(id)).toMatchObject({ state: 'received', attempts: 0, fence: 0 });
});

test('events claimed just as the drain ends are released', async () => {
  const [id = ''] = await addEvents('a');
  let drain = () => Promise.resolve();
  const { claim } = context.stores.events;
  const late: Stores['events']['claim'] = async (...given) => {
    await drain();
    return claim(...given);
  };
  const stores = { ...context.stores, events: { ...context.stores.events, claim: late } };
  const worker = context.newProcessor({ stores });
  drain = () => worker.drain(never(), { unbegunMs: 0, allMs: 0 });
  await worker.processEvents([id]);
  expect(await get(id)).toMatchObject({ state: 'received', attempts: 0, fence: 1 });
});
