/**
 * Scheduled activations and the ticker that executes them.
 *
 * Promises: a schedule is executed once, by any server, by the database's clock, in the name of the person who
 * created it. Another activation, a rollback or archiving removes it. A schedule that fails is removed, with
 * the reason in the audit log.
 */
import { AppError, orNotFound } from '../../base/errors.ts';
import { startTicker } from '../../base/process/ticker.ts';
import { systemActor, type Actor } from '../../domain/audit/audit.ts';
import type { Schedule, Webhook } from '../../domain/webhooks/webhook.ts';
import type { ApiContext } from '../context.ts';
import { activateScheduled } from './activation.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { clearSchedule, listDueSchedules } from '../../store/webhooks/activation.ts';

const intervalMs = 5_000;

/** Throws `not_found` for a webhook without a schedule. */
export async function readSchedule(
  ctx: ApiContext,
  webhookId: string,
): Promise<{ webhook: Webhook; schedule: Schedule }> {
  const webhook = await getWebhook(ctx, webhookId);
  if (!webhook?.schedule) throw new AppError('not_found');
  return { webhook, schedule: webhook.schedule };
}

export async function cancelSchedule(
  ctx: ApiContext,
  webhookId: string,
  actor: Actor,
): Promise<Webhook> {
  const { schedule } = await readSchedule(ctx, webhookId);
  const cancelled = await clearSchedule(ctx, { id: webhookId, scheduleId: schedule.id }, actor);
  ctx.invalidate(webhookId);
  return orNotFound(cancelled.ok ? cancelled.value : null);
}

/** Checks every 5 s. The index contains only webhooks with a schedule. */
export const startSchedules = (ctx: ApiContext) =>
  startTicker(
    async () => {
      await executeDueSchedules(ctx).catch((err: unknown) =>
        ctx.logger.warn({ err }, 'schedule.failed'),
      );
      return intervalMs;
    },
    { firstMs: intervalMs },
  );

/** Executes due schedules one after the other. A failure does not stop the others. */
export async function executeDueSchedules(ctx: ApiContext): Promise<void> {
  for (const webhook of await listDueSchedules(ctx)) {
    if (!webhook.schedule) continue;
    await execute(ctx, webhook, webhook.schedule).catch((err: unknown) =>
      ctx.logger.warn({ err, webhookId: webhook._id }, 'schedule.failed'),
    );
  }
}

async function execute(ctx: ApiContext, webhook: Webhook, schedule: Schedule): Promise<void> {
  const line = { webhookId: webhook._id, version: schedule.version };
  try {
    await activateScheduled(ctx, webhook, schedule);
    ctx.logger.info(line, 'schedule.activated');
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
    // No warning if the schedule was executed or removed elsewhere: `unschedule` then fails.
    const action = { scheduleId: schedule.id, failure: error.code };
    const removed = await clearSchedule(
      ctx,
      { id: webhook._id, ...action },
      systemActor('schedules'),
    );
    if (removed.ok) ctx.logger.warn({ ...line, reason: error.code }, 'schedule.cancelled');
  }
}
