/**
 * Webhooks: create, search, rename, pause, resume, archive and restore.
 *
 * Promises: the path key is shown once, at creation. Receivers reload the webhook before a change is answered.
 * An invalid transition names the current state.
 */
import { AppError, invalidField } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import type { Failure, Result } from '../../base/result.ts';
import { keyPrefix } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import {
  webhookStatuses,
  type Webhook,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import type { WebhookFailure } from '../../store/webhooks/transition.ts';
import type { WebhookFilter } from '../../store/webhooks/webhooks.ts';
import type { ApiContext } from '../context.ts';

type WebhookInput = Pick<Webhook, 'name' | 'channelId'> & Partial<Pick<Webhook, 'producerProfile'>>;

type WebhookDeps = ApiContext & {
  /** Starts processing the events that were held while the webhook was paused. */
  readonly resumeHeld: (webhookId: string, actor: Actor) => Promise<void>;
};

type WebhookRejection = WebhookFailure | Failure<'unknown_channel' | 'channel_deleted'>;

/** `not_found`, `invalid_field` at the channel, or `invalid_transition` with the state that forbids the change. */
function rejectionOf(failed: WebhookRejection): AppError {
  switch (failed.reason) {
    case 'not_found':
      return new AppError('not_found');
    case 'unknown_channel':
      return invalidField('/channelId', 'does not exist');
    case 'channel_deleted':
      return new AppError('invalid_transition', {
        details: { state: 'archived', missing: ['channel'] },
      });
    case 'invalid_state':
      return new AppError('invalid_transition', { details: { state: failed.status } });
  }
}

export function createWebhooks({ webhooks, invalidate, resumeHeld, logger }: WebhookDeps) {
  /** Returns the changed webhook. Throws what `rejectionOf` gives for the store's reason. */
  async function changedOrThrow(
    id: string,
    change: Promise<Result<Webhook, WebhookRejection>>,
  ): Promise<Webhook> {
    const changed = await change;
    invalidate(id);
    if (changed.ok) return changed.value;
    throw rejectionOf(changed);
  }

  return {
    list: webhooks.list,
    get: webhooks.get,

    /** Counts webhooks by status, including statuses without webhooks. */
    async counts(filter: WebhookFilter) {
      const found = await webhooks.countByStatus(filter);
      const byStatus = webhookStatuses.map((status) => [status, found.get(status) ?? 0] as const);
      return {
        total: byStatus.reduce((sum, [, count]) => sum + count, 0),
        byStatus: Object.fromEntries(byStatus) as Record<WebhookStatus, number>,
      };
    },

    /** Creates a webhook with a path key; only the caller gets the key. */
    async create(given: WebhookInput, actor: Actor): Promise<{ webhook: Webhook; key: string }> {
      const { name, channelId, producerProfile = 'generic' } = given;
      const key = newSecret(keyPrefix);
      const hashed = { keyHash: sha256(key), keyLastFour: key.slice(-4) };
      const created = await webhooks.create({ name, channelId, producerProfile, ...hashed }, actor);
      if (!created.ok) throw rejectionOf(created);
      return { webhook: created.value, key };
    },

    rename: (
      id: string,
      given: { name?: string; channelId?: string },
      actor: Actor,
    ): Promise<Webhook> => changedOrThrow(id, webhooks.update(id, given, actor)),

    pause: (id: string, actor: Actor) => changedOrThrow(id, webhooks.pause(id, actor)),
    async resume(id: string, actor: Actor): Promise<Webhook> {
      const resumed = await changedOrThrow(id, webhooks.resume(id, actor));
      await resumeHeld(id, actor).catch((err: unknown) =>
        logger.warn({ err, webhookId: id }, 'webhook.resume_delayed'),
      );
      return resumed;
    },
    archive: (id: string, actor: Actor) => changedOrThrow(id, webhooks.archive(id, actor)),
    restore: (id: string, given: { channelId?: string }, actor: Actor) =>
      changedOrThrow(id, webhooks.restore(id, given, actor)),
  };
}
