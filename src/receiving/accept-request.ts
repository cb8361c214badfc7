/**
 * The way in: from a request on the secret URL to an acknowledgement.
 *
 * In this order: the key names a webhook; the source is judged by its address and its rate; the content type; the body
 * within its limit; its signature; decoding; then handshake, ping, sample, event or held event.
 * Promises: an answer is given only for what is stored. Must never wait for Redis, or let the key go further than here.
 */
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId, sha256 } from '../base/ids.ts';
import type { Vault } from '../base/secrets/vault.ts';
import { receptionModeOf, type Sample, type Webhook } from '../domain/webhooks/webhook.ts';
import type { Answer } from '../producers/handshake/handshake.ts';
import type { Producer } from '../producers/producer.ts';
import { configuredAnswer } from '../producers/sender-checks.ts';
import { inboundRequestOf, type SenderRequest } from './inbound-request.ts';
import type { WebhookCache, ResolvedKey } from './webhook-cache.ts';
import { createCourtesy, type Visit } from './sender-verification.ts';
import { createKeyLookup, type KeyLookupLimits } from './key-lookup.ts';
import { createSourcePolicy } from './source-policy.ts';
import { createReceipts, type ReceiptDeps } from './receipts.ts';
import { createRecordSamples } from './samples.ts';
import {
  createTakeEvent,
  type DecodedRequest,
  type ReceiveResult,
  type RecordEventDeps,
} from './record-event.ts';

/** What was taken, and what is answered instead of the envelope, if anything. */
export type AcceptedRequest = { readonly result: ReceiveResult; readonly answer: Answer | null };

export type ReceiveDeps = RecordEventDeps &
  ReceiptDeps & {
    readonly webhookCache: WebhookCache;
    readonly vault: Pick<Vault, 'open'>;
    readonly producerOf: (profile: string) => Producer;
    readonly samples: { add(sample: Sample): Promise<void> };
    readonly webhooks: {
      markSampled(id: string): Promise<void>;
      get(id: string): Promise<Webhook | null>;
    };
    readonly keyLookupLimits?: Partial<KeyLookupLimits>;
    /** Told of each request that came with a good key. */
    readonly countKeyUse?: (keyId: string) => void;
  };

export type Receiving = ReturnType<typeof createReceiving>;

function createAuthenticate(deps: ReceiveDeps) {
  const { webhookCache, clock = systemClock, keyLookupLimits, countKeyUse } = deps;
  const isGood = ({ webhook }: ResolvedKey) => receptionModeOf(webhook.status) !== 'refused';
  const enter = createKeyLookup({ cache: webhookCache, isGood, clock, limits: keyLookupLimits });

  /**
   * Throws `overloaded`, or `invalid_key`, the same for a missing, malformed, unknown, revoked and archived one, after the
   * same work.
   */
  return async function authenticate(key: string, neighbourOf: () => string): Promise<Webhook> {
    const found = await enter(sha256(key), neighbourOf);
    if (!found || !isGood(found)) throw new AppError('invalid_key');
    countKeyUse?.(found.keyId);
    return found.webhook;
  };
}

export function createReceiving(deps: ReceiveDeps) {
  const { producerOf, samples, webhooks, clock = systemClock } = deps;
  const takeEvent = createTakeEvent(deps);
  const judge = createSourcePolicy(clock);
  const findReceipt = createReceipts(deps);
  const authenticate = createAuthenticate(deps);
  const { greetingFor, requireSigned } = createCourtesy(deps);

  function requireReadable(webhook: Webhook, contentType: string | undefined): void {
    if (producerOf(webhook.producerProfile).acceptsContentType(contentType)) return;
    throw new AppError('unsupported_media_type');
  }

  /** Takes a whole body; resolves once it is stored as what the webhook's status makes of it. */
  async function take(
    webhook: Webhook,
    request: SenderRequest,
    raw: Buffer,
  ): Promise<AcceptedRequest> {
    const producer = producerOf(webhook.producerProfile);
    requireSigned({ producer, webhook, request }, { rawBody: raw, now: clock.now() });
    const begun = begin({ producer, webhook, request }, raw);
    if (begun.answer) return { result: { mode: 'handshake' }, answer: begun.answer };
    return { result: await begun.kept, answer: configuredAnswer(producer, webhook.settings) };
  }

  /** Apart, and not async: what was decoded is several times its text, and must not wait in memory to be stored. */
  function begin({ producer, webhook, request }: Visit, raw: Buffer) {
    const delivery = inboundRequestOf(request, raw);
    const { contentType } = request;
    const decoded = producer.decodeBody({ contentType, body: delivery.body });
    if (!decoded.ok) throw new AppError(decoded.code, { internal: decoded.message });
    const content = { delivery, body: decoded.value };
    const greeting = greetingFor({ producer, webhook, request }, content.body);
    return greeting ? { answer: greeting } : { kept: keep(webhook, content, producer) };
  }

  function keep(
    webhook: Webhook,
    content: DecodedRequest,
    producer: Producer,
  ): Promise<ReceiveResult> {
    const { headers, query } = content.delivery;
    const isPing = producer.isPing?.({ body: content.body, headers, query }) ?? false;
    if (isPing) return keepSample(webhook, content).then(() => ({ mode: 'sample' }));
    if (receptionModeOf(webhook.status) === 'sample') return takeSample(webhook, content);
    return takeEvent(webhook, content, { receivedAt: clock.now() });
  }

  /** A webhook that became active meanwhile gets the sample as an event too; its id follows from the sample's. */
  async function takeSample(webhook: Webhook, content: DecodedRequest): Promise<ReceiveResult> {
    const { receivedAt, _id: sampleId } = await keepSample(webhook, content);
    const now = await webhooks.get(webhook._id);
    const reception = now ? receptionModeOf(now.status) : 'refused';
    if (!now || reception === 'sample' || reception === 'refused') return { mode: 'sample' };
    return takeEvent(now, content, { receivedAt, sampleId });
  }

  async function keepSample(webhook: Webhook, { delivery }: DecodedRequest): Promise<Sample> {
    const sample: Sample = {
      _id: newId(),
      webhookId: webhook._id,
      receivedAt: clock.now(),
      source: 'webhook',
      ...delivery,
    };
    await samples.add(sample);
    await webhooks.markSampled(webhook._id);
    return sample;
  }

  const greet = (webhook: Webhook, request: SenderRequest): Answer | null =>
    greetingFor({ producer: producerOf(webhook.producerProfile), webhook, request });

  const recordSamples = createRecordSamples({ producerOf, takeEvent });
  return { authenticate, judge, findReceipt, requireReadable, greet, take, recordSamples };
}
