/**
 * The way in: from a request on the secret URL to an acknowledgement.
 *
 * In this order: the key names a webhook; (a source's address, its signature and its rate would be judged here, before
 * the body costs anything); the content type; the body within its limit; decoding; then sample, event or held event.
 * Promises: an answer is given only for what is stored. Must never wait for Redis, or let the key go further than here.
 */
import { systemClock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { newId, sha256 } from '../base/ids.ts';
import type { Delivery } from '../domain/event.ts';
import { receptionOf, type Sample, type Webhook } from '../domain/webhook.ts';
import type { Producer } from '../producers/producer.ts';
import { deliveryOf, type RequestParts } from './delivery.ts';
import type { Directory } from './directory.ts';
import {
  createTakeEvent,
  reachable,
  type Content,
  type Received,
  type TakeEventDeps,
} from './take.ts';

export type ReceiveDeps = TakeEventDeps & {
  readonly directory: Directory;
  readonly producerOf: (profile: string) => Producer;
  readonly samples: { add(sample: Sample): Promise<void> };
  readonly webhooks: {
    markSampled(id: string): Promise<void>;
    get(id: string): Promise<Webhook | null>;
  };
};

export type Receiving = ReturnType<typeof createReceiving>;

export function createReceiving(deps: ReceiveDeps) {
  const { directory, producerOf, samples, webhooks, clock = systemClock } = deps;
  const takeEvent = createTakeEvent(deps);

  /** Throws `invalid_key`, the same for a missing, malformed, unknown, revoked and archived one, after the same work. */
  async function authenticate(key: string): Promise<Webhook> {
    const found = await reachable(directory.find(sha256(key)));
    if (!found || receptionOf(found.webhook.status) === 'refused')
      throw new AppError('invalid_key');
    return found.webhook;
  }

  function requireReadable(webhook: Webhook, contentType: string | undefined): void {
    if (producerOf(webhook.producerProfile).acceptsContentType(contentType)) return;
    throw new AppError('unsupported_media_type');
  }

  /** Takes a whole body; resolves once it is stored as what the webhook's status makes of it. */
  async function take(webhook: Webhook, request: RequestParts, raw: Buffer): Promise<Received> {
    const delivery = deliveryOf(request, raw);
    const decoded = producerOf(webhook.producerProfile).decodeBody({
      contentType: request.contentType,
      body: delivery.body,
    });
    if (!decoded.ok) throw new AppError(decoded.code, { internal: decoded.message });
    const content = { delivery, body: decoded.value };
    if (receptionOf(webhook.status) === 'sample') return takeSample(webhook, content);
    return takeEvent(webhook, content, { receivedAt: clock.now() });
  }

  /** A webhook that became active meanwhile gets the sample as an event too; its id follows from the sample's. */
  async function takeSample(webhook: Webhook, { delivery, body }: Content): Promise<Received> {
    const sample: Sample = {
      _id: newId(),
      webhookId: webhook._id,
      receivedAt: clock.now(),
      source: 'webhook',
      ...delivery,
    };
    await reachable(samples.add(sample).then(() => webhooks.markSampled(webhook._id)));
    const now = await reachable(webhooks.get(webhook._id));
    const reception = now ? receptionOf(now.status) : 'refused';
    if (!now || reception === 'sample' || reception === 'refused') return { mode: 'sample' };
    return takeEvent(
      now,
      { delivery, body },
      { receivedAt: sample.receivedAt, sampleId: sample._id },
    );
  }

  /** Turns kept samples into events, each once however often it is asked; returns how many were new. */
  async function recordSamples(kept: readonly Sample[], webhook: Webhook): Promise<number> {
    const results = await Promise.all(
      kept.map(async ({ _id: sampleId, receivedAt, contentType, headers, query, body: raw }) => {
        const delivery: Delivery = { body: raw, contentType, headers, query };
        const decoded = producerOf(webhook.producerProfile).decodeBody({ contentType, body: raw });
        if (!decoded.ok) return false;
        const content = { delivery, body: decoded.value };
        const taken = await takeEvent(webhook, content, { receivedAt, sampleId }).catch(
          refusedAsList,
        );
        return taken !== null && taken.mode !== 'sample' && !taken.duplicate;
      }),
    );
    return results.filter(Boolean).length;
  }

  return { authenticate, requireReadable, take, recordSamples };
}

/** A sample that is a list stays a sample when the mapping does not split. */
function refusedAsList(error: unknown): null {
  if (error instanceof AppError && error.code === 'invalid_body') return null;
  throw error;
}
