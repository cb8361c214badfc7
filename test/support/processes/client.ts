// HTTP calls of people and senders: the generated client, bound to one Inlet and one token, with functions that wait for
// results. Senders have no token, only the webhook URL.
import { setTimeout as pause } from 'node:timers/promises';
import {
  createClient as createApi,
  type Answer,
  type Operation,
  type Request,
} from '../../../client/client.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';

export type Webhook = Answer<'createWebhook'>;
export type Contact = Answer<'listChatContacts'>['results'][number];
export type Chat = Answer<'listChats'>['results'][number];
export type Message = Answer<'getChat'>['results'][number];

type Mapping = Request<'createWebhookMapping'>['body']['mapping'];

/** The answer to an accepted or rejected request. */
export type ReceiveAnswerData = Omit<Answer<'receiveEvent'>, 'success'> & {
  readonly success: boolean;
  readonly code?: string;
};
type ReceiveAnswer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly data: ReceiveAnswerData;
};

type Target = { readonly url: () => string; readonly token: string };
export type Client = ReturnType<typeof createClient>;

export function createClient({ url, token }: Target) {
  /** Throws an InletError for everything but a success. */
  function call<Name extends Operation>(name: Name, request: Request<Name>): Promise<Answer<Name>> {
    return createApi({ baseUrl: url(), token: () => token }).call(name, request);
  }

  /** Posts as a sender does: a rejection is returned with its status and headers. */
  async function deliver(key: string, payload: unknown): Promise<ReceiveAnswer> {
    const response = await fetch(new URL(`/v1/webhook/${key}`, url()), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(payload),
    });
    const text = await response.text();
    const { data } = JSON.parse(text) as { data: ReceiveAnswerData };
    return { status: response.status, headers: response.headers, text, data };
  }

  /** Posts as `deliver`, and again after each 503: the server or its database was held up, or has too much to do. */
  async function deliverPatiently(key: string, payload: unknown): Promise<ReceiveAnswer> {
    return waitForValue('an answer other than 503', async () => {
      const answer = await deliver(key, payload);
      return answer.status === 503 ? undefined : answer;
    });
  }

  async function addWebhook(): Promise<Webhook> {
    const channel = await call('createChannel', { body: { name: 'Inbox', kind: 'inbox' } });
    return call('createWebhook', { body: { name: 'Leads', channelId: channel.id } });
  }

  /** Saves the mapping as the next version, whose number it returns. */
  async function saveMapping(id: string, mapping: MappingDocument): Promise<number> {
    const { version } = await call('createWebhookMapping', {
      params: { id },
      // The generated type has each transform as an object; the API takes a name alone, too.
      body: { mapping: mapping as Mapping },
    });
    return version;
  }

  /** Saves the mapping as the next version and activates it. */
  async function activate(id: string, mapping: MappingDocument): Promise<number> {
    const version = await saveMapping(id, mapping);
    await call('activateWebhookMapping', { params: { id, version: String(version) } });
    return version;
  }

  const event = (id: string) => call('getEvent', { params: { id } });

  return {
    call,
    deliver,
    deliverPatiently,
    addWebhook,
    saveMapping,
    activate,
    /** An active webhook with a sample and a mapping. */
    async addActiveWebhook(mapping: MappingDocument): Promise<Webhook> {
      const webhook = await addWebhook();
      await deliverPatiently(webhook.key, { id: 'sample' });
      await activate(webhook.id, mapping);
      return webhook;
    },
    event,
    chats: () => call('listChats', { query: { status: ['my_chats'], per_page: 200 } }),
    messages: (chatId: string) => call('getChat', { params: { chatId }, query: { per_page: 200 } }),
    contacts: () => call('listChatContacts', { query: { per_page: 200 } }),
    /** Waits until the event is in a final state, or in the given one. */
    settled: (id: string, states: readonly string[] = ['done', 'ignored', 'dead', 'discarded']) =>
      waitForValue(`event ${id} is ${states.join(' or ')}`, async () => {
        const found = await event(id);
        return states.includes(found.state) ? found : undefined;
      }),
  };
}

/** Resolves after this process has run for so long. A time in which it is held up counts for a tenth of a second. */
export async function runFor(ms: number): Promise<void> {
  const stepMs = 100;
  for (let leftMs = ms; leftMs > 0; leftMs -= stepMs) await pause(stepMs, null, { ref: false });
}

/** An event takes about as long. A look at one costs as much as a third of its processing. */
const firstPauseMs = 40;
const longestPauseMs = 200;

/**
 * Calls `look` until it returns a value, less and less often; an error counts as no value. It is called once more when the time
 * is over: this process may have been held up since the last call.
 */
export async function waitForValue<Value>(
  what: string,
  look: () => Promise<Value | undefined> | Value | undefined,
  withinMs = 120_000,
): Promise<Value> {
  const deadline = Date.now() + withinMs;
  let last: unknown;
  let pauseMs = firstPauseMs;
  for (let isOver = false; !isOver;) {
    isOver = Date.now() >= deadline;
    try {
      const value = await look();
      if (value !== undefined) return value;
    } catch (error) {
      last = error;
    }
    if (!isOver) await pause(pauseMs);
    pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
  }
  throw new Error(`Not in time: ${what}`, { cause: last });
}
