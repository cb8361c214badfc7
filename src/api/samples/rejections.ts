/**
 * Rejected requests of a webhook: list, read, count and delete them, and make a sample or an event of one.
 *
 * Promises: they are shown with credentials masked. A rejection becomes at most one sample and at most one event.
 */
import { createEventLoopYield } from '../../base/concurrency/yield-to-event-loop.ts';
import { systemClock } from '../../base/clock.ts';
import { AppError, orNotFound, valueOrThrow } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { hourMs } from '../../domain/mappings/drift.ts';
import type { DateRange, Page } from '../../domain/pagination.ts';
import { bucketStartOf } from '../../domain/stats.ts';
import {
  rejectionCodes,
  rejectionSampleId,
  type Rejection,
  type RejectionCode,
} from '../../domain/webhooks/rejection.ts';
import { decodeGiven, decodeStored } from '../../producers/stored-body.ts';
import {
  toRejection,
  type RejectionFilter,
  type RejectionKey,
} from '../../store/samples/rejections.ts';
import type { ApiContext } from '../context.ts';
import { maskBody, maskNamed } from './mask-credentials.ts';
import { maskUndecoded } from './mask-text.ts';
import { addRejectedSample, expectingShown } from './samples.ts';
import { listRejectionCounts } from '../../store/counters/rejection-counts.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';

const viewRejection = (rejection: Rejection, profile: string) => ({
  ...rejection,
  headers: maskNamed(rejection.headers),
  query: maskNamed(rejection.query),
  body: textOf(rejection, profile),
});

export type RejectionView = ReturnType<typeof viewRejection>;

/** Returns the body as it was sent when there is nothing to mask; a decoded one with masked values as JSON. */
function textOf({ body, contentType }: Rejection, profile: string): string | null {
  if (!body) return null;
  const text = body.toString();
  const decoded = decodeGiven({ body, contentType }, profile);
  if (!decoded.ok) return maskUndecoded(text);
  const masked = JSON.stringify(maskBody(decoded.value));
  return masked === JSON.stringify(decoded.value) ? text : masked;
}

type StoredRecord = Parameters<typeof toRejection>[0];

type CodeCounts = Partial<Record<RejectionCode, number>>;

type RejectionCounts = {
  from: Date;
  to: Date;
  total: number;
  codes: { code: RejectionCode; count: number }[];
  series: { at: Date; total: number; codes: Record<string, number> }[];
};

type RejectionUnit = 'hour' | 'day';

const webhookOf = async (ctx: ApiContext, id: string) => orNotFound(await getWebhook(ctx, id));

const profileOf = async (ctx: ApiContext, id: string) => (await webhookOf(ctx, id)).producerProfile;

export async function listRejections(
  ctx: ApiContext,
  { webhookId, ...filter }: RejectionFilter & { readonly webhookId: string },
  page: Page,
) {
  const [profile, { results, total }] = await Promise.all([
    profileOf(ctx, webhookId),
    ctx.rejections.list(webhookId, filter, page),
  ]);
  const shown: RejectionView[] = [];
  const pause = createEventLoopYield(systemClock);
  for (const rejection of results) {
    shown.push(viewRejection(rejection, profile));
    await pause();
  }
  return { results: shown, total };
}

/** Throws `not_found`. */
export async function readRejection(ctx: ApiContext, key: RejectionKey): Promise<RejectionView> {
  const rejection = orNotFound(await ctx.rejections.get(key));
  return viewRejection(rejection, await profileOf(ctx, key.webhookId));
}

export async function removeRejection(
  ctx: ApiContext,
  key: RejectionKey,
  actor: Actor,
): Promise<void> {
  const profile = await profileOf(ctx, key.webhookId);
  const by = expectingShown<StoredRecord>(actor, (stored) =>
    viewRejection(toRejection(stored), profile),
  );
  valueOrThrow(await ctx.rejections.remove(key, by));
}

/**
 * Makes a sample of the rejection. Throws `invalid_transition` with the state `incomplete` or `unreadable`, or when the
 * webhook is archived.
 */
export async function makeSampleOfRejection(ctx: ApiContext, key: RejectionKey, actor: Actor) {
  const { webhookId } = key;
  const rejection = orNotFound(await ctx.rejections.get(key));
  const { body, complete, contentType, headers, query } = rejection;
  if (!body || !complete) throw notTakable('incomplete');
  const profile = await profileOf(ctx, webhookId);
  if (!decodeStored({ body, contentType }, profile).ok) throw notTakable('unreadable');
  const sampleId = rejectionSampleId(key._id);
  const request = { body, contentType, headers, query };
  const sample = await addRejectedSample(ctx, { webhookId, id: sampleId, request }, actor);
  await ctx.rejections.markTaken(key, { sampleId });
  return sample;
}

/**
 * Records the rejected request as an event, with the time at which it was received. Throws `invalid_transition` with what
 * keeps it from becoming an event.
 */
export async function makeEventOfRejection(ctx: ApiContext, key: RejectionKey, actor: Actor) {
  const rejection = orNotFound(await ctx.rejections.get(key));
  const webhook = await webhookOf(ctx, key.webhookId);
  const audit = () => ctx.rejections.auditRecording(rejection, actor);
  const recorded = await ctx.recordRejection(rejection, { webhook, audit });
  const { eventId } = recorded;
  await ctx.rejections.markTaken(key, { eventId });
  return recorded;
}

const notTakable = (state: string) => new AppError('invalid_transition', { details: { state } });

/** Default of the range: the last 24 hours, from the beginning of an hour. */
export async function countRejections(
  ctx: ApiContext,
  { webhookId, unit, ...range }: { webhookId: string; unit: RejectionUnit } & DateRange,
): Promise<RejectionCounts> {
  const to = range.to ?? ctx.clock.now();
  const from = bucketStartOf(unit, range.from ?? new Date(+to - 24 * hourMs));
  const buckets = await listRejectionCounts(ctx, webhookId, { from, to });
  const series = new Map<number, CodeCounts>();
  const totals: CodeCounts = {};
  for (const { hour, codes } of buckets) {
    const at = +bucketStartOf(unit, hour);
    series.set(at, addCounts(series.get(at) ?? {}, codes));
    addCounts(totals, codes);
  }
  return {
    from,
    to,
    total: sumOf(totals),
    codes: rejectionCodes.flatMap((code) => {
      const count = totals[code] ?? 0;
      return count > 0 ? [{ code, count }] : [];
    }),
    series: [...series].map(([at, codes]) => ({ at: new Date(at), total: sumOf(codes), codes })),
  };
}

function addCounts(into: CodeCounts, more: Readonly<CodeCounts>): CodeCounts {
  for (const code of rejectionCodes) {
    const count = more[code];
    if (count) into[code] = (into[code] ?? 0) + count;
  }
  return into;
}

const sumOf = (codes: Readonly<CodeCounts>): number =>
  Object.values(codes).reduce((sum, count) => sum + count, 0);
