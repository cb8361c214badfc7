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

type ExecuteSchedule = (webhook: Webhook, schedule: Schedule) => Promise<Webhook>;

const intervalMs = 5_000;

export function createScheduledActivations(
  deps: ApiContext & { readonly executeSchedule: ExecuteSchedule },
) {
  const { webhooks, invalidate, logger, executeSchedule } = deps;

  async function get(webhookId: string): Promise<{ webhook: Webhook; schedule: Schedule }> {
    const webhook = await webhooks.get(webhookId);
    if (!webhook?.schedule) throw new AppError('not_found');
    return { webhook, schedule: webhook.schedule };
  }

  async function attempt(webhook: Webhook, schedule: Schedule): Promise<void> {
    const line = { webhookId: webhook._id, version: schedule.version };
    try {
      await executeSchedule(webhook, schedule);
      logger.info(line, 'schedule.activated');
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'unavailable') throw error;
      // No warning if the schedule was executed or removed elsewhere: `unschedule` then fails.
      const action = { scheduleId: schedule.id, failure: error.code };
      const removed = await webhooks.unschedule(webhook._id, action, systemActor('schedules'));
      if (removed.ok) logger.warn({ ...line, reason: error.code }, 'schedule.cancelled');
    }
  }

  /** Executes due schedules one after the other. A failure does not stop the others. */
  async function runDue(): Promise<void> {
    for (const webhook of await webhooks.listDueSchedules()) {
      if (!webhook.schedule) continue;
      await attempt(webhook, webhook.schedule).catch((err: unknown) =>
        logger.warn({ err, webhookId: webhook._id }, 'schedule.failed'),
      );
    }
  }

  return {
    get,
    runDue,

    async cancel(webhookId: string, actor: Actor): Promise<Webhook> {
      const { schedule } = await get(webhookId);
      const cancelled = await webhooks.unschedule(webhookId, { scheduleId: schedule.id }, actor);
      invalidate(webhookId);
      return orNotFound(cancelled.ok ? cancelled.value : null);
    },

    /** Checks every 5 s. The index contains only webhooks with a schedule. */
    start: () =>
      startTicker(
        async () => {
          await runDue().catch((err: unknown) => logger.warn({ err }, 'schedule.failed'));
          return intervalMs;
        },
        { firstMs: intervalMs },
      ),
  };
}
