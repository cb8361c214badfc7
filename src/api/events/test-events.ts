/**
 * Test events: a payload is processed like an event with any mapping version. It creates a contact, a chat and
 * a message that are marked as test.
 *
 * Promises: a test event never touches real contacts, chats or messages, and no resend matches it. It is
 * delivered to an external channel only on request. It can be deleted with everything that it created.
 */
import { AppError, invalidField, orNotFound, valueOrThrow } from '../../base/errors.ts';
import { newId, sha256 } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';
import { newEvent } from '../../domain/events/new-event.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { CompiledMapping } from '../../mapping/language/compile.ts';
import { readDedup } from '../../mapping/evaluation/dedup-keys.ts';
import { decodeStored } from '../../producers/stored-body.ts';
import { hintEvents } from '../../queue/process-events.ts';
import type { TestEvent } from '../../store/samples/test-events.ts';
import { inboundRequestFrom, readStoredRequest, type PayloadInput } from '../samples/payload.ts';
import type { ApiContext } from '../context.ts';
import { textWith } from '../../base/texts/texts.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

/** Exactly one of `payload`, `sampleId` and `eventId`. */
type TestEventInput = {
  readonly webhookId: string;
  readonly payload?: PayloadInput;
  readonly sampleId?: string;
  readonly eventId?: string;
  /** Default: the newest version. */
  readonly version?: number;
  readonly deliver?: boolean;
};

type Removed = { readonly deleted: number; readonly left: number };

/** Of one request; each is a transaction. */
const maxRemoved = 500;

type Key = { readonly webhookId: string; readonly eventId: string };

export async function createTestEvent(
  ctx: ApiContext,
  given: TestEventInput,
  actor: Actor,
): Promise<EventRecord> {
  const webhook = orNotFound(await getWebhook(ctx, given.webhookId));
  const event = await prepare(ctx, webhook, given);
  await ctx.testEvents.create(event, actor);
  hintEvents(ctx.queue, [event]);
  return event;
}

/** Deletes a test event, also while a worker processes it. */
export async function removeTestEvent(
  { testEvents }: ApiContext,
  { webhookId, eventId }: Key,
  actor: Actor,
): Promise<void> {
  valueOrThrow(await testEvents.remove({ _id: eventId, webhookId }, actor));
}

/**
 * Deletes up to `maxRemoved` test events one by one, until the client has left. Returns how many stay: those that a worker
 * processes, and those that were not reached.
 */
export async function removeTestEvents(
  { testEvents }: ApiContext,
  { webhookId, signal }: { readonly webhookId: string; readonly signal: AbortSignal },
  actor: Actor,
): Promise<Removed> {
  let deleted = 0;
  for (;;) {
    const limit = Math.min(100, maxRemoved - deleted);
    const page = { skip: 0, limit: Math.max(limit, 1), sort: { receivedAt: -1 } } as const;
    const { results, total } = await testEvents.list(webhookId, page);
    if (limit === 0) return { deleted, left: total };
    for (const { _id } of results) {
      if (signal.aborted) return { deleted, left: total };
      if ((await testEvents.remove({ _id, webhookId }, actor)).ok) deleted += 1;
    }
    if (results.length < page.limit) return { deleted, left: 0 };
  }
}

async function prepare(
  ctx: ApiContext,
  webhook: Webhook,
  given: TestEventInput,
): Promise<TestEvent> {
  const version = versionFor(webhook, given.version);
  const mapping = await compiledVersion(ctx, webhook._id, version);
  const { delivery, path } = await chooseRequest(ctx, webhook, given);
  const { headers, query, body: raw } = delivery;
  const decoded = decodeStored(delivery, webhook.producerProfile);
  if (!decoded.ok) throw invalidField(path, decoded.message);
  const body = decoded.value;
  if (Array.isArray(body) && !mapping.splits) {
    throw invalidField(path, 'field.list_without_split');
  }
  const id = newId();
  const now = new Date();
  const test = { id, delivers: given.deliver === true };
  const { externalId } = mapping.splits
    ? { externalId: null }
    : readDedup([mapping], { body, headers, query });
  const event = newEvent({
    _id: id,
    webhookId: webhook._id,
    channelId: webhook.channelId,
    externalId,
    // Without keys no resend matches it.
    dedupKeys: [],
    delivery,
    bodySha256: sha256(raw),
    bodyBytes: raw.length,
    mappingVersion: version,
    test,
    maxAttempts: webhook.settings.retries?.maxAttempts,
    isHeld: false,
    receivedAt: now,
    now,
  });
  return { ...event, test };
}

function versionFor({ status, lastVersion }: Webhook, wanted = lastVersion): number {
  if (status === 'archived') {
    throw new AppError('invalid_transition', { details: { state: status } });
  }
  if (wanted > lastVersion) throw invalidField('/version', 'field.other_version');
  if (wanted > 0) return wanted;
  throw new AppError('setup_incomplete', { details: { state: status, missing: ['mapping'] } });
}

async function compiledVersion(
  { bodies }: ApiContext,
  webhookId: string,
  version: number,
): Promise<CompiledMapping> {
  const mapping = await bodies.compiledMapping(webhookId, version);
  if (mapping) return mapping;
  throw invalidField('/version', 'field.broken_version');
}

async function chooseRequest(
  ctx: ApiContext,
  { _id, producerProfile }: Webhook,
  { payload, sampleId, eventId }: TestEventInput,
): Promise<{ delivery: InboundRequest; path: string }> {
  if ([payload, sampleId, eventId].filter((one) => one !== undefined).length !== 1) {
    throw invalidField(
      '/payload',
      textWith('field.one_required', { choices: 'payload, sampleId and eventId' }),
    );
  }
  if (payload) {
    const path = '/payload';
    return { delivery: inboundRequestFrom(payload, producerProfile, path), path };
  }
  if (eventId !== undefined)
    return { delivery: await readStoredRequest(ctx, _id, eventId), path: '/eventId' };
  const sample = await ctx.samples.get(_id, sampleId ?? '');
  if (!sample) throw invalidField('/sampleId', 'field.other_sample');
  const { body, contentType, headers, query } = sample;
  return { delivery: { body, contentType, headers, query }, path: '/sampleId' };
}
