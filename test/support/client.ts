// A small typed client of a running Inlet: what people and producers do over HTTP, and waiting for what follows.
import { setTimeout as pause } from 'node:timers/promises';
import type { MappingDocument } from '../../src/domain/mapping.ts';

export type Answer<Data> = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly message: string;
  readonly data: Data;
};

export type Received = {
  readonly success: boolean;
  readonly mode?: 'sample' | 'held';
  readonly eventId?: string;
  readonly duplicate?: boolean;
  readonly code?: string;
};

export type List<Item> = { readonly pagings: { readonly total: number }; readonly results: Item[] };
export type Webhook = { readonly id: string; readonly url: string; readonly key: string };
export type Event = {
  readonly id: string;
  readonly state: string;
  readonly reason: string | null;
  readonly mappingVersion: number;
  readonly deliveries: number;
  readonly timeline: readonly { readonly state: string; readonly reason: string | null }[];
  readonly effects: { contactId: string; chatId: string; messageId: string } | null;
  readonly problems: readonly { target: string; code: string; message: string }[];
};
export type Contact = {
  readonly id: string;
  readonly name: string | null;
  readonly phone: string | null;
  readonly phone_ddi: string | null;
  readonly email: string | null;
  readonly external_id: string | null;
};
export type Chat = {
  readonly chat_id: string;
  readonly name: string | null;
  readonly status: string;
  readonly contact: { readonly id: string; readonly name: string | null } | null;
};
export type Message = {
  readonly message_id: string;
  readonly type_user: string;
  readonly content: { readonly type: string; readonly message: string };
};

type Target = { readonly url: () => string; readonly token: string };

const headersOf = (token: string | undefined, body: unknown): Record<string, string> => ({
  ...(token !== undefined && { keyapi: token }),
  ...(body !== undefined && { 'content-type': 'application/json' }),
});

async function answerOf<Data>(response: Response): Promise<Answer<Data>> {
  const text = await response.text();
  const { message, data } = JSON.parse(text) as { message: string; data: Data };
  return { status: response.status, headers: response.headers, text, message, data };
}

export type Client = ReturnType<typeof createClient>;

export function createClient({ url, token }: Target) {
  /** Any answer. A path that is a whole URL is taken as it is. */
  async function ask<Data>(method: string, path: string, body?: unknown): Promise<Answer<Data>> {
    const response = await fetch(new URL(path, url()), {
      method,
      headers: headersOf(token, body),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return answerOf<Data>(response);
  }

  /** The data of an answer that must be a success. */
  async function succeed<Data>(method: string, path: string, body?: unknown): Promise<Data> {
    const { status, text, data } = await ask<Data>(method, path, body);
    if (status < 300) return data;
    throw new Error(`${method} ${path} was answered ${status}: ${text}`);
  }

  const get = <Data>(path: string) => succeed<Data>('GET', path);
  const post = <Data>(path: string, body: unknown = {}) => succeed<Data>('POST', path, body);

  /** As a producer would, without a token. */
  async function deliver(
    key: string,
    payload: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer<Received>> {
    const response = await fetch(new URL(`/v1/webhook/${key}`, url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof payload === 'string' ? payload : JSON.stringify(payload),
    });
    return answerOf<Received>(response);
  }

  async function addWebhook(): Promise<Webhook> {
    const channel = await post<{ id: string }>('/v1/admin/channels', {
      name: 'Inbox',
      kind: 'inbox',
    });
    return post<Webhook>('/v1/admin/webhooks', { name: 'Leads', channelId: channel.id });
  }

  /** Saves the mapping as the next version and activates it. */
  async function activate(webhookId: string, mapping: MappingDocument): Promise<number> {
    const path = `/v1/admin/webhooks/${webhookId}`;
    const { version } = await post<{ version: number }>(`${path}/mappings`, { mapping });
    await post(`${path}/mappings/${version}/activate`);
    return version;
  }

  return {
    ask,
    get,
    post,
    deliver,
    addWebhook,
    activate,
    /** A webhook that has had its sample, its mapping and its activation. */
    async addActiveWebhook(mapping: MappingDocument): Promise<Webhook> {
      const webhook = await addWebhook();
      await deliver(webhook.key, { id: 'sample' });
      await activate(webhook.id, mapping);
      return webhook;
    },
    event: (id: string) => get<Event>(`/v1/admin/events/${id}`),
    chats: () => get<List<Chat>>('/v1/chat?status=my_chats&per_page=200'),
    messages: (chatId: string) => get<List<Message>>(`/v1/chat/${chatId}?per_page=200`),
    contacts: () => get<List<Contact>>('/v1/chat/contacts?per_page=200'),
    /** Waits until the event is where it ends, or in the given state. */
    settled: (id: string, states = ['done', 'ignored', 'dead', 'discarded']) =>
      until(`event ${id} is ${states.join(' or ')}`, async () => {
        const event = await get<Event>(`/v1/admin/events/${id}`);
        return states.includes(event.state) ? event : undefined;
      }),
  };
}

/** Looks again and again until there is something; a look that throws is one that found nothing. */
export async function until<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
  withinMs = 90_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  while (Date.now() < deadline) {
    try {
      const value = await look();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    await pause(50);
  }
  throw new Error(`Not in time: ${what}`, { cause: last });
}
