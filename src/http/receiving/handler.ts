/**
 * The hot path: `POST /v1/webhook/:keyapi`, before any other middleware; and the receipts of what came by it.
 *
 * Promises: the path is taken off the request first, so that nothing behind can log the key; everything under the mount
 * that is no route answers as a bad key does; every request is answered within 9 s of our own time; whoever has no good
 * key takes none of the places for bodies.
 * Must never: read a body before the key is known to be good, or put the key anywhere but into its hash.
 */
import type { Request, RequestHandler, Response } from 'express';
import { AppError, type ErrorCode } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { Metrics } from '../../base/observability/metrics.ts';
import { clientNetworkOf } from '../../domain/access/ip-address.ts';
import type { Receipt } from '../../receiving/receipts.ts';
import type { Receiving, AcceptedRequest } from '../../receiving/accept-request.ts';
import type { ReceiveResult } from '../../receiving/record-event.ts';
import { acknowledge } from './acknowledge.ts';
import type { Admission, AdmissionSlot } from './admission.ts';
import { baseUrlOf } from '../requests/base-url.ts';
import { createDeadline, type Deadline } from '../requests/deadline.ts';
import { languageOf, sendJson, successBody, successMessages } from '../envelope.ts';
import { toAppError } from '../error-handler.ts';
import type { AuthThrottle } from '../auth/auth-throttle.ts';
import { readRawBody } from '../requests/raw-body.ts';
import { extractTarget, type RequestTarget } from './target.ts';

export type ReceiveHandlerDeps = {
  readonly receiving: Pick<
    Receiving,
    'authenticate' | 'greet' | 'judge' | 'findReceipt' | 'requireReadable' | 'take'
  >;
  readonly maxBodyBytes: number;
  /** Base of the URL that a sender calls, for schemes that sign it; empty: taken from the request. */
  readonly publicUrl: string;
  readonly admission: Admission;
  readonly failures: AuthThrottle;
  /** Unique indexes that are missing: without them nothing may be acknowledged. */
  readonly lostIndexes?: () => readonly string[];
  readonly logger: Logger;
  readonly metrics: Metrics;
};

/** Senders give up after 5 to 30 s; what is not stored by then is answered as unknown. */
const answerWithinMs = 9_000;

const unsafe = (lost: readonly string[]) =>
  new AppError('unavailable', {
    retryAfterMs: 10_000,
    internal: `Unique indexes are missing: ${lost.join(', ')}.`,
  });

/** A request below the mount, from its key to what is answered. */
function createVisits({ receiving, failures, maxBodyBytes, publicUrl }: ReceiveHandlerDeps) {
  const partsOf = (request: Request, { key, query }: RequestTarget) => ({
    key,
    contentType: request.headers['content-type'],
    headers: request.headers,
    query: new URLSearchParams(query),
    method: request.method,
    url: `${publicUrl || baseUrlOf(request)}/v1/webhook/${key}${query && `?${query}`}`,
  });
  const authenticate = (request: Request, { key }: RequestTarget) => {
    const found = receiving.authenticate(key, () => clientNetworkOf(addressOf(request)));
    return failures.watch('key', () => addressOf(request), found);
  };

  /** Some senders ask by GET or HEAD before they deliver; to anybody else the method is not allowed. */
  async function greet(request: Request, target: RequestTarget): Promise<AcceptedRequest> {
    const webhook = await authenticate(request, target).catch(ifKnown);
    const answer = webhook && receiving.greet(webhook, partsOf(request, target));
    if (!webhook || !answer) throw onlyBy('POST');
    receiving.judge(webhook, () => addressOf(request));
    return { result: { mode: 'handshake' }, answer };
  }

  async function receive(
    request: Request,
    target: RequestTarget,
    hand: Hand,
  ): Promise<AcceptedRequest> {
    const { line, deadline } = hand;
    if (target.route === 'delivery' && request.method !== 'POST') return greet(request, target);
    const webhook = await authenticate(request, target);
    if (target.route === 'nothing') throw new AppError('invalid_key');
    line.webhookId = webhook._id;
    receiving.judge(webhook, () => addressOf(request));
    const { headers } = request;
    receiving.requireReadable(webhook, headers['content-type']);
    if ((headers['content-encoding'] ?? 'identity').toLowerCase() !== 'identity') {
      throw new AppError('unsupported_media_type');
    }
    const place = hand.enter();
    deadline.halt();
    const raw = await readRawBody(request, maxBodyBytes, (bytes) => place.reserve(bytes));
    deadline.run();
    line.bytes = raw.length;
    return receiving.take(webhook, partsOf(request, target), raw);
  }

  /** Judged by its address like a delivery; what it is worth is counted apart. */
  async function tell(request: Request, target: RequestTarget, { line }: Hand): Promise<Receipt> {
    if (request.method !== 'GET' && request.method !== 'HEAD') throw onlyBy('GET, HEAD');
    const webhook = await authenticate(request, target);
    line.webhookId = webhook._id;
    receiving.judge(webhook, () => addressOf(request), 'address');
    const receipt = await receiving.findReceipt(webhook, target.receiptQuery);
    if (!receipt) throw new AppError('not_found');
    line.eventId = receipt.eventId;
    return receipt;
  }

  return { receive, tell };
}

const addressOf = (request: Request): string => request.ip ?? '';
const onlyBy = (allow: string) => new AppError('method_not_allowed', { details: { allow } });

export function createReceiveHandler(deps: ReceiveHandlerDeps): RequestHandler {
  const { admission, logger, metrics, lostIndexes = () => [] } = deps;
  const { receive, tell } = createVisits(deps);

  /** The place is given back when the work has ended, which may be after the answer. */
  function inTime<Result>(line: Line, work: (hand: Hand) => Promise<Result>): Promise<Result> {
    const lost = lostIndexes();
    if (lost.length > 0) throw unsafe(lost);
    const deadline = createDeadline(answerWithinMs);
    let place: AdmissionSlot | undefined;
    deadline.run();
    const worked = work({ line, deadline, enter: () => (place = admission.acquire()) }).finally(
      () => {
        deadline.halt();
        place?.release();
      },
    );
    return Promise.race([worked, deadline.passed]);
  }

  async function answerDelivery({ request, response, target, line }: Asked): Promise<void> {
    const startedMs = performance.now();
    try {
      const taken = await inTime(line, (hand) => receive(request, target, hand));
      acknowledge(request, response, taken);
      Object.assign(line, taken.result);
      count(taken.result, metrics);
    } catch (error) {
      line.code = toAppError(error).code;
      metrics.rejected.inc({ code: line.code });
      throw error;
    } finally {
      const durationMs = performance.now() - startedMs;
      metrics.receiveSeconds.observe(durationMs / 1_000);
      const said = line.code === undefined ? 'event.received' : 'event.rejected';
      logger.info({ ...line, durationMs: Math.round(durationMs) }, said);
    }
  }

  async function answerReceipt({ request, response, target, line }: Asked): Promise<void> {
    try {
      const receipt = await inTime(line, (hand) => tell(request, target, hand));
      sendJson(response, 200, successBody(successMessages.read[languageOf(request)], receipt));
    } catch (error) {
      line.code = toAppError(error).code;
      throw error;
    } finally {
      metrics.receipts.inc({ result: line.code ?? 'found' });
      logger.info(line, 'receipt.requested');
    }
  }

  return async (request, response) => {
    const target = extractTarget(request);
    const line: Line = { requestId: newId() };
    response.setHeader('X-Request-Id', line.requestId);
    const answer = target.route === 'receipt' ? answerReceipt : answerDelivery;
    await answer({ request, response, target, line });
  };
}

type Asked = {
  readonly request: Request;
  readonly response: Response;
  readonly target: RequestTarget;
  readonly line: Line;
};

function count(received: ReceiveResult, metrics: Metrics): void {
  metrics.received.inc({ mode: received.mode });
  if ('duplicate' in received && received.duplicate) metrics.duplicates.inc();
}

/** A key that nobody has says no more here than a method that is not allowed. */
function ifKnown(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_key') return null;
  throw error;
}

/** What a request has in hand while it is worked on. A place is for what comes with a body. */
type Hand = {
  readonly line: Line;
  readonly deadline: Deadline;
  readonly enter: () => AdmissionSlot;
};

/** What is said of one request: ids and sizes, nothing of its content. */
type Line = {
  requestId: string;
  webhookId?: string;
  eventId?: string;
  bytes?: number;
  code?: ErrorCode;
};
