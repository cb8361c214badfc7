/**
 * Webhooks: create, search, change, pause, resume, archive and restore.
 *
 * Promises: the path key is shown once, at creation. Receivers reload the webhook before a change is answered.
 * An invalid transition names the current state.
 */
import { AppError, invalidField } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import type { Failure, Result } from '../../base/result.ts';
import { keyPrefix } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { MappingVersion } from '../../domain/mappings/mapping-version.ts';
import type { NoticeRules } from '../../domain/notices/rules.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import {
  webhookStatuses,
  type Webhook,
  type WebhookFields,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import type { WebhookFailure } from '../../store/webhooks/transition.ts';
import {
  type WebhookChange,
  type WebhookFilter,
  countWebhooksByStatus,
  insertWebhook,
  updateWebhook,
  markWebhookPaused,
  markWebhookResumed,
  markWebhookArchived,
  markWebhookRestored,
  listWebhooks,
} from '../../store/webhooks/webhooks.ts';
import type { ApiContext } from '../context.ts';
import { resumeHeldEvents } from '../events/runs.ts';
import { getMappings } from '../../store/webhooks/mappings.ts';

type WebhookInput = WebhookFields &
  Pick<Webhook, 'channelId'> &
  Partial<Pick<Webhook, 'producerProfile'>>;

type WebhookRejection = WebhookFailure | Failure<'unknown_channel' | 'channel_deleted'>;

/** `not_found`, `invalid_field` at the channel, or `invalid_transition` with the state that forbids the change. */
function rejectionOf(failed: WebhookRejection): AppError {
  switch (failed.reason) {
    case 'not_found':
      return new AppError('not_found');
    case 'unknown_channel':
      return invalidField('/channelId', 'field.missing_record');
    case 'channel_deleted':
      return new AppError('invalid_transition', {
        details: { state: 'archived', missing: ['channel'] },
      });
    case 'invalid_state':
      return new AppError('invalid_transition', { details: { state: failed.status } });
  }
}

/** Counts webhooks by status, including statuses without webhooks. */
export async function countWebhooks(ctx: ApiContext, filter: WebhookFilter) {
  const found = await countWebhooksByStatus(ctx, filter);
  const byStatus = webhookStatuses.map((status) => [status, found.get(status) ?? 0] as const);
  return {
    total: byStatus.reduce((sum, [, count]) => sum + count, 0),
    byStatus: Object.fromEntries(byStatus) as Record<WebhookStatus, number>,
  };
}

/** Creates a webhook with a path key; only the caller gets the key. */
export async function createWebhook(
  ctx: ApiContext,
  given: WebhookInput,
  actor: Actor,
): Promise<{ webhook: Webhook; key: string }> {
  const key = newSecret(keyPrefix);
  const hashed = { keyHash: sha256(key), keyLastFour: key.slice(-4) };
  const created = await insertWebhook(
    ctx,
    { producerProfile: 'generic', ...given, ...hashed },
    actor,
  );
  if (!created.ok) throw rejectionOf(created);
  return { webhook: created.value, key };
}

/** A change that names the webhook only. Throws what `rejectionOf` gives for the store's reason. */
export type WebhookTransition = (ctx: ApiContext, id: string, actor: Actor) => Promise<Webhook>;

export const changeWebhook = (
  ctx: ApiContext,
  { id, ...given }: WebhookChange & { readonly id: string },
  actor: Actor,
): Promise<Webhook> => changedOrThrow(ctx, id, updateWebhook(ctx, { id, given }, actor));

export const pauseWebhook: WebhookTransition = (ctx, id, actor) =>
  changedOrThrow(ctx, id, markWebhookPaused(ctx, id, actor));

/** Starts processing the events that were held while the webhook was paused. */
export const resumeWebhook: WebhookTransition = async (ctx, id, actor) => {
  const resumed = await changedOrThrow(ctx, id, markWebhookResumed(ctx, id, actor));
  await resumeHeldEvents(ctx, id, actor).catch((err: unknown) =>
    ctx.logger.warn({ err, webhookId: id }, 'webhook.resume_delayed'),
  );
  return resumed;
};

export const archiveWebhook: WebhookTransition = (ctx, id, actor) =>
  changedOrThrow(ctx, id, markWebhookArchived(ctx, id, actor));

export const restoreWebhook = (
  ctx: ApiContext,
  { id, ...given }: { readonly id: string; readonly channelId?: string },
  actor: Actor,
): Promise<Webhook> => changedOrThrow(ctx, id, markWebhookRestored(ctx, { id, ...given }, actor));

async function changedOrThrow(
  { invalidate }: ApiContext,
  id: string,
  change: Promise<Result<Webhook, WebhookRejection>>,
): Promise<Webhook> {
  const changed = await change;
  invalidate(id);
  if (changed.ok) return changed.value;
  throw rejectionOf(changed);
}

/** A webhook with everything that configuration files describe. */
export type WebhookConfiguration = {
  readonly webhook: Webhook;
  readonly noticeRules: NoticeRules;
  readonly active: MappingVersion | null;
  readonly newest: MappingVersion | null;
};

/** Reads a page in three queries, however many webhooks it has. */
export async function listConfigurations(
  ctx: ApiContext,
  filter: WebhookFilter,
  page: Page,
): Promise<Paged<WebhookConfiguration>> {
  const { results, ...counted } = await listWebhooks(ctx, filter, page);
  const versions = results.flatMap(({ _id: webhookId, activeVersion, lastVersion }) =>
    [...new Set([activeVersion ?? 0, lastVersion])]
      .filter((version) => version > 0)
      .map((version) => ({ webhookId, version })),
  );
  const [found, rules] = await Promise.all([
    getMappings(ctx, versions),
    ctx.noticeRules.getMany(results.map(({ _id }) => _id)),
  ]);
  const versionOf = ({ _id }: Webhook, wanted: number | null) =>
    found.find(({ webhookId, version }) => webhookId === _id && version === wanted) ?? null;
  const configurations = results.map((webhook) => ({
    webhook,
    noticeRules: rules.get(webhook._id) ?? {},
    active: versionOf(webhook, webhook.activeVersion),
    newest: versionOf(webhook, webhook.lastVersion),
  }));
  return { ...counted, results: configurations };
}
