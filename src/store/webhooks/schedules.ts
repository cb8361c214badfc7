/** Scheduled activations. They are stored in their webhooks, so that every other transition clears them. */
import type { Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/audited-change.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Schedule, Webhook } from '../../domain/webhooks/webhook.ts';
import type { IndexSpec } from '../db/connection.ts';
import { webhooksOf } from './records.ts';
import { createWebhookChange, type WebhookFailure } from './transition.ts';

/** The condition on the type is required for MongoDB to use the partial index. */
const isSet = { $type: 'date' } as const;

export const scheduleIndex: IndexSpec = {
  collection: 'webhooks',
  name: 'by_schedule',
  key: { 'schedule.at': 1 },
  where: { 'schedule.at': isSet },
};

/** Number of schedules that one query returns. The next query follows at once. */
const maxDue = 50;

type Unscheduling = {
  readonly scheduleId: string;
  /** Why the activation failed. */
  readonly failure?: string;
};

export function createScheduling(context: StoreContext) {
  const { connection } = context;
  const webhooks = webhooksOf(connection);
  const run = createWebhookChange(context);

  return {
    /** Schedules an activation and replaces an earlier schedule. */
    schedule: (
      id: string,
      schedule: Schedule,
      actor: Actor,
    ): Promise<Result<Webhook, WebhookFailure>> =>
      run({
        id,
        where: { status: { $in: ['mapped', 'active', 'paused'] } },
        set: { schedule: { $literal: schedule } },
        action: 'webhook.schedule',
        actor,
      }),

    /** Fails when the webhook has another schedule or none. */
    unschedule: (
      id: string,
      { scheduleId, failure }: Unscheduling,
      actor: Actor,
    ): Promise<Result<Webhook, WebhookFailure>> =>
      run({
        id,
        where: { 'schedule.id': scheduleId },
        set: { schedule: null },
        action: failure === undefined ? 'webhook.unschedule' : 'webhook.schedule_failed',
        actor,
        ...(failure !== undefined && { extraFacts: { failure } }),
      }),

    listDueSchedules: (): Promise<Webhook[]> =>
      webhooks
        .find({
          'schedule.at': isSet,
          $expr: { $lte: ['$schedule.at', '$$NOW'] },
        })
        .sort({ 'schedule.at': 1 })
        .limit(maxDue)
        .toArray(),
  };
}
