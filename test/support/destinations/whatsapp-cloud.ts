// A stand-in for the WhatsApp Cloud API on loopback, written from its public documentation: sending, templates, the 24-hour
// window, error answers, and the signed requests of its webhook. It has no idempotency: what is posted twice is sent twice.
import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { answerJson, startJsonServer, type Json } from './json-server.ts';

export type SentMessage = {
  readonly id: string;
  readonly to: string;
  readonly type: string;
  readonly callbackData: string | undefined;
  readonly body: Json;
};

type Template = {
  readonly name: string;
  readonly language: string;
  /** The number of placeholders in its body. */
  readonly placeholders: number;
};

type Failure = {
  readonly code?: number;
  readonly subcode?: number;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * `drop`: the message is sent, and the connection ends without an answer. `hang`: the same, and it stays open. `reset`: the
 * connection ends and nothing is sent.
 */
type Behavior = Failure | 'drop' | 'hang' | 'reset' | null;

class ApiError extends Error {
  readonly code: number;
  readonly status: number;
  readonly subcode: number | undefined;
  constructor(code: number, status = 400, subcode?: number) {
    super(`(#${code}) a message that nobody keeps`);
    this.code = code;
    this.status = status;
    this.subcode = subcode;
  }
}

export const phoneNumberId = '106540352242922';
export const accessToken = 'EAAG-not-for-your-eyes';
export const appSecret = '0123456789abcdef0123456789abcdef';
const businessAccountId = '102290129340398';
const windowMs = 24 * 3_600_000;

export type WhatsappCloud = Awaited<ReturnType<typeof startWhatsappCloud>>;

type Options = {
  readonly now?: () => Date;
  /** Called for each request. */
  readonly onRequest?: () => void;
  /** Called when a message was sent, before it is answered. */
  readonly onSent?: (sent: SentMessage, response: ServerResponse) => void;
  /** How long each answer takes, in milliseconds. */
  readonly delayMs?: () => number;
};

export async function startWhatsappCloud(options: Options = {}) {
  const { now = () => new Date(), onRequest, onSent, delayMs = () => 0 } = options;
  const sent: SentMessage[] = [];
  const templates: Template[] = [];
  const repliedAt = new Map<string, number>();
  let behavior: Behavior = null;
  let count = 0;

  function contentProblem(body: Json, to: string): ApiError | null {
    if (body.type === 'text') {
      const text = (body.text as Json | undefined)?.body;
      if (typeof text !== 'string' || text === '') return new ApiError(131008);
      if (text.length > 4_096) return new ApiError(100);
      const isOpen = +now() - (repliedAt.get(to) ?? 0) < windowMs;
      return isOpen ? null : new ApiError(131047);
    }
    return body.type === 'template' ? templateProblem(body.template as Json) : new ApiError(131051);
  }

  function templateProblem({ name, language, components }: Json): ApiError | null {
    const code = (language as Json | undefined)?.code;
    const template = templates.find((one) => one.name === name && one.language === code);
    if (!template) return new ApiError(132001, 404);
    const [body] = (components ?? []) as readonly { parameters: readonly { text: string }[] }[];
    const parameters = body?.parameters ?? [];
    if (parameters.length !== template.placeholders) return new ApiError(132000);
    if (parameters.some(({ text }) => text === '')) return new ApiError(131008);
    return parameters.some(({ text }) => /[\n\t]| {5}/.test(text)) ? new ApiError(132012) : null;
  }

  function send(body: Json): Json {
    const { messaging_product: product, to, type, biz_opaque_callback_data: callbackData } = body;
    if (product !== 'whatsapp' || typeof to !== 'string' || !/^\d{7,15}$/.test(to)) {
      throw new ApiError(100);
    }
    const problem = contentProblem(body, to);
    if (problem) throw problem;
    count += 1;
    const id = `wamid.${Buffer.from(`${to}-${count}`).toString('base64')}`;
    sent.push({
      id,
      to,
      type: String(type),
      callbackData: callbackData as string | undefined,
      body,
    });
    return {
      messaging_product: 'whatsapp',
      contacts: [{ input: to, wa_id: to }],
      messages: [{ id }],
    };
  }

  function route({ method, url = '', headers }: IncomingMessage, body: Json): Json {
    if (headers.authorization !== `Bearer ${accessToken}`) throw new ApiError(190, 401);
    const [path = ''] = url.split('?', 1);
    const [, version = '', id, edge] = path.split('/');
    if (!/^v\d+\.\d+$/.test(version) || id !== phoneNumberId) throw new ApiError(100, 400, 33);
    if (method === 'GET' && edge === undefined) return { id };
    if (method === 'POST' && edge === 'messages') return send(body);
    throw new ApiError(3, 500);
  }

  function answer(request: IncomingMessage, response: ServerResponse, body: Json): void {
    onRequest?.();
    const reply = (status: number, content: Json, headers: Failure['headers'] = {}) =>
      response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(JSON.stringify(content));
    try {
      if (behavior !== null && typeof behavior === 'object') {
        const { code, subcode, status = 400, headers } = behavior;
        if (code === undefined) return void reply(status, {}, headers);
        return void reply(status, errorBody(new ApiError(code, status, subcode)), headers);
      }
      if (behavior === 'reset') return void response.socket?.destroy();
      const before = sent.length;
      const content = route(request, body);
      for (const one of sent.slice(before)) onSent?.(one, response);
      if (behavior === 'hang') return;
      if (behavior === 'drop') return void response.socket?.destroy();
      answerJson(response, content, delayMs());
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      reply(error.status, errorBody(error));
    }
  }

  const server = await startJsonServer(answer);

  return {
    apiUrl: `${server.url}/v23.0`,
    sent,
    addTemplate: (template: Template) => void templates.push(template),
    /** The person of this number writes to the business, which opens the window. */
    replyFrom: (phone: string) => void repliedAt.set(phone.replaceAll(/\D/g, ''), +now()),
    behave: (next: Behavior) => void (behavior = next),
    close: () => server.close(),
  };
}

const errorBody = ({ message, code, subcode }: ApiError): Json => ({
  error: {
    message,
    type: 'OAuthException',
    code,
    ...(subcode !== undefined && { error_subcode: subcode }),
    error_data: { messaging_product: 'whatsapp', details: 'details that nobody keeps' },
    fbtrace_id: 'Az8or2yhqkZfEZ-_4Qn_Bam',
  },
});

export type SentStatus = 'sent' | 'delivered' | 'read' | 'failed';

/** A status as the webhook has it. `code`: that of a failure. */
export const statusOf = (
  message: Pick<SentMessage, 'id' | 'to'> & { readonly callbackData?: string | undefined },
  status: SentStatus,
  { at = new Date(), code = 131026 } = {},
): Json => ({
  id: message.id,
  status,
  timestamp: String(Math.floor(+at / 1_000)),
  recipient_id: message.to,
  ...(message.callbackData !== undefined && { biz_opaque_callback_data: message.callbackData }),
  ...(status === 'failed' && {
    errors: [{ code, title: 'a title', error_data: { details: 'details that nobody keeps' } }],
  }),
});

/** One change of the webhook: statuses, messages and the names of their senders. */
export const changeOf = (value: {
  readonly statuses?: readonly Json[];
  readonly messages?: readonly Json[];
  readonly contacts?: readonly Json[];
}): Json => ({
  field: 'messages',
  value: {
    messaging_product: 'whatsapp',
    metadata: { display_phone_number: '15550783881', phone_number_id: phoneNumberId },
    ...value,
  },
});

/** A request of the webhook, one entry for each change. */
export function notificationOf(
  changes: readonly Json[],
  secret = appSecret,
): { readonly body: string; readonly headers: Readonly<Record<string, string>> } {
  const body = JSON.stringify({
    object: 'whatsapp_business_account',
    entry: changes.map((change) => ({ id: businessAccountId, changes: [change] })),
  });
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return {
    body,
    headers: { 'content-type': 'application/json', 'x-hub-signature-256': `sha256=${signature}` },
  };
}
