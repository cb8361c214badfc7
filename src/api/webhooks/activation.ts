/**
 * Activation of a mapping version, and rollback.
 *
 * Promises: a webhook is only activated with a sample and a mapping that compiles; the error names what is
 * missing. A scheduled activation is validated when it is scheduled. Each rollback goes one version back. An
 * activation that changes the event id recipe keeps the former recipe for the webhook's grace period, unless
 * the request gives another period.
 */
import { AppError, invalidField, orNotFound } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Failure, Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { dedupOverlapMs } from '../../domain/webhooks/dedup.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { Schedule, Webhook } from '../../domain/webhooks/webhook.ts';
import { compileMapping } from '../../mapping/language/compile.ts';
import { eventIdRecipe } from '../../mapping/language/event-id.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { activateWebhook, setSchedule } from '../../store/webhooks/activation.ts';
import { getMapping } from '../../store/webhooks/mappings.ts';

type ActivationRequest = {
  readonly version?: number;
  readonly processSamples?: boolean;
  /** Grace period of the former recipe; default: the webhook's setting. */
  readonly dedupOverlapHours?: number;
  /** Schedules the activation for this time. */
  readonly at?: Date;
};

/** `scheduleId`: the schedule that is being executed; it must still exist. */
type ScheduledRequest = ActivationRequest & { readonly id: string; readonly scheduleId?: string };

const hourMs = 3_600_000;
const maxAheadMs = 366 * 24 * hourMs;

/**
 * Returns the version to activate, by default the newest. Throws `invalid_field`, `invalid_transition` or
 * `setup_incomplete`.
 */
function versionFor(webhook: Webhook, wanted: number | undefined): number {
  const { status: state, sampledAt, lastVersion } = webhook;
  if (wanted !== undefined && wanted > lastVersion) {
    throw invalidField('/version', 'field.other_version');
  }
  if (state === 'archived') throw new AppError('invalid_transition', { details: { state } });
  const missing = [
    ...(sampledAt === null ? ['sample'] : []),
    ...(lastVersion === 0 ? ['mapping'] : []),
  ];
  if (missing.length > 0) throw new AppError('setup_incomplete', { details: { state, missing } });
  return wanted ?? lastVersion;
}

function requireFuture(at: Date): void {
  const aheadMs = +at - Date.now();
  if (!(aheadMs > 0)) throw invalidField('/at', 'field.not_in_future');
  if (aheadMs > maxAheadMs) throw invalidField('/at', 'field.too_far_ahead');
}

/** Activates a version, or schedules it when `at` is given. */
export const activateVersion = (
  ctx: ApiContext,
  { at, ...wanted }: ActivationRequest & { readonly id: string },
  actor: Actor,
): Promise<Webhook> =>
  at ? scheduleVersion(ctx, { ...wanted, at }, actor) : activateNow(ctx, wanted, actor);

/** Executes a schedule. Throws `conflict` if the schedule no longer exists. */
export const activateScheduled = (
  ctx: ApiContext,
  webhook: Webhook,
  { id: scheduleId, version, dedupOverlapHours, by }: Schedule,
): Promise<Webhook> => {
  const overlap = { dedupOverlapHours: dedupOverlapHours ?? undefined };
  return activateNow(ctx, { id: webhook._id, version, scheduleId, ...overlap }, by);
};

/** Activates the previously active version. Throws `invalid_transition` if there is none. */
export const rollbackVersion = (
  ctx: ApiContext,
  { id, ...wanted }: Pick<ActivationRequest, 'dedupOverlapHours'> & { readonly id: string },
  actor: Actor,
): Promise<Webhook> =>
  changeActivation(ctx, id, async (webhook) => {
    const { status: state, activeVersion: previous, formerVersions } = webhook;
    const version = formerVersions.at(-1);
    if (state === 'archived' || version === undefined) {
      throw new AppError('invalid_transition', { details: { state } });
    }
    const next = await usableVersion(ctx, webhook, version);
    const overlapMs = await gracePeriodMs(ctx, webhook, { ...wanted, next });
    return activateWebhook(ctx, id, { version, previous, overlapMs, rollback: true, actor });
  });

async function scheduleVersion(
  ctx: ApiContext,
  { id, at, ...wanted }: ScheduledRequest & { readonly at: Date },
  actor: Actor,
): Promise<Webhook> {
  requireFuture(at);
  if (wanted.processSamples) throw invalidField('/processSamples', 'field.not_schedulable');
  return changeActivation(ctx, id, async (webhook) => {
    const { version } = await usableVersion(ctx, webhook, wanted.version);
    const { tokenId, name } = actor;
    const { dedupOverlapHours = null } = wanted;
    const planned = { id: newId(), at, version, dedupOverlapHours };
    return setSchedule(ctx, { id, schedule: { ...planned, by: { tokenId, name } } }, actor);
  });
}

async function activateNow(
  ctx: ApiContext,
  { id, ...wanted }: ScheduledRequest,
  actor: Actor,
): Promise<Webhook> {
  const { scheduleId } = wanted;
  const activated = await changeActivation(ctx, id, async (webhook) => {
    if (scheduleId !== undefined && webhook.schedule?.id !== scheduleId) {
      throw new AppError('conflict', { internal: 'The schedule does not stand any more.' });
    }
    const next = await usableVersion(ctx, webhook, wanted.version);
    const overlapMs = await gracePeriodMs(ctx, webhook, { ...wanted, next });
    const { version } = next;
    const previous = webhook.activeVersion;
    return activateWebhook(ctx, id, { version, previous, overlapMs, scheduleId, actor });
  });
  if (wanted.processSamples) await ctx.recordSamples(ctx.samples.each(id), activated);
  return activated;
}

async function changeActivation(
  ctx: ApiContext,
  id: string,
  attempt: (webhook: Webhook) => Promise<Result<Webhook, Failure>>,
): Promise<Webhook> {
  const changed = await retryOnConflict(async () => attempt(orNotFound(await getWebhook(ctx, id))));
  ctx.invalidate(id);
  return changed;
}

async function usableVersion(
  ctx: ApiContext,
  webhook: Webhook,
  wanted: number | undefined,
): Promise<MappingVersion> {
  const next = await getMapping(ctx, webhook._id, versionFor(webhook, wanted));
  if (next && compileMapping(next.mapping).ok) return next;
  const details = { state: webhook.status, missing: ['mapping'] };
  throw new AppError('setup_incomplete', { details });
}

/** Returns how long the recipe of the active version still recognises resends after `next` replaces it. */
async function gracePeriodMs(
  ctx: ApiContext,
  { _id, activeVersion, settings }: Webhook,
  { next, dedupOverlapHours: hours }: { next: MappingVersion; dedupOverlapHours?: number },
): Promise<number> {
  if (activeVersion === null) return 0;
  const previous = await getMapping(ctx, _id, activeVersion);
  const recipe = previous ? eventIdRecipe(previous.mapping) : '';
  if (recipe === '' || recipe === eventIdRecipe(next.mapping)) return 0;
  return hours === undefined ? dedupOverlapMs(settings) : hours * hourMs;
}
