// Senders retry unacknowledged requests with a bounded backoff and give up; they also resend acknowledged events, send
// slowly, hang up, and contradict earlier events.
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createEventComposer, type EventComposer } from './event-composer.ts';
import type { Answer, Ledger, WebhookRequest } from './ledger.ts';
import type { Person } from './people.ts';
import { createRandom, type Random } from './random.ts';
import { webhookNames, type Targets, type WebhookName } from './webhooks.ts';

type ProducerDeps = {
  readonly urls: readonly string[];
  readonly targets: Targets;
  readonly ledger: Ledger;
};

/** How a request is sent: at once, in pieces, aborted within the body, or closed before the answer. */
type Manner = 'plain' | 'slow' | 'broken' | 'hung up';

const answerWithinMs = 6_000;
const maxTries = 8;
const firstBackoffMs = 150;
const maxBackoffMs = 2_500;
/** Between the pieces of a body. */
const pieceMs = 150;

export type Sender = ReturnType<typeof createSender>;

export function createSender({ urls, targets, ledger }: ProducerDeps) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  function post(webhookRequest: WebhookRequest, url: string, manner: Manner): Promise<Answer> {
    const { key } = targets[webhookRequest.webhook as WebhookName];
    const body = JSON.stringify(webhookRequest.body);
    const outgoing = request(`${url}/v1/webhook/${key}`, {
      method: 'POST',
      agent,
      headers: {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        ...webhookRequest.headers,
      },
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return new Promise((resolve) => {
      outgoing.on('response', (incoming) => void readAnswer(incoming).then(resolve));
      outgoing.on('error', (error: NodeJS.ErrnoException) => {
        // A refused connection or an incomplete body stores no event.
        const isRefused = error.code === 'ECONNREFUSED' || manner === 'broken';
        resolve({ kind: isRefused ? 'refused' : 'unknown', why: error.code ?? error.name });
      });
      void write(outgoing, body, manner);
    });
  }

  /** Reads the answer, and records each 503 and each answer that a valid request must not get. */
  async function readAnswer(incoming: IncomingMessage): Promise<Answer> {
    const status = incoming.statusCode ?? 0;
    try {
      let text = '';
      for await (const chunk of incoming) text += String(chunk);
      const { data } = JSON.parse(text) as {
        data: { eventId?: string; duplicate?: boolean; mode?: string; code?: string };
      };
      if (status === 200 && data.eventId !== undefined) {
        return {
          kind: 'acknowledged',
          eventId: data.eventId,
          duplicate: data.duplicate === true,
          held: data.mode === 'held',
        };
      }
      // A server that a fault had stopped takes a body for slow.
      const isSlow = data.code === 'request_timeout';
      const isFair = status === 503 && incoming.headers['retry-after'] !== undefined;
      if (!isFair && !isSlow)
        ledger.wrongAnswers.push(`a delivery was answered ${status}: ${text}`);
      const kind = isSlow || data.code === 'overloaded' ? 'refused' : 'unknown';
      return { kind, why: `${status} ${data.code ?? ''}` };
    } catch (error) {
      return { kind: 'unknown', why: `the answer broke off: ${String(error)}` };
    }
  }

  async function once(
    webhookRequest: WebhookRequest,
    random: Random,
    manner: Manner,
  ): Promise<Answer> {
    const url = random.pick(urls);
    const sending = ledger.open(webhookRequest, url);
    sending.answer = await post(webhookRequest, url, manner);
    return sending.answer;
  }

  /** Retries until the request is acknowledged or `maxTries` is reached. */
  async function deliver(
    webhookRequest: WebhookRequest,
    random: Random,
    manner: Manner = 'plain',
  ): Promise<Answer> {
    let answer = await once(webhookRequest, random, manner);
    for (let tries = 1; tries < maxTries && answer.kind !== 'acknowledged'; tries += 1) {
      await pause(Math.min(maxBackoffMs, firstBackoffMs * 2 ** tries) * (0.5 + random.next()));
      answer = await once(webhookRequest, random, 'plain');
    }
    return answer;
  }

  return { once, deliver, close: () => agent.destroy() };
}

async function write(outgoing: ClientRequest, body: string, manner: Manner): Promise<void> {
  const third = Math.ceil(body.length / 3);
  if (manner === 'slow') {
    outgoing.write(body.slice(0, third));
    await pause(pieceMs);
    outgoing.write(body.slice(third, 2 * third));
    await pause(pieceMs);
    outgoing.end(body.slice(2 * third));
  } else if (manner === 'broken') {
    outgoing.write(body.slice(0, third));
    await pause(pieceMs);
    outgoing.destroy();
  } else {
    outgoing.end(body);
    if (manner === 'plain') return;
    await pause(pieceMs / 10);
    outgoing.destroy();
  }
}

type LoadOptions = ProducerDeps & {
  readonly people: readonly Person[];
  readonly seed: number;
  readonly producers: number;
  /** The average time between two requests of one sender. */
  readonly pauseMs: number;
};

type Load = { stop(): Promise<void> };

/** Starts the senders, each with its own sequence of random numbers. */
export function startLoad(sender: Sender, options: LoadOptions): Load {
  let isStopped = false;

  async function produce(index: number): Promise<void> {
    const random = createRandom(options.seed * 1_000 + index);
    const composer = createEventComposer(options.people, random, `p${index}`);
    while (!isStopped) {
      await sendOne(sender, composer, random);
      await pause(options.pauseMs * 2 * random.next());
    }
  }

  const all = Promise.all(Array.from({ length: options.producers }, (_, n) => produce(n)));
  return {
    async stop() {
      isStopped = true;
      await all;
    },
  };
}

async function sendOne(sender: Sender, composer: EventComposer, random: Random): Promise<void> {
  const webhookRequest = composer.compose(random.pick(webhookNames));
  const manner = random.chance(0.85)
    ? 'plain'
    : random.pick<Manner>(['slow', 'slow', 'broken', 'hung up']);
  if (random.chance(0.06)) {
    await Promise.all([1, 2, 3].map(() => sender.deliver(webhookRequest, random)));
    return;
  }
  await sender.deliver(webhookRequest, random, manner);
  if (random.chance(0.12)) await sender.deliver(webhookRequest, random);
  else if (webhookRequest.webhook !== 'form' && random.chance(0.1)) {
    await sender.deliver(composer.contradict(webhookRequest), random);
  }
}
