/**
 * The hot path: `POST /v1/webhook/:keyapi`, before any other middleware.
 *
 * Promises: the path is taken off the request first, so that nothing behind can log the key; a success is a prebuilt
 * text around an id; everything under the mount that is no route answers as a bad key does; every request is answered
 * within 9 s of our own time.
 * Must never: read a body before the key is known to be good, or put the key anywhere but into its hash.
 */
import type { Request, RequestHandler, Response } from 'express';
import { AppError, type Language } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { Logger } from '../base/logger.ts';
import type { Metrics } from '../base/metrics.ts';
import type { Receiving, Taken } from '../receiving/receive.ts';
import type { Received } from '../receiving/take.ts';
import type { Admission, Place } from './admission.ts';
import { baseUrlOf } from './base-url.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { languageOf } from './envelope.ts';
import { toAppError } from './errors.ts';
import { readRaw } from './raw.ts';

export type ReceiveHandlerDeps = {
  readonly receiving: Pick<Receiving, 'authenticate' | 'greet' | 'requireReadable' | 'take'>;
  readonly maxBodyBytes: number;
  /** Base of the URL that a sender calls, for schemes that sign it; empty: taken from the request. */
  readonly publicUrl: string;
  readonly admission: Admission;
  /** Unique indexes that are missing: without them nothing may be acknowledged. */
  readonly lostIndexes?: () => readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
};

const route = '/v1/webhook/:keyapi';

/** Senders give up after 5 to 30 s; what is not stored by then is answered as unknown. */
const answerWithinMs = 9_000;

const unsafe = (lost: readonly string[]) =>
  new AppError('unavailable', {
    retryAfterMs: 10_000,
    internal: `Unique indexes are missing: ${lost.join(', ')}.`,
  });

type Told = Exclude<Received['mode'], 'handshake'>;
const messages: Readonly<Record<Told, Readonly<Record<Language, string>>>> = {
  event: { en: 'Webhook received.', 'pt-BR': 'Webhook recebido.', es: 'Webhook recibido.' },
  held: {
    en: 'Webhook received and held until the integration is resumed.',
    'pt-BR': 'Webhook recebido e retido até a integração ser retomada.',
    es: 'Webhook recibido y retenido hasta que se reanude la integración.',
  },
  sample: { en: 'Sample received.', 'pt-BR': 'Amostra recebida.', es: 'Muestra recibida.' },
};

type Target = { readonly key: string; readonly isRoute: boolean; readonly query: string };

/** Reads what the path and query say, and leaves nothing of them on the request. */
function takeTarget(request: Request): Target {
  const [path = '', ...query] = request.url.split('?');
  request.url = '/';
  request.originalUrl = route;
  const segment = path.slice(1);
  const isRoute = segment !== '' && !segment.includes('/');
  return { key: isRoute ? decoded(segment) : '', isRoute, query: query.join('?') };
}

/** What cannot be decoded is a key like any other: one that nobody has. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

function dataOf(received: Received): string {
  if (!('eventId' in received)) return '{"success":true,"mode":"sample"}';
  if (received.mode === 'held') {
    return `{"success":true,"eventId":"${received.eventId}","mode":"held"}`;
  }
  return `{"success":true,"eventId":"${received.eventId}","duplicate":${received.duplicate}}`;
}

function envelopeOf(request: Request, received: Received): string {
  if (received.mode === 'handshake') return '';
  const language = request.headers['accept-language'] === undefined ? 'en' : languageOf(request);
  const message = messages[received.mode][language];
  return `{"status":true,"message":"${message}","data":${dataOf(received)}}`;
}

function reply(request: Request, response: Response, { received, answer }: Taken): void {
  // As text, head and body leave in one write.
  const body = answer ? answer.body : envelopeOf(request, received);
  response.writeHead(answer?.status ?? 200, {
    'Content-Type': answer?.contentType ?? 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...answer?.headers,
  });
  response.end(body);
}

export function createReceiveHandler(deps: ReceiveHandlerDeps): RequestHandler {
  const { receiving, maxBodyBytes, publicUrl, admission, logger, metrics } = deps;
  const { lostIndexes = () => [] } = deps;

  const partsOf = (request: Request, { key, query }: Target) => ({
    key,
    contentType: request.headers['content-type'],
    headers: request.headers,
    query: new URLSearchParams(query),
    method: request.method,
    url: `${publicUrl || baseUrlOf(request)}/v1/webhook/${key}${query && `?${query}`}`,
  });

  /** Some senders ask by GET or HEAD before they deliver; to anybody else the method is not allowed. */
  async function greet(request: Request, target: Target): Promise<Taken> {
    const webhook = await receiving.authenticate(target.key).catch(ifKnown);
    const answer = webhook && receiving.greet(webhook, partsOf(request, target));
    if (answer) return { received: { mode: 'handshake' }, answer };
    throw new AppError('method_not_allowed', { details: { allow: 'POST' } });
  }

  async function receive(request: Request, target: Target, hand: Hand): Promise<Taken> {
    const { line, place, deadline } = hand;
    if (target.isRoute && request.method !== 'POST') return greet(request, target);
    const webhook = await receiving.authenticate(target.key);
    if (!target.isRoute) throw new AppError('invalid_key');
    line.webhookId = webhook._id;
    const { headers } = request;
    receiving.requireReadable(webhook, headers['content-type']);
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      throw new AppError('unsupported_media_type');
    }
    deadline.halt();
    const raw = await readRaw(request, maxBodyBytes, (bytes) => place.hold(bytes));
    deadline.run();
    line.bytes = raw.length;
    return receiving.take(webhook, partsOf(request, target), raw);
  }

  /** The place is given back when the work has ended, which may be after the answer. */
  async function answerInTime(request: Request, target: Target, line: Line): Promise<Taken> {
    const lost = lostIndexes();
    if (lost.length > 0) throw unsafe(lost);
    const place = admission.enter();
    const deadline = createDeadline(answerWithinMs);
    deadline.run();
    const work = receive(request, target, { line, place, deadline });
    const end = () => {
      deadline.halt();
      place.leave();
    };
    work.then(end, end);
    return Promise.race([work, deadline.passed]);
  }

  return async (request, response, next) => {
    const startedMs = performance.now();
    const target = takeTarget(request);
    const line: Line = { requestId: newId() };
    response.setHeader('X-Request-Id', line.requestId);
    try {
      const taken = await answerInTime(request, target, line);
      reply(request, response, taken);
      Object.assign(line, taken.received);
      count(taken.received, metrics);
    } catch (error) {
      const { code } = toAppError(error);
      line.code = code;
      metrics.rejected.inc({ code });
      next(error);
    } finally {
      const durationMs = performance.now() - startedMs;
      metrics.receiveSeconds.observe(durationMs / 1_000);
      const said = line.code === undefined ? 'event.received' : 'event.refused';
      logger.info({ ...line, durationMs: Math.round(durationMs) }, said);
    }
  };
}

function count(received: Received, metrics: Metrics): void {
  metrics.received.inc({ mode: received.mode });
  if ('duplicate' in received && received.duplicate) metrics.duplicates.inc();
}

/** A key that nobody has says no more here than a method that is not allowed. */
function ifKnown(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_key') return null;
  throw error;
}

/** What a request has in hand while it is worked on. */
type Hand = { readonly line: Line; readonly place: Place; readonly deadline: Deadline };

/** What is said of one request: ids and sizes, nothing of its content. */
type Line = { requestId: string; webhookId?: string; bytes?: number; code?: string };
