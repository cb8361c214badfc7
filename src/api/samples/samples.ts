/**
 * Samples: list, add (payload, file or stored event), rename, pin and delete. They are shown decoded, with
 * credentials masked.
 *
 * Promises: the original is stored unmasked for preview, suggestion and activation. An event gives at most one
 * sample.
 */
import { systemClock } from '../../base/clock.ts';
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import { AppError, invalidField, orNotFound, refusal, valueOrThrow } from '../../base/errors.ts';
import { derivedIdAfter, newId } from '../../base/ids.ts';
import { maskSecrets } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import type { Page } from '../../domain/pagination.ts';
import { maxPinnedSamples, type Sample } from '../../domain/webhooks/webhook.ts';
import { isDuplicateKey } from '../../store/db/errors.ts';
import { toSample, type SampleRecord } from '../../store/samples/sample-records.ts';
import type { SampleChange } from '../../store/samples/sample-changes.ts';
import type { SampleFilter } from '../../store/samples/samples.ts';
import type { ApiContext } from '../context.ts';
import { maskBody, maskNamed } from './mask-credentials.ts';
import { decodeGiven, storedValue } from '../../producers/stored-body.ts';
import { inboundRequestFrom, readStoredRequest, type PayloadInput } from './payload.ts';
import { textWith, renderText } from '../../base/texts/texts.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

const viewSample = (sample: Sample, profile: string) => ({
  ...sample,
  headers: maskNamed(sample.headers),
  query: maskNamed(sample.query),
  body: maskBody(storedValue(sample, profile)),
});

export type SampleView = ReturnType<typeof viewSample>;

/** Bodies of one list. A page of 200 samples of 1 MiB would take their memory several times, and be written as JSON for seconds. */
const maxListedBytes = 4_194_304;

/** The body can be read with the single sample. */
const viewWithoutBody = (sample: Omit<Sample, 'body'>): SampleView => ({
  ...sample,
  headers: maskNamed(sample.headers),
  query: maskNamed(sample.query),
  body: '(too large to list)',
});

/** The precondition refers to the record as it is shown; the store checks the stored one. */
export const expectingShown = <Stored>(actor: Actor, show: (stored: Stored) => unknown): Actor => ({
  ...actor,
  ...(actor.checkPrecondition && {
    checkPrecondition: (record) => actor.checkPrecondition?.(show(record as Stored)),
  }),
});

const expectingSample = (actor: Actor, profile: string): Actor =>
  expectingShown<SampleRecord>(actor, (stored) => viewSample(toSample(stored), profile));

/** The payload inline or as `payload`, or the event to copy it from. */
type SampleInput = PayloadInput & {
  readonly webhookId: string;
  readonly payload?: PayloadInput;
  readonly eventId?: string;
  readonly name?: string;
};

type NewSample = Partial<Pick<Sample, '_id' | 'name' | 'eventId'>> & {
  readonly webhookId: string;
  readonly delivery: InboundRequest;
};

type SampleFile = {
  readonly webhookId: string;
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly name?: string | undefined;
};

type SampleKey = { readonly webhookId: string; readonly id: string };

const profileOf = async (ctx: ApiContext, webhookId: string): Promise<string> =>
  (await getWebhook(ctx, webhookId))?.producerProfile ?? 'generic';

export async function listSamples(
  ctx: ApiContext,
  { webhookId, ...filter }: SampleFilter & { readonly webhookId: string },
  page: Page,
) {
  const [profile, { results, total }] = await Promise.all([
    profileOf(ctx, webhookId),
    ctx.samples.list(webhookId, filter, { ...page, maxBytes: maxListedBytes }),
  ]);
  const shown: SampleView[] = [];
  const pause = createEventLoopYield(systemClock);
  for (const { body, ...sample } of results) {
    shown.push(body ? viewSample({ ...sample, body }, profile) : viewWithoutBody(sample));
    await pause();
  }
  return { results: shown, total };
}

/** Throws `not_found`. */
export async function readSample(ctx: ApiContext, { webhookId, id }: SampleKey) {
  const sample = orNotFound(await ctx.samples.get(webhookId, id));
  return viewSample(sample, await profileOf(ctx, webhookId));
}

/** Adds a sample. Throws `invalid_field` if the payload cannot be read, `invalid_transition` if the webhook is archived. */
export async function addSample(
  ctx: ApiContext,
  given: SampleInput,
  actor: Actor,
): Promise<SampleView> {
  const { webhookId, payload, eventId, name = null, ...flat } = given;
  const isFlat = Object.keys(flat).length > 0;
  if ([isFlat, payload !== undefined, eventId !== undefined].filter(Boolean).length !== 1) {
    throw invalidField('', textWith('field.either_required', { one: 'payload', other: 'eventId' }));
  }
  const profile = await profileOf(ctx, webhookId);
  if (eventId === undefined) {
    const path = payload ? '/payload' : '';
    const delivery = inboundRequestFrom(payload ?? flat, profile, path);
    return viewSample(await storeSample(ctx, { webhookId, delivery, name }, actor), profile);
  }
  const delivery = await readStoredRequest(ctx, webhookId, eventId);
  // The id is derived: an event gives one sample.
  const _id = derivedIdAfter(eventId, 0, 'event-sample', webhookId);
  const copied = { webhookId, delivery, _id, eventId, name };
  return viewSample(await storeSample(ctx, copied, actor), profile);
}

/** Adds a file as a sample. It is decoded by its content type, as for a sender. */
export async function addSampleFile(
  ctx: ApiContext,
  { webhookId, bytes, contentType, name }: SampleFile,
  actor: Actor,
): Promise<SampleView> {
  const profile = await profileOf(ctx, webhookId);
  // latin1 keeps every byte that is not masked.
  const text = maskSecrets(bytes.toString('latin1'));
  const body = Buffer.from(text, 'latin1');
  const decoded = decodeGiven({ contentType, body }, profile);
  if (!decoded.ok)
    throw new AppError(decoded.code, { internal: renderText(decoded.message, 'en') });
  const delivery = { body, contentType: contentType ?? '', headers: {}, query: {} };
  const added = { webhookId, delivery, name: name ?? null };
  return viewSample(await storeSample(ctx, added, actor), profile);
}

/** Adds a rejected request as a sample; one that exists already stays as it is. */
export async function addRejectedSample(
  ctx: ApiContext,
  { webhookId, id, request }: SampleKey & { readonly request: InboundRequest },
  actor: Actor,
): Promise<SampleView> {
  const sample = await storeSample(ctx, { webhookId, delivery: request, _id: id }, actor);
  return viewSample(sample, await profileOf(ctx, webhookId));
}

export async function changeSample(
  ctx: ApiContext,
  { webhookId, id, ...given }: SampleKey & SampleChange,
  actor: Actor,
): Promise<SampleView> {
  const profile = await profileOf(ctx, webhookId);
  const by = expectingSample(actor, profile);
  const changed = await ctx.samples.change({ _id: id, webhookId }, given, by);
  if (changed.ok) return viewSample(changed.value, profile);
  if (changed.reason === 'not_found') throw new AppError('not_found');
  throw new AppError('conflict', {
    internal: `No more than ${maxPinnedSamples} samples of a webhook can be pinned.`,
  });
}

export async function removeSample(
  ctx: ApiContext,
  { webhookId, id }: SampleKey,
  actor: Actor,
): Promise<void> {
  const by = expectingSample(actor, await profileOf(ctx, webhookId));
  valueOrThrow(await ctx.samples.remove({ _id: id, webhookId }, by));
}

async function storeSample(
  { samples, invalidate }: ApiContext,
  { delivery, ...origin }: NewSample,
  actor: Actor,
): Promise<Sample> {
  const { body, contentType, headers, query } = delivery;
  const sample: Sample = {
    _id: newId(),
    receivedAt: new Date(),
    source: 'manual',
    ...origin,
    body,
    contentType,
    headers,
    query,
  };
  const added = await samples.addManually(sample, actor).catch((error: unknown) => {
    // One that exists already stays as it is.
    if (isDuplicateKey(error)) return { ok: true } as const;
    throw error;
  });
  if (!added.ok) throw refusal(added);
  invalidate(sample.webhookId);
  return (await samples.get(sample.webhookId, sample._id)) ?? sample;
}
