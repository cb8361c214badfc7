// A stand-in for the Telegram Bot API on loopback, written from its public documentation: getMe, sendMessage, error answers, and
// the updates that a webhook receives. It has no idempotency: what is posted twice is sent twice.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, startJsonServer, type Json } from './json-server.ts';

type Failure = {
  readonly status: number;
  readonly description?: string;
  readonly retryAfter?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of the JSON of an error. */
  readonly body?: string;
};

/**
 * `drop`: the message is sent, and the connection ends without an answer. `hang`: the same, and it stays open. `reset`: the
 * connection ends and nothing is sent.
 */
type Behavior = Failure | 'drop' | 'hang' | 'reset' | null;

export const botToken = '110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw';
export const secretToken = 'a-secret_of-the-webhook';

type SentText = {
  readonly chatId: string;
  readonly messageId: number;
  readonly text: string;
};

class ApiError extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.description ?? 'an error');
    this.failure = failure;
  }
}

export type TelegramBot = Awaited<ReturnType<typeof startTelegramBot>>;

type Options = {
  /** Called for each request. */
  readonly onRequest?: () => void;
  /** Called when a message was sent, before it is answered. */
  readonly onSent?: (sent: SentText, response: ServerResponse) => void;
  /** How long each answer takes, in milliseconds. */
  readonly delayMs?: () => number;
};

export async function startTelegramBot({ onRequest, onSent, delayMs = () => 0 }: Options = {}) {
  const sent: SentText[] = [];
  const calls: { readonly url: string; readonly secret_token: string }[] = [];
  let info: Json = { url: '', has_custom_certificate: false, pending_update_count: 0 };

  /** https://core.telegram.org/bots/api#setwebhook; HTTPS is not required on loopback. */
  function setWebhook({ url, secret_token: secret, ...rest }: Json): boolean {
    if (!/^[A-Za-z0-9_-]{1,256}$/.test(String(secret))) {
      const description = 'Bad Request: secret token contains unallowed characters';
      throw new ApiError({ status: 400, description });
    }
    calls.push({ url: String(url), secret_token: String(secret) });
    info = { url, has_custom_certificate: false, pending_update_count: 0, ...rest };
    return true;
  }

  const known = new Set<string>();
  let behavior: Behavior = null;
  let count = 0;

  function send({ chat_id: chatId, text }: Json): Json {
    if (typeof text !== 'string' || text === '') {
      throw new ApiError({ status: 400, description: 'Bad Request: message text is empty' });
    }
    if (!known.has(String(chatId))) {
      throw new ApiError({ status: 400, description: 'Bad Request: chat not found' });
    }
    if (Array.from(text).length > 4_096) {
      throw new ApiError({ status: 400, description: 'Bad Request: message is too long' });
    }
    count += 1;
    sent.push({ chatId: String(chatId), messageId: count, text });
    const chat = { id: Number(chatId), type: 'private', first_name: 'Ana' };
    return { message_id: count, date: 1_767_700_800, chat, text };
  }

  function route({ url = '' }: IncomingMessage, body: Json): unknown {
    const [, token, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url) ?? [];
    if (token !== botToken) throw new ApiError({ status: 401, description: 'Unauthorized' });
    if (method === 'getMe') return { id: 110201543, is_bot: true, first_name: 'A bot' };
    if (method === 'sendMessage') return send(body);
    if (method === 'setWebhook') return setWebhook(body);
    if (method === 'getWebhookInfo') return info;
    throw new ApiError({ status: 404, description: 'Not Found' });
  }

  function fail(response: ServerResponse, failure: Failure): void {
    const {
      status,
      description = 'Error: text that nobody keeps',
      retryAfter,
      headers,
      body,
    } = failure;
    const parameters = retryAfter === undefined ? {} : { parameters: { retry_after: retryAfter } };
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(body ?? JSON.stringify({ ok: false, error_code: status, description, ...parameters }));
  }

  function answer(request: IncomingMessage, response: ServerResponse, body: Json): void {
    onRequest?.();
    const isRead = request.url?.endsWith('/getWebhookInfo') === true;
    if (behavior !== null && typeof behavior === 'object' && !isRead) {
      return fail(response, behavior);
    }
    if (behavior === 'reset') return void response.socket?.destroy();
    try {
      const before = sent.length;
      const result = route(request, body);
      for (const one of sent.slice(before)) onSent?.(one, response);
      if (behavior === 'hang' && !isRead) return;
      if (behavior === 'drop' && !isRead) return void response.socket?.destroy();
      const description = result === true ? { description: 'Webhook was set' } : {};
      answerJson(response, { ok: true, result, ...description }, isRead ? 0 : delayMs());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      fail(response, error.failure);
    }
  }

  const server = await startJsonServer(answer);

  return {
    apiUrl: server.url,
    sent,
    /** What setWebhook was given. */
    calls,
    /** What getWebhookInfo says besides. */
    report: (more: Json) => void (info = { ...info, ...more }),
    /** The person of this chat writes to the bot; a bot cannot begin. */
    messageFrom: (chatId: string) => void known.add(chatId),
    behave: (next: Behavior) => void (behavior = next),
    close: () => server.close(),
  };
}

let updates = 0;

/** An update as it is posted to a webhook. `message` replaces parts of a text message in a private chat. */
export function updateOf(chatId: number, message: Json = {}): Json {
  updates += 1;
  const person = { id: chatId, first_name: 'Ana', last_name: 'Exemplo' };
  return {
    update_id: 10_000 + updates,
    message: {
      message_id: updates,
      from: { ...person, is_bot: false, language_code: 'pt-br' },
      chat: { ...person, type: 'private' },
      date: 1_767_700_800 + updates,
      ...(Object.keys(message).length === 0 && { text: 'Olá' }),
      ...message,
    },
  };
}
