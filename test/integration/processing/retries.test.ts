// The number and times of retries of a failed event: the default schedule, that of a webhook, and Retry-After.
import { AppError } from '../../../src/base/errors.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { RetrySettings } from '../../../src/domain/webhooks/retries.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { SetStep } from '../../../src/processing/sets/commit-part.ts';
import { eventIdsOf, type ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { listSets } from '../../../src/store/sets/sets.ts';
import { dyingAt } from '../../support/context/crash-points.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { getWebhook, updateWebhookSettings } from '../../../src/store/webhooks/webhooks.ts';

let context: TestContext;
beforeAll(async () => {
  context = await createTestContext('retries');
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const actor = { tokenId: 'test', name: 'test' };
const lead = (id: string) => ({
  id,
  text: 'hello',
  lead: { name: 'Ana', phone: '+55 11 90000-0001' },
});
const events = () => collectionOf<EventRecord>(context.connection, 'events');

async function addWebhook(retries?: RetrySettings, mapping = leadMapping): Promise<Webhook> {
  return configure(await context.addWebhook(mapping), retries);
}

async function configure({ _id }: Webhook, retries?: RetrySettings): Promise<Webhook> {
  const webhook = await getWebhook(context.stores, _id);
  if (!webhook) throw new Error('The webhook is gone.');
  const settings = retries ? { retries } : {};
  const given = { producerProfile: 'generic', settings };
  return valueOf(await updateWebhookSettings(context.stores, { webhook, given }, actor));
}

/** Makes each event due and runs a worker whose sets all fail. */
async function fail(id: string, error: Error = new Error('boom')): Promise<EventRecord | null> {
  await events().updateOne({ _id: id }, { $set: { dueAt: null } });
  const onStep = (step: SetStep) => (step === 'write' ? Promise.reject(error) : Promise.resolve());
  await context.newProcessing({ onStep, random: () => 1 })([id]);
  return context.stores.events.get(id);
}

/** Returns the wait of the event from the failure. */
const waitOf = (event: EventRecord | null): number =>
  (+(event?.dueAt ?? 0) - +(event?.timeline.at(-1)?.at ?? 0)) / 1_000;

test('a failing event waits longer each time and is dead after its ninth attempt', async () => {
  const id = await context.send(await addWebhook(), lead('e1'));
  const waits: number[] = [];
  for (let attempt = 1; attempt < 9; attempt += 1) {
    const event = await fail(id);
    expect(event).toMatchObject({ state: 'waiting', attempts: attempt });
    waits.push(waitOf(event));
  }
  expect(waits).toEqual([5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000]);
  expect(await fail(id)).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent:internal_error',
    attempts: 9,
  });
});

test('a webhook’s limit of attempts at receipt applies to an event, not a limit set later', async () => {
  const webhook = await addWebhook({ maxAttempts: 2 });
  const early = await context.send(webhook, lead('e1'));
  const late = await context.send(await configure(webhook), lead('e2'));
  expect(await fail(early)).toMatchObject({ state: 'waiting', maxAttempts: 2 });
  expect(await fail(early)).toMatchObject({ state: 'dead', attempts: 2 });
  await fail(late);
  const event = await fail(late);
  expect(event).toMatchObject({ state: 'waiting', attempts: 2 });
  expect(event).not.toHaveProperty('maxAttempts');
});

test('a worker that crashes on the last attempt of a webhook’s own limit leaves nothing open', async () => {
  const id = await context.send(await addWebhook({ maxAttempts: 1 }), lead('e1'));
  const { onStep, died } = dyingAt('write');
  void context.newProcessing({ onStep })([id]);
  await died;
  await endSets(context.connection);
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'dead',
    reason: 'attempts_spent',
    attempts: 1,
  });
});

test('a resend that revives an event gives it the current limit', async () => {
  const webhook = await addWebhook({ maxAttempts: 1 });
  const id = await context.send(webhook, lead('e1'));
  expect(await fail(id)).toMatchObject({ state: 'dead' });
  await context.send(await configure(webhook, { maxAttempts: 3 }), lead('e1'));
  expect(await context.stores.events.get(id)).toMatchObject({
    state: 'received',
    attempts: 0,
    maxAttempts: 3,
  });
  await fail(id);
  expect(await fail(id)).toMatchObject({ state: 'waiting', attempts: 2 });
});

test('items of a split body have their webhook’s limit', async () => {
  const webhook = await addWebhook({ maxAttempts: 4 }, { ...leadMapping, split: 'items' });
  const parent = await context.send(webhook, { items: [lead('a')] });
  await context.processEvents([parent]);
  expect(await events().findOne({ parentId: parent })).toMatchObject({ maxAttempts: 4 });
});

test('the waits are those of the webhook’s current settings', async () => {
  const id = await context.send(await addWebhook({ delaysSeconds: [60, 3_600] }), lead('e1'));
  expect(waitOf(await fail(id))).toBe(60);
  expect(waitOf(await fail(id))).toBe(3_600);
});

test('a database that is away for longer than a lease costs no attempt, and the event is hinted', async () => {
  const id = await context.send(await addWebhook(), lead('e1'));
  const onStep = (step: SetStep) =>
    step === 'write' ? Promise.reject(new AppError('unavailable')) : Promise.resolve();
  const jobs: ProcessEventsJob[] = [];
  const queue = { hint: (job: ProcessEventsJob) => void jobs.push(job) };
  await context.newProcessing({ onStep, queue, leaseMs: 200 })([id]);
  expect(await context.stores.events.get(id)).toMatchObject({ state: 'received', attempts: 0 });
  expect(await listSets(context.connection)).toEqual([]);
  expect(jobs.flatMap(eventIdsOf)).toEqual([id]);
});

test('an event whose writes the database rejects waits, and the others are done', async () => {
  const webhook = await addWebhook();
  const ids = [await context.send(webhook, lead('r1')), await context.send(webhook, lead('r2'))];
  const db = context.connection.getClient().db(context.connection.name);
  const accept = (validator: object) => db.command({ collMod: 'events', validator });
  await accept({ $or: [{ externalId: { $ne: 'r2' } }, { state: { $ne: 'done' } }] });
  try {
    await context.newProcessing()(ids);
  } finally {
    await accept({});
  }
  const states = await context.stores.events.getMany(ids);
  expect(states).toMatchObject([
    { state: 'done', attempts: 1 },
    { state: 'waiting', attempts: 1, reason: 'internal_error' },
  ]);
});
