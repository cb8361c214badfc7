// The verification of a restored database finds events whose messages are missing, also among old events.
import { createDatabaseVerification } from '../../../src/admin/database.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../../src/store/db/connection.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let webhook: Webhook;
let ids: string[] = [];

const count = 120;
const hourMs = 3_600_000;
const start = Date.UTC(2026, 0, 1);
const hours = (n: number) => new Date(start + n * hourMs);

/** Events are finished once an hour. */
beforeAll(async () => {
  context = await createTestContext('verify_effects');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.clear();
  ids = [];
  for (let n = 0; n < count; n += 1) {
    ids.push(await context.send(webhook, { id: `e${n}`, text: 'hello', lead: { id: `p${n}` } }));
  }
  for (let n = 0; n < count; n += 40) await context.processEvents(ids.slice(n, n + 40));
  for (const [n, _id] of ids.entries()) {
    await collectionOf(context.connection, 'events').updateOne(
      { _id },
      { $set: { receivedAt: hours(n) } },
    );
  }
});

/** `over` replaces one of the ways in which events are chosen. */
async function verify(over: Partial<TestContext['stores']['events']> = {}) {
  const { stores } = context;
  const verification = createDatabaseVerification({
    ...stores,
    ...context.newResources(),
    events: { ...stores.events, ...over },
  } as never);
  const { findings } = await verification.verify({ records: true });
  return findings.find(({ check }) => check === 'events');
}

const lose = (from: number, to: number) =>
  collectionOf(context.connection, 'messages').deleteMany({ _id: { $in: ids.slice(from, to) } });

test('events that have their effects are no problem', async () => {
  expect(await verify()).toMatchObject({
    result: 'ok',
    text: { en: `${count} of ${count} finished events of the whole time have their effects.` },
  });
});

test('the loss of one old message among many is found by the random events', async () => {
  await lose(3, 4);
  const page: TestContext['stores']['events']['page'] = (filter, options) =>
    context.stores.events.page(filter, { ...options, limit: 1 });
  expect(await verify({ page })).toMatchObject({ result: 'problem' });
});

test.each([0, 30, 60])(
  'the loss of a time from hour %i on is found by the parts of the time',
  async (hour) => {
    await lose(hour, hour + 10);
    expect(await verify({ sampleDone: () => Promise.resolve([]) })).toMatchObject({
      result: 'problem',
      advice: { en: 'The backup was not taken at one point in time.' },
    });
  },
);
