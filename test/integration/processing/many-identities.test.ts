// A sender that gives one person another id in each event: the contact stays of a size that people can read, move and erase.
import { maxIdentities } from '../../../src/domain/people/contact.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';

jest.setTimeout(120_000);

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('many-identities');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());

const phone = '+55 11 90000-0001';
const sendAll = (numbers: readonly number[]) =>
  Promise.all(
    numbers.map((n) => context.send(webhook, { id: `e${n}`, lead: { id: `L${n}`, phone } })),
  );

test('beyond the limit an event finds its contact by another identity, adds none and says so', async () => {
  const numbers = Array.from({ length: maxIdentities + 5 }, (_, n) => n);
  const [first = '', ...ids] = await sendAll(numbers);
  await context.processEvents([first]);
  for (let from = 0; from < ids.length; from += 100)
    await context.processEvents(ids.slice(from, from + 100));
  const events = await context.stores.events.getMany([first, ...ids]);
  expect(new Set(events.map(({ state }) => state))).toEqual(new Set(['done']));
  expect(new Set(events.map(({ effects }) => effects?.contactId)).size).toBe(1);
  const left = events.filter(({ problems }) =>
    problems.some(({ code }) => code === 'too_many_identities'),
  );
  // One of the identities is the phone.
  expect(left).toHaveLength(numbers.length + 1 - maxIdentities);
  const rows = collectionOf(context.connection, 'identities');
  expect(await rows.countDocuments({})).toBe(maxIdentities);
});
