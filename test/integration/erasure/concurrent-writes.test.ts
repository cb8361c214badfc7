// What workers and people write while a person is erased: none of it stays.
import { erasePerson } from '../../../src/api/people/erasures.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import type { Stores } from '../../../src/store/stores.ts';
import { createErasureContext, databaseText } from '../../support/context/erasures.ts';
import { startSteppedWorker, type SteppedWorker } from '../../support/context/stepped-worker.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let webhook: Webhook;
let erasures: ReturnType<typeof createErasureContext>;

beforeAll(async () => {
  context = await createTestContext('erasure_races');
  webhook = await context.addWebhook();
  erasures = createErasureContext(context);
});
afterAll(() => context.close());
beforeEach(clear);

async function clear(): Promise<void> {
  await context.clear();
  await erasures.records.deleteMany({});
}

const traces = /ana@example|Ana Souza|lead-ana|Recife/i;
const ana = { id: 'lead-ana', name: 'Ana Souza', email: 'ana@example.com', city: 'Recife' };
let sent = 0;
function send(lead: object): Promise<string> {
  sent += 1;
  const at = new Date(Date.UTC(2026, 0, 1) + sent * 60_000).toISOString();
  return context.send(webhook, { id: `e${sent}`, at, text: `hello from ${sent}`, lead });
}

/** Returns the contact of an event with this lead, which is processed. */
async function tell(lead: object): Promise<string> {
  const id = await send(lead);
  await context.processEvents([id]);
  return (await context.stores.events.get(id))?.effects?.contactId ?? '';
}

const contactsLeft = () =>
  collectionOf(context.connection, 'contacts').countDocuments({ erased: { $exists: false } });

/** The number of documents of a collection whose contact is erased. */
async function countErased(name: 'chats' | 'messages'): Promise<number> {
  const of = await collectionOf(context.connection, name).distinct('contactId');
  const owners = await context.stores.people.getMany(of as string[]);
  return owners.filter(({ erased }) => erased).length;
}

test('a first chat that a worker opens during the erasure of its person does not stay', async () => {
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await clear();
    await erasePerson(erasures.api, { email: ana.email }, actor);
    await erasures.records.updateOne({}, { $set: { phase: 'people', cursor: null } });
    const run = await startSteppedWorker(context, [await send(ana)]);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    if (run.isLocking()) void run.toEnd();
    await erasures.tick();
    await run.toEnd();
    await erasures.toEnd();
    expect({ stop, chats: await countErased('chats') }).toEqual({ stop, chats: 0 });
  }
});

test.each<[string, (contactId: string, other: string) => Promise<unknown>]>([
  ['is merged into another', (id, other) => context.stores.people.merge(other, id, actor)],
  [
    'is copied to another channel',
    async (id) => {
      const { channelId } = await context.addWebhook();
      return context.stores.people.counterpartIn(id, channelId, actor);
    },
  ],
])('a contact that %s just before its tombstone is erased there too', async (_what, change) => {
  const contactId = await tell(ana);
  const other = await tell({ id: 'b' });
  const left = await contactsLeft();
  await erasures.erase(contactId);
  let changed: unknown = null;
  const stores: Stores['erasures'] = {
    ...context.stores.erasures,
    async insertTombstones(...given) {
      changed ??= await change(contactId, other);
      return context.stores.erasures.insertTombstones(...given);
    },
  };
  await erasures.tick({ erasures: stores });
  await erasures.toEnd();
  expect(changed).toMatchObject({ ok: true });
  expect(await contactsLeft()).toBeLessThan(left);
  expect(await databaseText(context)).not.toMatch(traces);
});

test('an event that is taken while the tombstone is written leaves nothing of the person', async () => {
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await clear();
    await erasures.erase(await tell(ana));
    let run: SteppedWorker | null = null;
    const stores: Stores['erasures'] = {
      ...context.stores.erasures,
      async insertTombstones(...given) {
        if (!run) {
          run = await startSteppedWorker(context, [await send(ana)]);
          for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
          isAtEnd = run.isAtEnd();
          if (run.isLocking()) void run.toEnd();
        }
        return context.stores.erasures.insertTombstones(...given);
      },
    };
    await erasures.tick({ erasures: stores });
    await (run as SteppedWorker | null)?.toEnd();
    await erasures.toEnd();
    const left = (await countErased('chats')) + (await countErased('messages'));
    expect({ stop, left }).toEqual({ stop, left: 0 });
  }
});
