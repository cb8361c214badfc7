// A restore returns the whole database to one moment. Events acknowledged later are lost with their effects, so sending
// them again duplicates nothing. A restore of some collections only does duplicate effects.
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { getEventMessages } from '../../../src/store/chats/messages.ts';

let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('restore');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(() => context.clear());

const lead = (n: number) => ({
  id: `e${n}`,
  at: `2026-01-0${n}T12:00:00Z`,
  text: `hello ${n}`,
  lead: { id: `crm-${n % 2}`, name: `Person ${n}`, phone: `+55 11 9${70_000_000 + (n % 2)}` },
  label: `Label ${n}`,
});
const send = (n: number) => context.send(webhook, lead(n));

type Copy = ReadonlyMap<string, readonly { _id: string }[]>;
const made = ['events', 'identities', 'contacts', 'conflicts', 'chats', 'messages', 'labels'];

async function backUp(): Promise<Copy> {
  const copies = made.map(async (name) => {
    const documents = await collectionOf(context.connection, name).find().toArray();
    return [name, documents] as const;
  });
  return new Map(await Promise.all(copies));
}

async function restore(copy: Copy, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const collection = collectionOf(context.connection, name);
    await collection.deleteMany({});
    const documents = copy.get(name) ?? [];
    if (documents.length > 0) await collection.insertMany([...documents]);
  }
}

/** At the backup, one and two are done and three is open. Four is received later, and all are finally done. */
async function live(): Promise<{ copy: Copy; three: string }> {
  await context.processEvents([await send(1), await send(2)]);
  const three = await send(3);
  const copy = await backUp();
  await context.processEvents([three, await send(4)]);
  return { copy, three };
}

/** Processes with workers started after the restore: earlier ones have caches of deleted labels. */
async function sendAllAgain(): Promise<void> {
  const work = context.newProcessing({ stores: createStores(context.connection) });
  for (const n of [1, 2, 3, 4]) await work([await send(n)]);
}

test('after a restore of everything, events sent again have their effects once', async () => {
  const { copy, three } = await live();
  const before = await context.snapshot();
  await restore(copy, made);
  await sendAllAgain();
  expect(await context.snapshot()).toEqual(before);
  // An event that was open at the backup keeps the id of its message, which is its idempotency key at a destination.
  expect(await getEventMessages(context.stores, [three])).toHaveLength(1);
});

test('a restore of the events collection alone duplicates the effects of later events, so it is never done', async () => {
  const { copy } = await live();
  await restore(copy, ['events']);
  await sendAllAgain();
  expect((await context.snapshot()).messages).toBe(5);
});
