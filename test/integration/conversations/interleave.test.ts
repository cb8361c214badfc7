// Events and people at the same time, in random rounds of concurrent steps: whatever the order, a person has one open chat at
// most, every event and every acknowledged reply is one message, and no message came into a chat after it was closed.
import fc from 'fast-check';
import type { ChatRecord } from '../../../src/domain/messages/chat.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import { newId } from '../../../src/base/ids.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { useConversations } from '../../support/context/conversations.ts';

const { api, agent, sector, lead, call } = useConversations('conversation_interleave');

const agents: string[] = [];
let sectorId = '';
beforeAll(async () => {
  agents.push(await agent('Bia'), await agent('Caio'));
  sectorId = await sector();
});

const steps = ['event', 'event', 'take', 'close', 'send', 'transfer', 'start', 'label'] as const;
const step = fc.record({
  kind: fc.constantFrom(...steps),
  person: fc.constantFrom('ana', 'rui'),
  by: fc.constantFrom(0, 1),
});
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

type Round = {
  readonly contacts: Map<string, string>;
  readonly effects: { readonly chatId: string; readonly contactId: string }[];
  /** Texts of replies that were answered 201. */
  readonly sent: string[];
};

const chats = () => collectionOf<ChatRecord>(api().connection, 'chats');
const messages = () => collectionOf<MessageRecord>(api().connection, 'messages');

async function perform({ kind, person, by }: Step, state: Round): Promise<void> {
  if (kind === 'event') {
    state.effects.push(await lead(person));
    return;
  }
  const contactId = state.contacts.get(person) ?? '';
  const as = agents[by] ?? '';
  if (kind === 'start') {
    const { channelId = '' } = (await chats().findOne({ contactId })) ?? {};
    const body = { contact_id: contactId, worker_id: channelId };
    await call('POST', '/chat/start-with-contact', { body, as });
    return;
  }
  const open = await chats().findOne({ contactId, open: true });
  if (!open) return;
  const path = `/chat/${open._id}`;
  if (kind === 'send') {
    const message = newId();
    const { status } = await call('POST', path, { body: { type: 'text', message }, as });
    if (status === 201) state.sent.push(message);
  } else if (kind === 'transfer') {
    await call('POST', `${path}/transfer`, { body: { sector_id: sectorId }, as });
  } else if (kind === 'label') await call('PATCH', `${path}/label`, { body: [] });
  else {
    const status = kind === 'take' ? 'in_chat' : 'closed';
    await call('PATCH', `${path}/status`, { body: { status }, as });
  }
}

async function check({ effects, sent }: Round): Promise<void> {
  const all = await messages().find({}).toArray();
  const chatById = new Map((await chats().find({}).toArray()).map((chat) => [chat._id, chat]));
  const open = [...chatById.values()].filter((chat) => chat.open);
  expect(new Set(open.map(({ contactId }) => contactId)).size).toBe(open.length);
  const ofEvents = all.filter(({ typeUser }) => typeUser === 'client');
  expect(ofEvents.map(({ chatId }) => chatId).toSorted()).toEqual(
    effects.map(({ chatId }) => chatId).toSorted(),
  );
  const replies = all.filter(({ typeUser }) => typeUser === 'operator');
  expect(replies.map(({ content }) => content.message).toSorted()).toEqual(sent.toSorted());
  const late = all.filter(({ chatId, createdAt }) => {
    const closedAt = chatById.get(chatId)?.closedAt;
    return closedAt && createdAt > closedAt;
  });
  expect(late).toEqual([]);
}

const seed = Number(process.env['INLET_TEST_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

test(`events and people at the same time (seed ${seed})`, async () => {
  const rounds = fc.array(fc.array(step, { minLength: 2, maxLength: 5 }), {
    minLength: 2,
    maxLength: 5,
  });
  await fc.assert(
    fc.asyncProperty(rounds, async (given) => {
      await api().clear();
      const state: Round = { contacts: new Map(), effects: [], sent: [] };
      for (const person of ['ana', 'rui']) {
        const first = await lead(person);
        state.contacts.set(person, first.contactId);
        state.effects.push(first);
      }
      for (const round of given) await Promise.all(round.map((one) => perform(one, state)));
      await check(state);
    }),
    { seed, numRuns: 6, endOnFailure: true },
  );
}, 300_000);
