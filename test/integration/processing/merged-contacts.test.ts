// Merging and unmerging contacts in a real database: exact inverses, one open chat, no cycles, and workers during a
// merge.
import fc from 'fast-check';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { ContactRecord } from '../../../src/domain/people/contact.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { readCollections, type Document } from '../../support/services/documents.ts';
import { startSteppedWorker } from '../../support/context/stepped-worker.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { valueOf } from '../../support/context/value-of.ts';

const actor = { tokenId: 'test', name: 'test' };
let context: TestContext;
let webhook: Webhook;
beforeAll(async () => {
  context = await createTestContext('merging');
  webhook = await context.addWebhook();
});
afterAll(() => context.close());
beforeEach(async () => {
  await context.clear();
  await collectionOf(context.connection, 'merges').deleteMany({});
});

const collections = [
  'contacts',
  'identities',
  'chats',
  'messages',
  'labels',
  'conflicts',
  'events',
] as const;

async function everything() {
  const found = await readCollections(context.connection, collections);
  for (const name of collections) found[name].sort((a, b) => (a._id < b._id ? -1 : 1));
  return found;
}

const contacts = () => collectionOf<ContactRecord>(context.connection, 'contacts');
const chats = () => collectionOf<ChatRecord>(context.connection, 'chats');

let sent = 0;
/** An event of one of these people, who have different email addresses. */
async function tell(person: number, over: object = {}): Promise<void> {
  sent += 1;
  const lead = { name: `Person ${person}, told ${sent}`, email: `p${person}@example.com`, ...over };
  const at = new Date(Date.UTC(2026, 0, 1) + sent * 60_000).toISOString();
  const payload = { id: `e${sent}`, at, text: `hello ${sent}`, lead, label: `L${sent % 3}` };
  await context.processEvents([await context.send(webhook, payload)]);
}

async function idOf(person: number): Promise<string> {
  const { people } = context.stores;
  const [id = ''] = await people.findByIdentity({
    kind: 'email',
    values: [`p${person}@example.com`],
  });
  return id;
}

async function merge(into: string, from: string): Promise<string> {
  return valueOf(await context.stores.people.merge(into, from, actor))._id;
}

async function expectSound(): Promise<void> {
  const { messages, chats: all, contacts: people } = await everything();
  const mergedInto = new Map(
    people.map(({ _id, mergedInto: into }) => [_id, into as string | undefined]),
  );
  const rootOf = (id: string): string => {
    const into = mergedInto.get(id);
    return into === undefined ? id : rootOf(into);
  };
  const owners = all
    .filter((chat) => chat.open === true && !chat.forwardsTo)
    .map(({ contactId }) => rootOf(String(contactId)));
  expect(new Set(owners).size).toBe(owners.length);
  for (const { chatId, contactId } of messages) {
    const chat = all.find(({ _id }) => _id === chatId);
    expect(rootOf(String(chat?.contactId))).toBe(rootOf(String(contactId)));
  }
}

const pick = (from: readonly string[], n: number): string => from[n % from.length] ?? '';

async function roots(): Promise<string[]> {
  const found = await contacts()
    .find({ mergedInto: { $exists: false } }, { sort: { _id: 1 } })
    .toArray();
  return found.map(({ _id }) => _id);
}

/** Four people: one without an open chat, one with a pin, two that an event bridged. */
async function gather(): Promise<void> {
  for (const person of [1, 2, 3, 4]) await tell(person, { city: `City ${person}` });
  await tell(1);
  await tell(3, { phone: '+55 11 90000-0003' });
  await tell(4, { phone: '+55 11 90000-0003' });
  await chats().updateOne(
    { contactId: await idOf(2) },
    { $set: { status: 'closed', closedAt: new Date() }, $unset: { open: '' } },
  );
  const pin = { set: { name: 'Pinned' }, pinned: ['name'], identities: [], actor };
  await context.stores.people.edit(await idOf(3), pin);
}

const numbers = fc.array(fc.nat(1_000), { minLength: 2, maxLength: 6 });

test('merges that are undone in any allowed order restore everything', async () => {
  await gather();
  await context.stores.people.edit(await idOf(1), {
    set: { 'f:city': 'Natal' },
    identities: [],
    actor,
  });
  const before = await everything();
  expect(before.conflicts).toHaveLength(1);
  await fc.assert(
    fc.asyncProperty(numbers, numbers, async (pairs, order) => {
      for (const n of pairs) {
        const standing = await roots();
        const [into, from] = [pick(standing, n), pick(standing, n >> 4)];
        if (into !== from) await merge(into, from);
      }
      await expectSound();
      for (let n = 0; ; n += 1) {
        const merged = await contacts()
          .find({ mergeId: { $exists: true } }, { sort: { _id: 1 } })
          .toArray();
        if (merged.length === 0) break;
        const { mergedInto = '', mergeId = '' } = merged[(order[n] ?? n) % merged.length] ?? {};
        const undone = await context.stores.people.unmerge(mergedInto, mergeId, actor);
        if (!undone.ok && undone.reason !== 'not_found') expect(undone.reason).toBe('merged');
      }
      expect(await everything()).toEqual(before);
    }),
    { numRuns: 4 },
  );
});

test('changes since a merge belong to the survivor: an unmerged contact has its earlier data only', async () => {
  const arrivals = fc.array(fc.tuple(fc.constantFrom(1, 2), fc.boolean()), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(fc.boolean(), arrivals, async (hasOwnChat, between) => {
      await context.clear();
      await tell(1, { city: 'Recife' });
      await tell(2);
      const [one, two] = [await idOf(1), await idOf(2)];
      if (!hasOwnChat) {
        const closed = { $set: { status: 'closed' }, $unset: { open: '' } } as const;
        await chats().updateOne({ contactId: one }, closed);
      }
      const of = async (id: string) => {
        const mine = (doc: Document) => doc.contactId === id || doc._id === id;
        const { contacts: people, chats: held, messages } = await everything();
        return [people, held, messages].map((docs) => docs.filter(mine));
      };
      const before = await of(two);
      await merge(one, two);
      for (const [person, isNews] of between) {
        await tell(person, isNews ? { city: `News ${sent}`, phone: '+55 11 90000-0009' } : {});
        await expectSound();
      }
      await context.stores.people.unmerge(one, null, actor);
      expect(await of(two)).toEqual(before);
      await expectSound();
      const messages = await collectionOf(context.connection, 'messages').countDocuments();
      expect(messages).toBe(2 + between.length);
    }),
    { numRuns: 3 },
  );
});

test('fields of a survivor have the greater stamp of both, and events write below pins', async () => {
  await tell(1, { city: 'Recife' });
  await tell(2);
  const [one, two] = [await idOf(1), await idOf(2)];
  const { people } = context.stores;
  await people.edit(two, { set: { name: 'Bia' }, pinned: ['name'], identities: [], actor });
  await merge(two, one);
  await tell(1, { city: 'Olinda', name: 'Newer' });
  const shown = await contacts().findOne({ _id: two });
  expect(shown?.registers.name?.value).toBe('Bia');
  expect(shown?.registers['f:city']?.value).toBe('Olinda');
  expect(shown?.beneath?.name?.value).toBe('Newer');
  await people.edit(two, { set: {}, pinned: [], identities: [], actor });
  expect((await contacts().findOne({ _id: two }))?.registers.name?.value).toBe('Newer');
});

test('two concurrent merges of the same two people make no cycle: one of them is rejected', async () => {
  await gather();
  const [one, two] = [await idOf(1), await idOf(2)];
  const answers = await Promise.all([
    context.stores.people.merge(one, two, actor),
    context.stores.people.merge(two, one, actor),
  ]);
  expect(answers.filter(({ ok }) => !ok)).toHaveLength(1);
  expect(await roots()).toHaveLength(3);
});

test('a merge at any step of a worker leaves one person, one open chat, one message', async () => {
  const payload = (n: number) => ({
    id: `race${n}`,
    at: `2026-02-0${n}T12:00:00Z`,
    text: `race ${n}`,
    lead: { name: `Race ${n}`, email: 'p2@example.com' },
  });
  for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
    await context.clear();
    await tell(1);
    await tell(2);
    const [one, two] = [await idOf(1), await idOf(2)];
    const id = await context.send(webhook, payload(2));
    const run = await startSteppedWorker(context, [id]);
    for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
    isAtEnd = run.isAtEnd();
    if (run.isLocking()) void run.toEnd();
    await merge(one, two);
    await run.toEnd();
    await collectionOf(context.connection, 'events').updateMany(
      { state: 'waiting' },
      { $set: { dueAt: new Date(0) } },
    );
    await context.processEvents([id]);
    expect((await context.stores.events.get(id))?.state).toBe('done');
    await expectSound();
    expect(await collectionOf(context.connection, 'messages').countDocuments()).toBe(3);
    const { people } = context.stores;
    expect(await people.unmerge(one, null, actor)).toMatchObject({ ok: true });
    await expectSound();
  }
});

test.each([1, 2])(
  'an unmerge at any step of a worker with an event of person %i leaves its message with its person',
  async (person) => {
    for (let stop = 0, isAtEnd = false; !isAtEnd; stop += 1) {
      await context.clear();
      await tell(1);
      await tell(2);
      const [one, two] = [await idOf(1), await idOf(2)];
      const closed = { $set: { status: 'closed' }, $unset: { open: '' } } as const;
      await chats().updateOne({ contactId: one }, closed);
      await merge(one, two);
      const id = await context.send(webhook, {
        id: 'race',
        at: '2026-02-01T12:00:00Z',
        text: 'race',
        lead: { name: 'Race', email: `p${person}@example.com` },
      });
      const run = await startSteppedWorker(context, [id]);
      for (let n = 0; n < stop && !run.isAtEnd(); n += 1) await run.step();
      isAtEnd = run.isAtEnd();
      if (run.isLocking()) void run.toEnd();
      expect(await context.stores.people.unmerge(one, null, actor)).toMatchObject({ ok: true });
      await run.toEnd();
      await collectionOf(context.connection, 'events').updateMany(
        { state: 'waiting' },
        { $set: { dueAt: new Date(0) } },
      );
      await context.processEvents([id]);
      expect((await context.stores.events.get(id))?.state).toBe('done');
      const { messages, chats: all } = await everything();
      for (const { chatId, contactId } of messages) {
        const chat = all.find(({ _id }) => _id === chatId);
        expect({ stop, contactId: chat?.contactId }).toEqual({ stop, contactId });
      }
      await expectSound();
      expect(messages).toHaveLength(3);
    }
  },
);

test('a reply is not stored in a chat that an unmerge gave back after the reply was addressed', async () => {
  await tell(1);
  await tell(2);
  const [one, two] = [await idOf(1), await idOf(2)];
  const closed = { $set: { status: 'closed' }, $unset: { open: '' } } as const;
  await chats().updateOne({ contactId: one }, closed);
  await merge(one, two);
  const chat = await chats().findOne({ contactId: one, open: true });
  const { _id: chatId = '', channelId = '' } = chat ?? {};
  const now = new Date();
  const reply = { chatId, channelId, contactId: one } as const;
  const content = { type: 'text', message: 'Oi' } as const;
  const stored = { typeUser: 'operator', content, date: now, createdAt: now } as const;
  const send = (of: string, id: string) =>
    context.stores.conversations.send({
      message: { _id: id, ...reply, ...stored, contactId: of },
      chatContactId: of,
    });
  expect(await send(one, 'before')).toMatchObject({ ok: true });
  valueOf(await context.stores.people.unmerge(one, null, actor));
  expect(await send(one, 'after')).toEqual({ ok: false, reason: 'moved' });
  expect(await send(two, 'again')).toMatchObject({ ok: true });
  await expectSound();
});
