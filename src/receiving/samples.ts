/** Requests that are stored as samples, and samples that become events. */
import { AppError } from '../base/errors.ts';
import { newIdAt } from '../base/ids.ts';
import type { Rate } from '../base/rate-limit/token-bucket.ts';
import type { InboundRequest } from '../domain/events/event.ts';
import {
  maxSamples,
  receptionModeOf,
  type Sample,
  type Webhook,
} from '../domain/webhooks/webhook.ts';
import { decodeKept } from '../producers/stored-body.ts';
import type { Receiving } from './receiving.ts';
import { recordEvent, type DecodedRequest, type ReceiveResult } from './recording/record-event.ts';
import { renderText } from '../base/texts/texts.ts';
import { markWebhookSampled } from '../store/webhooks/webhooks.ts';

/** Stores a producer's test request as a sample, for any status of the webhook. */
export async function storePing(
  receiving: Receiving,
  decoded: DecodedRequest,
): Promise<ReceiveResult> {
  await addSample(receiving, decoded);
  return { mode: 'sample' };
}

/**
 * Stores a request to a webhook that is not active yet, unless too many samples have just been stored. If the webhook was
 * activated in the meantime, the request is also recorded as an event; its id is derived from the sample's, so the sample
 * makes no other.
 */
export async function storeSample(
  receiving: Receiving,
  decoded: DecodedRequest,
): Promise<ReceiveResult> {
  const sample = await addSample(receiving, decoded);
  const webhook = await receiving.readWebhookAgain(decoded.webhook._id);
  const mode = webhook ? receptionModeOf(webhook.status) : 'rejected';
  if (!webhook || mode === 'sample' || mode === 'rejected') return { mode: 'sample' };
  const origin = sample
    ? { receivedAt: sample.receivedAt, sampleId: sample._id }
    : { receivedAt: receiving.clock.now() };
  return recordEvent(receiving, { ...decoded, webhook }, origin);
}

/**
 * As many samples as are kept are stored at once, and then one a second: a sample costs several statements, and would only
 * evict another.
 */
const sampleRate: Rate = { burst: maxSamples, everyMs: 1_000 };

/** Resolves to the stored sample; to null when it was not stored because too many were. */
async function addSample(
  receiving: Receiving,
  { webhook, request }: DecodedRequest,
): Promise<Sample | null> {
  const { samples, clock, sampleRates } = receiving;
  if (sampleRates.take(webhook._id, sampleRate).retryAfterMs > 0) return null;
  const receivedAt = clock.now();
  const sample: Sample = {
    _id: newIdAt(+receivedAt),
    webhookId: webhook._id,
    receivedAt,
    source: 'webhook',
    ...request,
  };
  await samples.add(sample);
  if (webhook.status === 'draft') await markWebhookSampled(receiving, webhook._id);
  return sample;
}

/** Samples in memory, and in one flush. */
const recordedAtOnce = 10;

/**
 * Records stored samples as events of an active webhook. Each becomes at most one event, however often this is called.
 * Returns how many events are new.
 */
export async function recordSamples(
  receiving: Receiving,
  samples: AsyncIterable<Sample> | Iterable<Sample>,
  webhook: Webhook,
): Promise<number> {
  let recorded = 0;
  let some: Sample[] = [];
  async function record(): Promise<void> {
    const results = await Promise.all(some.map((each) => recordSample(receiving, each, webhook)));
    recorded += results.filter(Boolean).length;
    some = [];
  }
  for await (const sample of samples) {
    some.push(sample);
    if (some.length === recordedAtOnce) await record();
  }
  await record();
  return recorded;
}

/** The request or the webhook is in a state that makes no event of it. */
export const notRecordable = (state: string, internal?: string): AppError =>
  new AppError('invalid_transition', {
    details: { state },
    ...(internal !== undefined && { internal }),
  });

/** Reads a stored request as if it came now. Throws `invalid_transition` with the state `unreadable` or `test_request`. */
export function readStored(
  { producerOf }: Pick<Receiving, 'producerOf'>,
  { body, contentType, headers, query }: InboundRequest,
  webhook: Webhook,
): DecodedRequest {
  const producer = producerOf(webhook.producerProfile);
  const decoded = decodeKept({ contentType, body }, producer);
  if (!decoded.ok) throw notRecordable('unreadable', renderText(decoded.message, 'en'));
  const { value } = decoded;
  if (producer.isPing?.({ body: value, headers, query })) throw notRecordable('test_request');
  return { webhook, request: { body, contentType, headers, query }, body: value };
}

/** Returns whether a new event was recorded. */
async function recordSample(
  receiving: Receiving,
  sample: Sample,
  webhook: Webhook,
): Promise<boolean> {
  if (sample.eventId) return false;
  try {
    const decoded = readStored(receiving, sample, webhook);
    const origin = { receivedAt: sample.receivedAt, sampleId: sample._id };
    const recorded = await recordEvent(receiving, decoded, origin);
    return !recorded.duplicate;
  } catch (error) {
    // What is no event stays a sample, as does a list when the mapping does not split it.
    const code = error instanceof AppError ? error.code : null;
    if (code === 'invalid_body' || code === 'invalid_transition') return false;
    throw error;
  }
}
