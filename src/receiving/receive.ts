/**
 * The way in: from a request on the secret URL to an acknowledgement.
 *
 * In this order: the key names a webhook; (a source's address and its rate would be judged here, before the body costs
 * anything); the content type; the body within its limit; its signature; decoding; then handshake, ping, sample, event
 * or held event.
 * Promises: an answer is given only for what is stored. Must never wait for Redis, or let the key go further than here.
 */
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId, sha256 } from '../base/ids.ts';
import { receptionOf, type Sample, type Webhook } from '../domain/webhook.ts';
import type { Answer } from '../producers/handshake/handshake.ts';
import type { Producer } from '../producers/producer.ts';
import { answerOf } from '../producers/reception.ts';
import { deliveryOf, type SenderRequest } from './delivery.ts';
import type { Directory } from './directory.ts';
import { greetingFor, requireSigned } from './courtesy.ts';
import { createRecordSamples } from './samples.ts';
import { createTakeEvent, type Content, type Received, type TakeEventDeps } from './take.ts';

/** What was taken, and what is answered instead of the envelope, if anything. */
export type Taken = { readonly received: Received; readonly answer: Answer | null };

export type ReceiveDeps = TakeEventDeps & {
  readonly directory: Directory;
  readonly producerOf: (profile: string) => Producer;
  readonly samples: { add(sample: Sample): Promise<void> };
  readonly webhooks: {
    markSampled(id: string): Promise<void>;
    get(id: string): Promise<Webhook | null>;
  };
};

type Visit = Parameters<typeof greetingFor>[0];

export type Receiving = ReturnType<typeof createReceiving>;

export function createReceiving(deps: ReceiveDeps) {
  const { directory, producerOf, samples, webhooks, clock = systemClock } = deps;
  const takeEvent = createTakeEvent(deps);

  /** Throws `invalid_key`, the same for a missing, malformed, unknown, revoked and archived one, after the same work. */
  async function authenticate(key: string): Promise<Webhook> {
    const found = await directory.find(sha256(key));
    if (!found || receptionOf(found.webhook.status) === 'refused')
      throw new AppError('invalid_key');
    return found.webhook;
  }

  function requireReadable(webhook: Webhook, contentType: string | undefined): void {
    if (producerOf(webhook.producerProfile).acceptsContentType(contentType)) return;
    throw new AppError('unsupported_media_type');
  }

  /** Takes a whole body; resolves once it is stored as what the webhook's status makes of it. */
  async function take(webhook: Webhook, request: SenderRequest, raw: Buffer): Promise<Taken> {
    const producer = producerOf(webhook.producerProfile);
    requireSigned({ producer, webhook, request }, { rawBody: raw, now: clock.now() });
    const begun = begin({ producer, webhook, request }, raw);
    if (begun.answer) return { received: { mode: 'handshake' }, answer: begun.answer };
    return { received: await begun.kept, answer: answerOf(producer, webhook.settings) };
  }

  /** Apart, and not async: what was decoded is several times its text, and must not wait in memory to be stored. */
  function begin({ producer, webhook, request }: Visit, raw: Buffer) {
    const delivery = deliveryOf(request, raw);
    const { contentType } = request;
    const decoded = producer.decodeBody({ contentType, body: delivery.body });
    if (!decoded.ok) throw new AppError(decoded.code, { internal: decoded.message });
    const content = { delivery, body: decoded.value };
    const greeting = greetingFor({ producer, webhook, request }, content.body);
    return greeting ? { answer: greeting } : { kept: keep(webhook, content, producer) };
  }

  function keep(webhook: Webhook, content: Content, producer: Producer): Promise<Received> {
    const { headers, query } = content.delivery;
    const isPing = producer.isPing?.({ body: content.body, headers, query }) ?? false;
    if (isPing) return keepSample(webhook, content).then(() => ({ mode: 'sample' }));
    if (receptionOf(webhook.status) === 'sample') return takeSample(webhook, content);
    return takeEvent(webhook, content, { receivedAt: clock.now() });
  }

  /** A webhook that became active meanwhile gets the sample as an event too; its id follows from the sample's. */
  async function takeSample(webhook: Webhook, content: Content): Promise<Received> {
    const { receivedAt, _id: sampleId } = await keepSample(webhook, content);
    const now = await webhooks.get(webhook._id);
    const reception = now ? receptionOf(now.status) : 'refused';
    if (!now || reception === 'sample' || reception === 'refused') return { mode: 'sample' };
    return takeEvent(now, content, { receivedAt, sampleId });
  }

  async function keepSample(webhook: Webhook, { delivery }: Content): Promise<Sample> {
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
  return { authenticate, requireReadable, greet, take, recordSamples };
}
