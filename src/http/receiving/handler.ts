/**
 * The hot path `POST /v1/webhook/:keyapi` and the receipts below it.
 *
 * Promises: the path is taken off the request first, so nothing later can log the key. A path below the mount that is no
 * route is answered like a wrong key. Every request is answered within 9 s of the server's own time. A request takes an
 * admission slot only after its key was found valid.
 * Must never: read a body before that, or use the key for anything but its hash and the URL that the sender signed.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { newRequestId } from '../../base/ids.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics, ReceiveOutcome } from '../../base/observability/metrics.ts';
import { observeWithExemplar } from '../../base/observability/open-metrics.ts';
import {
  startRequestSpan,
  traceLabelOf,
  type Span,
  type SpanTitle,
  type Tracing,
} from '../../base/observability/tracing.ts';
import { acceptRequest, answerProbe } from '../../receiving/accept-request.ts';
import { readReceipt } from '../../receiving/receipts.ts';
import type { Receiving } from '../../receiving/receiving.ts';
import type { ReceiveResult } from '../../receiving/recording/record-event.ts';
import type { RejectionLog } from '../../receiving/rejections/rejection-log.ts';
import type { SenderRequest } from '../../receiving/sender-request.ts';
import { languageOf, sendJson, successBody } from '../envelope.ts';
import { statusOf, toAppError } from '../error-handler.ts';
import { baseUrlOf } from '../requests/base-url.ts';
import { clientAddressOf } from '../requests/client-address.ts';
import { createDeadline } from '../requests/deadline.ts';
import type { Admission, AdmissionSlot } from '../requests/admission.ts';
import { readRawBody, uploadPace as pace } from '../requests/raw-body.ts';
import { acknowledge, type AnswerHeaders } from './acknowledge.ts';
import { noteRejection } from './rejected-request.ts';
import { extractTarget, templates, type RequestTarget } from './target.ts';
import { renderText } from '../../base/texts/texts.ts';

type ReceiveHandlerDeps = {
  readonly receiving: Receiving;
  readonly maxBodyBytes: number;
  /** Base of the URL that senders call, for schemes that sign it; empty: taken from the request. */
  readonly publicUrl: string;
  readonly admission: Admission;
  /** Keeps what is rejected of known webhooks. */
  readonly rejections: RejectionLog;
  /** Returns the unique indexes that are missing. Without them nothing may be acknowledged. */
  readonly lostIndexes?: () => readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
};

type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The request with what Express adds: client address, host and protocol behind trusted proxies, languages. */
  readonly asExpress: () => Request;
  readonly target: RequestTarget;
  readonly log: LogLine;
  readonly span: Span;
  body?: Buffer;
  /** How long its upload took, once it has ended or failed. */
  bodyMs?: number;
};

/** The log line of a request: ids and sizes, no content. */
type LogLine = {
  requestId: string;
  webhookId?: string;
  mode?: ReceiveResult['mode'];
  eventId?: string;
  bytes?: number;
  code?: ErrorCode;
};

/** Senders give up after 5 to 30 s. */
const answerWithinMs = 9_000;

/** The headers of every answer. They are set late: Node writes the head of an answer without earlier headers in one piece. */
const headersOf = ({ requestId }: LogLine): AnswerHeaders => [
  ['X-Request-Id', requestId],
  ['Content-Security-Policy', inertPolicy],
];

/**
 * Responses under /v1/webhook have the origin of the console, and settings or senders decide about some of them. A browser
 * gives a sandboxed document an origin of its own and runs no script in it.
 */
const inertPolicy = "sandbox; default-src 'none'";

/** Built once, so that a request that is not traced allocates nothing for it. */
const spanTitles: Readonly<Record<RequestTarget['route'], SpanTitle>> = {
  webhook: { name: 'receive', route: templates.webhook },
  unknown: { name: 'receive', route: templates.unknown },
  receipt: { name: null, route: templates.receipt },
};

/** Answers a request whose URL begins below /v1/webhook. Rejects with the error that is to be answered. */
export type ReceiveHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  asExpress: () => Request,
) => Promise<void>;

export const createReceiveHandler =
  (deps: ReceiveHandlerDeps): ReceiveHandler =>
  async (request, response, asExpress) => {
    const target = extractTarget(request);
    const log: LogLine = { requestId: newRequestId() };
    const answer = target.route === 'receipt' ? sendReceipt : receive;
    const span = startRequestSpan(deps.tracing, request, spanTitles[target.route]);
    await answer(deps, { request, response, asExpress, target, log, span });
  };

async function receive(deps: ReceiveHandlerDeps, exchange: Exchange): Promise<void> {
  const { logger, metrics } = deps;
  const { request, response, asExpress, target, log, span } = exchange;
  const startedMs = performance.now();
  let outcome: ReceiveOutcome = 'server_error';
  let status = statusOf.internal;
  const isProbe = target.route === 'webhook' && request.method !== 'POST';
  const accept = isProbe ? answerProbe : acceptRequest;
  try {
    const accepted = await withinDeadline(deps, exchange, (sent) => accept(deps.receiving, sent));
    const isAsked = request.headers['accept-language'] !== undefined;
    const language = isAsked ? languageOf(asExpress()) : 'en';
    acknowledge(response, accepted, { language, headers: headersOf(log) });
    Object.assign(log, accepted.result);
    outcome = countReceived(metrics, accepted.result);
    status = response.statusCode;
  } catch (error) {
    const rejection = toAppError(error);
    log.code = rejection.code;
    status = statusOf[rejection.kind];
    if (status < 500) outcome = 'client_error';
    metrics.rejected.inc({ code: log.code });
    note(deps, exchange, rejection);
    response.setHeaders(new Map(headersOf(log)));
    throw error;
  } finally {
    const durationMs = performance.now() - startedMs;
    const { bodyMs = 0 } = exchange;
    observeWithExemplar(metrics.receiveSeconds, {
      labels: { outcome },
      value: (durationMs - bodyMs) / 1_000,
      exemplar: { request_id: log.requestId, ...traceLabelOf(span.context) },
    });
    if (exchange.bodyMs !== undefined) metrics.bodySeconds.observe(bodyMs / 1_000);
    logRequest(logger, log, durationMs);
    endSpan(exchange, outcome, status);
  }
}

/** The inserts of events have a line of their own, so that a busy server does not write one for each event. */
function logRequest(logger: Logger, log: Exchange['log'], durationMs: number): void {
  const line = { ...log, durationMs: Math.round(durationMs) };
  if (log.code !== undefined) logger.info(line, 'event.rejected');
  else if (log.mode === 'event' || log.mode === 'held') logger.debug(line, 'event.received');
  else logger.info(line, 'event.received');
}

function endSpan({ span, log }: Exchange, outcome: string, status: number): void {
  const { webhookId, eventId, bytes, code } = log;
  span.set('http.response.status_code', status);
  span.set('inlet.outcome', outcome);
  if (webhookId !== undefined) span.set('inlet.webhook.id', webhookId);
  if (eventId !== undefined) span.set('inlet.event.id', eventId);
  if (bytes !== undefined) span.set('http.request.body.size', bytes);
  if (code !== undefined) span.set('inlet.reason', code);
  if (status >= 500) span.fail();
  span.end();
}

/** Before authentication the log line has no webhook. */
function note({ rejections }: ReceiveHandlerDeps, exchange: Exchange, error: AppError): void {
  const { request, asExpress, target: sent, log, body } = exchange;
  const { webhookId } = log;
  if (webhookId === undefined) return;
  const address = clientAddressOf(asExpress()) ?? '';
  noteRejection(rejections, request, { webhookId, error, sent, address, body });
}

async function sendReceipt(deps: ReceiveHandlerDeps, exchange: Exchange): Promise<void> {
  const { request, response, asExpress, target, log } = exchange;
  let status = 200;
  response.setHeaders(new Map(headersOf(log)));
  try {
    const receipt = await withinDeadline(deps, exchange, async (sent) => {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        throw new AppError('method_not_allowed', { details: { allow: 'GET, HEAD' } });
      }
      return readReceipt(deps.receiving, sent, target.receiptQuery);
    });
    sendJson(
      response,
      200,
      successBody(renderText('success.read', languageOf(asExpress())), receipt),
    );
  } catch (error) {
    const rejection = toAppError(error);
    log.code = rejection.code;
    status = statusOf[rejection.kind];
    throw error;
  } finally {
    endSpan(exchange, log.code === undefined ? 'found' : 'rejected', status);
    deps.metrics.receipts.inc({ result: log.code ?? 'found' });
    deps.logger.info(log, 'receipt.requested');
  }
}

/**
 * Rejects with `unavailable` when `work` takes longer than 9 s, the reading of the body aside. The admission slot is
 * released when the work ends, which may be after the answer.
 */
function withinDeadline<Result>(
  deps: ReceiveHandlerDeps,
  exchange: Exchange,
  work: (sent: SenderRequest) => Promise<Result>,
): Promise<Result> {
  requireIndexes(deps);
  const { request, asExpress, target, log } = exchange;
  const deadline = createDeadline(answerWithinMs);
  let slot: AdmissionSlot | undefined;

  async function readBody(webhookId: string): Promise<Buffer> {
    const acquired = deps.admission.acquire(webhookId);
    slot = acquired;
    deadline.halt();
    const { maxBodyBytes: maxBytes } = deps;
    const bodyStartedMs = performance.now();
    const body = await readRawBody(request, { maxBytes, reservation: acquired, pace }).finally(
      () => (exchange.bodyMs = performance.now() - bodyStartedMs),
    );
    deadline.run();
    log.bytes = body.length;
    exchange.body = body;
    return body;
  }

  deadline.run();
  const worked = work({
    key: target.key,
    method: request.method ?? '',
    headers: request.headers,
    query: target.query,
    url: () => senderUrlOf(deps.publicUrl || baseUrlOf(asExpress()), target),
    clientAddress: () => clientAddressOf(asExpress()) ?? '',
    readBody,
    log,
    trace: exchange.span.context ?? undefined,
  }).finally(() => {
    deadline.halt();
    slot?.release();
  });
  return Promise.race([worked, deadline.passed]);
}

function requireIndexes({ lostIndexes = () => [] }: ReceiveHandlerDeps): void {
  const lost = lostIndexes();
  if (lost.length === 0) return;
  const internal = `Unique indexes are missing: ${lost.join(', ')}.`;
  throw new AppError('unavailable', { retryAfterMs: 10_000, internal });
}

const senderUrlOf = (baseUrl: string, { key, query }: RequestTarget): string =>
  `${baseUrl}/v1/webhook/${key}${query && `?${query}`}`;

/** Returns the outcome of the request. */
function countReceived(metrics: Metrics, result: ReceiveResult): ReceiveOutcome {
  metrics.received.inc({ mode: result.mode });
  if (!('duplicate' in result) || !result.duplicate) return result.mode;
  metrics.duplicates.inc();
  return 'duplicate';
}
