// The live stream of chats, over HTTP.
import { collectionOf } from '../../support/services/collections.ts';
import { useConversations } from '../../support/context/conversations.ts';
import { followStream, type StreamItem } from '../../support/context/follow-stream.ts';

jest.setTimeout(60_000);

const c = useConversations('http_live_chats');

type Data = {
  readonly at: string;
  readonly chat?: { readonly chat_id: string; readonly status: string; readonly user_id: unknown };
};
type Change = StreamItem<Data>;

async function follow(token: string, lastEventId?: string) {
  const stream = await followStream<Data>(`${c.api().url}/v1/chat/live`, { token, lastEventId });
  /** Several changes of a chat at about the same time may be one. */
  async function until(isWanted: (change: Change) => boolean): Promise<Change> {
    for (;;) {
      const change = await stream.next();
      if (isWanted(change)) return change;
    }
  }
  return { ...stream, until };
}

const token = () => c.api().addToken(['inbox']);

test('an event, a message and a closed chat appear, and a stream continues after its last id', async () => {
  const key = await token();
  const stream = await follow(key);
  const { chatId } = await c.lead();
  const isThis = ({ data }: Change) => data.chat?.chat_id === chatId;
  const opened = await stream.until(isThis);
  expect(opened).toMatchObject({ event: 'change', data: { chat: { user_id: null } } });
  const bia = await c.agent('Bia');
  await c.call('PATCH', `/chat/${chatId}/status`, { as: bia, body: { status: 'in_chat' } });
  const taken = await stream.until(
    (change) => isThis(change) && change.data.chat?.status === 'in_chat',
  );
  expect(taken.data.chat).toEqual({
    chat_id: chatId,
    worker_id: c.channelId(),
    contact_id: expect.any(String) as unknown,
    user_id: bia,
    status: 'in_chat',
    date: expect.any(String) as unknown,
  });
  stream.leave();

  await c.call('PATCH', `/chat/${chatId}/status`, { as: bia, body: { status: 'closed' } });
  const again = await follow(key, taken.id);
  const closed = await again.until(isThis);
  expect(closed.data.chat?.status).toBe('closed');
  again.leave();
});

test('a message that is older than the last one appears, and so does the deletion of a chat', async () => {
  const { chatId, person } = await c.lead();
  await c.call('POST', `/chat/${chatId}`, { body: { type: 'text', message: 'Hello' } });
  const stream = await follow(await token());
  const yesterday = new Date(Date.now() - 86_400_000).toISOString();
  await c.lead(person, { at: yesterday });
  await stream.until(({ data }) => data.chat?.chat_id === chatId);
  await collectionOf<{ _id: string }>(c.api().connection, 'chats').deleteOne({ _id: chatId });
  const gone = await stream.until(({ data }) => data.chat === undefined);
  expect(gone.event).toBe('change');
  stream.leave();
});

test('a restricted token gets the chats of its channels only', async () => {
  const other = await c.api().addWebhook();
  const mine = await c.api().addToken(['inbox'], {
    restriction: { webhookIds: [], channelIds: [other.channelId] },
  });
  const all = await follow(await token());
  const own = await follow(mine);
  const { chatId: foreign } = await c.lead();
  await all.until(({ data }) => data.chat?.chat_id === foreign);
  const { chatId } = await c.lead(undefined, {}, other);
  await own.until(({ data }) => data.chat?.chat_id === chatId);
  expect(own.items.map(({ data }) => data.chat?.chat_id)).not.toContain(foreign);
  expect((await c.call('GET', `/chat/${foreign}/details`, { token: mine })).status).toBe(404);
  expect((await c.call('GET', `/chat/${chatId}/details`, { token: mine })).status).toBe(200);
  all.leave();
  own.leave();
});

test('details are the chat as the list shows it', async () => {
  const { chatId } = await c.lead();
  const { status, body } = await c.call('GET', `/chat/${chatId}/details`);
  expect([status, body.data]).toEqual([200, await c.chat(chatId)]);
});
