// The stand-in of each channel's service: what it received, and the faults it can have. A message that it accepted is recorded
// with whether its answer was read, or for mail sent.
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  respondWith,
  startDestination,
  type Destination,
  type ReceivedPost,
  type Responder,
} from '../../../support/services/destination.ts';
import { account, startMailServer } from '../../../support/services/mail-server.ts';
import { botToken, startTelegramBot } from '../../../support/destinations/telegram-bot.ts';
import {
  accessToken,
  phoneNumberId,
  startWhatsappCloud,
} from '../../../support/destinations/whatsapp-cloud.ts';

export type Arrival = {
  readonly at: number;
  readonly text: string;
  /** The address that it was sent to: an id of a contact or of a chat, a phone, an email. */
  readonly recipient: string;
  /** Our id of the message; null where the service is not given it. */
  readonly messageId: string | null;
  /** The service's id of the message; null without one. */
  readonly externalId: string | null;
  isAnswered: boolean;
};

/**
 * `drop`, `hang`: the message arrives, and is not answered. `slow`: it is answered late. `reset`: the connection ends and nothing
 * arrives. `busy`: 429 with a time to wait. `broken`: 5xx.
 */
export const destinationFaults = ['drop', 'hang', 'slow', 'reset', 'busy', 'broken'] as const;
export type DestinationFault = (typeof destinationFaults)[number];

/** Whether a message may have arrived although the sender has no answer. */
export const losesAnswers = (fault: DestinationFault): boolean =>
  fault !== 'busy' && fault !== 'broken';

export type StandIn = {
  /** Of the channel. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly arrivals: Arrival[];
  behave(how: DestinationFault | null): void;
  /** Requests so far. */
  requests(): number;
  /** The person writes, so that messages may be sent to the address. */
  open(address: string): void;
  close(): Promise<void>;
};

export type OnArrival = (arrival: Arrival) => void;

const slowMs = 600;
const busySeconds = 4;

/**
 * Calls back once the sender has read the whole answer. The sender closes the connection in any case: after the answer, or, when its
 * time is over, with a reset for an answer that it did not read.
 */
function whenRead(response: ServerResponse, onRead: () => void): void {
  const { socket } = response;
  if (!socket) return;
  // Otherwise the server closes first and does not see what the sender does.
  response.setHeader('connection', 'keep-alive');
  let isWritten = false;
  response.once('finish', () => (isWritten = true));
  socket.prependOnceListener('end', () => {
    if (!isWritten) return;
    // Fails after a reset, which a sender that closed before the answer sends after its end.
    socket.write('\n', (error) => {
      if (!error) onRead();
    });
  });
}

/** Collects what arrives. */
function createArrivals(onArrival: OnArrival) {
  const arrivals: Arrival[] = [];
  const add = (arrival: Omit<Arrival, 'at' | 'isAnswered'>): Arrival => {
    const added = { ...arrival, at: Date.now(), isAnswered: false };
    arrivals.push(added);
    onArrival(added);
    return added;
  };
  return {
    arrivals,
    add,
    addAnsweredBy(response: ServerResponse, arrival: Parameters<typeof add>[0]): void {
      const added = add(arrival);
      whenRead(response, () => (added.isAnswered = true));
    },
  };
}

async function startTelegram(onArrival: OnArrival): Promise<StandIn> {
  const arrived = createArrivals(onArrival);
  let requests = 0;
  let how: DestinationFault | null = null;
  const bot = await startTelegramBot({
    onRequest: () => (requests += 1),
    onSent: ({ chatId, messageId, text }, response) =>
      arrived.addAnsweredBy(response, {
        text,
        recipient: chatId,
        messageId: null,
        externalId: `${chatId}:${messageId}`,
      }),
    delayMs: () => (how === 'slow' ? slowMs : 0),
  });
  return {
    settings: { botToken, apiUrl: bot.apiUrl },
    arrivals: arrived.arrivals,
    behave(next) {
      how = next;
      if (next === 'busy') bot.behave({ status: 429, retryAfter: busySeconds });
      else if (next === 'broken') bot.behave({ status: 500 });
      else bot.behave(next === 'slow' ? null : next);
    },
    requests: () => requests,
    open: bot.messageFrom,
    close: bot.close,
  };
}

async function startWhatsapp(onArrival: OnArrival): Promise<StandIn> {
  const arrived = createArrivals(onArrival);
  let requests = 0;
  let how: DestinationFault | null = null;
  const cloud = await startWhatsappCloud({
    onRequest: () => (requests += 1),
    onSent: ({ id, to, callbackData, body }, response) =>
      arrived.addAnsweredBy(response, {
        text: String((body.text as { body?: unknown } | undefined)?.body),
        recipient: to,
        messageId: callbackData ?? null,
        externalId: id,
      }),
    delayMs: () => (how === 'slow' ? slowMs : 0),
  });
  return {
    settings: { phoneNumberId, accessToken, apiUrl: cloud.apiUrl },
    arrivals: arrived.arrivals,
    behave(next) {
      how = next;
      // A rate with a wait of five seconds, and an error of the service.
      if (next === 'busy') cloud.behave({ code: 130429, status: 429 });
      else if (next === 'broken') cloud.behave({ code: 131000, status: 500 });
      else cloud.behave(next === 'slow' ? null : next);
    },
    requests: () => requests,
    open: cloud.replyFrom,
    close: cloud.close,
  };
}

type ReadPost = (posted: ReceivedPost) => Omit<Arrival, 'at' | 'isAnswered'>;

const readMessage: ReadPost = ({ headers, body }) => ({
  text: body.content.text,
  recipient: body.contact?.phone ?? '',
  messageId: String(headers['idempotency-key']),
  externalId: null,
});

/** `read`: what is recorded of a request. */
export async function startHttp(
  onArrival: OnArrival,
  read: ReadPost = readMessage,
): Promise<StandIn & Pick<Destination, 'posts'>> {
  const arrived = createArrivals(onArrival);
  const destination = await startDestination();
  const accepting =
    (answer: (response: ServerResponse) => unknown): Responder =>
    (response, posted) => {
      arrived.addAnsweredBy(response, read(posted));
      void answer(response);
    };
  const end = (response: ServerResponse) => {
    if (response.socket?.destroyed === false) response.writeHead(200).end();
  };
  const responders: Readonly<Record<DestinationFault, Responder>> = {
    drop: accepting((response) => response.socket?.destroy()),
    hang: accepting(() => undefined),
    slow: accepting(async (response) => {
      await pause(slowMs);
      end(response);
    }),
    reset: (response) => void response.socket?.destroy(),
    busy: respondWith(429, { 'retry-after': String(busySeconds) }),
    broken: respondWith(503),
  };
  const behave = (how: DestinationFault | null) =>
    destination.answerWith(how === null ? accepting(end) : responders[how]);
  behave(null);
  return {
    settings: { url: destination.url },
    arrivals: arrived.arrivals,
    posts: destination.posts,
    behave,
    requests: () => destination.posts.length,
    open: () => undefined,
    close: () => destination.close(),
  };
}

/** The parts of a mail that Inlet wrote, which are plain ASCII. */
function readMail({ to, source }: { readonly to: readonly string[]; readonly source: string }) {
  const at = source.indexOf('\r\n\r\n');
  const [, externalId = null, messageId = null] =
    /^message-id: (<inlet\.([^@>]+)@\S+)/im.exec(source.slice(0, at)) ?? [];
  return { text: source.slice(at).trim(), recipient: to[0] ?? '', messageId, externalId };
}

export async function startMail(onArrival: OnArrival): Promise<StandIn> {
  const arrived = createArrivals(onArrival);
  const server = await startMailServer();
  const onMail = (answer: (done: () => void) => unknown) =>
    server.beforeReply((reply) => {
      const mail = server.mails.at(-1);
      if (!mail) return reply();
      const arrival = arrived.add(readMail(mail));
      return void answer(() => {
        arrival.isAnswered = true;
        reply();
      });
    });
  function behave(how: DestinationFault | null): void {
    server.rejectWith(null);
    onMail((reply) => reply());
    if (how === 'drop') onMail(server.drop);
    else if (how === 'hang') onMail(() => undefined);
    else if (how === 'slow') onMail((reply) => void pause(slowMs).then(reply));
    else if (how !== null)
      server.rejectWith({ at: how === 'busy' ? 'recipient' : 'connect', status: 421 });
  }
  behave(null);
  return {
    settings: {
      host: '127.0.0.1',
      port: server.port,
      security: 'none',
      from: 'desk@example.org',
      ...account,
    },
    arrivals: arrived.arrivals,
    behave,
    requests: () => server.sessions(),
    open: () => undefined,
    close: server.close,
  };
}

export const standIns = {
  http: (onArrival: OnArrival) => startHttp(onArrival),
  smtp: startMail,
  telegram: startTelegram,
  whatsapp: startWhatsapp,
} as const satisfies Record<string, (onArrival: OnArrival) => Promise<StandIn>>;
