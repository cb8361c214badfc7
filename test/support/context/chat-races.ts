// What people do with a chat while an event puts a message into it.
import { newId } from '../../../src/base/ids.ts';
import type { MessageRecord } from '../../../src/domain/messages/message.ts';
import { actor, eventOf, otherPhone, phone, type Effects, type Field } from './race-field.ts';
import type { Race } from './races.ts';
import { valueOf } from './value-of.ts';

type Change = (field: Field, effects: Effects) => Promise<unknown>;

/** The event brings a label that the chat has, and one that it has not. */
const besideChange = (beside: string, change: Change): Race => ({
  beside,
  async begin(field) {
    const effects = await field.tell(eventOf(1, { phone }, { label: 'VIP' }));
    const ids = [
      await field.send(eventOf(2, { phone }, { label: 'VIP' })),
      await field.send(eventOf(3, { phone })),
    ];
    return { ids, other: () => change(field, effects) };
  },
});

/** A remap gives the message of an event to another person, beside a change of the chat that it leaves, or enters. */
const besideRemap = (beside: string, change: Change, side: 'left' | 'entered'): Race => ({
  beside: `with a remap to another person, ${beside}`,
  async begin(field) {
    const { send, tell, process, remap } = field;
    const entered = await tell(eventOf(1, { phone: otherPhone }, { other: { phone: otherPhone } }));
    const id = await send(eventOf(2, { phone }, { other: { phone: otherPhone } }));
    await process(id);
    const left = (await field.stores.events.get(id))?.effects ?? entered;
    await tell(eventOf(3, { phone }));
    valueOf(await remap(id));
    return { ids: [id], other: () => change(field, side === 'left' ? left : entered) };
  },
});

const close: Change = ({ stores, by }, { chatId }) => stores.conversations.close(chatId, null, by);

const send: Change = ({ stores, webhook: { channelId } }, { chatId, contactId }) => {
  const now = new Date();
  const message: MessageRecord = {
    _id: newId(),
    channelId,
    contactId,
    chatId,
    typeUser: 'operator',
    content: { type: 'text', message: 'Good morning' },
    date: now,
    createdAt: now,
  };
  return stores.conversations.send({ message, chatContactId: contactId });
};

const transfer = { isKept: false, annotation: null };

export const chatRaces: readonly Race[] = [
  besideChange('the closing of the chat', close),
  besideChange('an agent who takes the chat', ({ stores, by }, { chatId }) =>
    stores.conversations.take(chatId, by),
  ),
  besideChange('a transfer to an agent, with a note', ({ stores, by }, { chatId }) =>
    stores.conversations.transfer(
      chatId,
      { ...transfer, agentId: by.agentId, annotation: 'for you' },
      by,
    ),
  ),
  besideChange('a transfer to another channel', async (field, { chatId, contactId }) => {
    const { stores, otherChannelId: channelId, by } = field;
    const { _id } = valueOf(await stores.people.counterpartIn(contactId, channelId, actor));
    const to = { channelId, contactId: _id };
    return stores.conversations.transfer(chatId, { ...transfer, to }, by);
  }),
  besideChange('a message of an agent', send),
  besideChange('the removal of a label', ({ stores, by }, { chatId }) =>
    stores.conversations.setLabels(chatId, [], by),
  ),
  besideChange('an agent who joins', ({ stores, by }, { chatId }) =>
    stores.conversations.join(chatId, by),
  ),
  besideChange('a message of an agent and the closing', async (field, effects) => {
    await send(field, effects);
    await close(field, effects);
  }),
  {
    beside: 'a chat that an agent starts with the person',
    async begin(field) {
      const { contactId, chatId } = await field.tell(eventOf(1, { phone }));
      await close(field, { contactId, chatId });
      const id = await field.send(eventOf(2, { phone }));
      const { stores, webhook, by } = field;
      const start = { contactId, channelId: webhook.channelId, sectorId: null };
      return { ids: [id], other: () => stores.conversations.start(start, by) };
    },
  },
  besideRemap('the closing of the chat that it leaves', close, 'left'),
  besideRemap('the closing of the chat that it enters', close, 'entered'),
  besideRemap('a message of an agent in the chat that it leaves', send, 'left'),
  {
    ...besideRemap(
      'the erasure of the person whom it leaves',
      async ({ erasures }, { contactId }) => {
        await erasures.erase(contactId);
        await erasures.toEnd();
      },
      'left',
    ),
    isErasure: true,
  },
];
