// The conversations API as a client with two agents uses it. Registers the set-up and the clean-up of a test file.
import { newId } from '../../../src/base/ids.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { Answer } from './api-request.ts';
import { createTestApi, type TestApi, type TestApiOptions } from './test-api.ts';

export type CallOptions = {
  readonly body?: unknown;
  readonly as?: string;
  readonly key?: string;
  /** Default: an unrestricted token with the scope `inbox`. */
  readonly token?: string;
};
type Effects = { readonly contactId: string; readonly chatId: string };

export const statusAndCode = ({ status, body }: Answer) => [
  status,
  body.data.code ?? 'ok',
  body.data.state,
];

export function useConversations(name: string, options: TestApiOptions = {}) {
  let api: TestApi;
  let token: string;
  let webhook: Webhook;
  let people = 0;

  beforeAll(async () => {
    api = await createTestApi(name, { requestsPerMinute: 100_000, ...options });
    token = await api.addToken(['inbox']);
    webhook = await api.addWebhook();
  });
  afterAll(() => api.close());

  const call = (
    method: string,
    path: string,
    { body, as, key, token: its = token }: CallOptions = {},
  ): Promise<Answer> =>
    api.ask(method, `/v1${path}`, {
      token: its,
      ...(body !== undefined && { body }),
      headers: {
        ...(as !== undefined && { 'x-underchat-user-id': as }),
        ...(key !== undefined && { 'Idempotency-Key': key }),
      },
    });

  /** Sends an event of a new person, or of the same person again. Returns the ids of its effects. */
  async function lead(person = `p${(people += 1)}`, over: object = {}, to = webhook) {
    const payload = { id: newId(), text: 'Olá', lead: { id: person, name: person }, ...over };
    const eventId = await api.send(to, payload);
    await api.processEvents([eventId]);
    const { body } = await api.ask('GET', `/v1/admin/events/${eventId}`);
    return { person, ...(body.data.effects as Effects) };
  }

  return {
    api: () => api,
    channelId: () => webhook.channelId,
    call,
    lead,

    agent: async (its: string): Promise<string> => {
      const { body } = await api.ask('POST', '/v1/admin/agents', { body: { name: its } });
      return body.data.id;
    },
    sector: async (its = newId()): Promise<string> => {
      const { body } = await call('POST', '/sector', { body: { name: its, color: '#111111' } });
      return body.data.sector_id;
    },
    label: async (its = newId()): Promise<string> => {
      const { body } = await call('POST', '/label-template', {
        body: { label: its, color: 'red' },
      });
      return body.data.label_template_id;
    },

    /** Returns the chat as a list shows it. */
    chat: async (id: string) => {
      const lists = await Promise.all(
        ['closed', 'my_chats'].map((status) => call('GET', `/chat?status=${status}&per_page=200`)),
      );
      const all = lists.flatMap(({ body }) => body.data.results);
      return all.find((one: { chat_id: string }) => one.chat_id === id);
    },
    /** Returns sender and text of each message. */
    texts: async (id: string): Promise<[string, string][]> => {
      const { body } = await call('GET', `/chat/${id}?per_page=200`);
      type Message = { type_user: string; content: { message: string } };
      return body.data.results.map((one: Message) => [one.type_user, one.content.message]);
    },
    status: (id: string, body: object, as?: string) =>
      call('PATCH', `/chat/${id}/status`, { body, ...(as !== undefined && { as }) }),
  };
}
