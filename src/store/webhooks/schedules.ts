/** Scheduled activations. They are stored in their webhooks, so that every other transition clears them. */
import type { Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Schedule, Webhook } from '../../domain/webhooks/webhook.ts';
import type { IndexSpec } from '../db/connection.ts';
import { inTransaction } from '../db/model.ts';
import { webhookModel } from './records.ts';
import { createWebhookTransition, type Transition, type WebhookFailure } from './transition.ts';

/** The type is what lets the partial index be used. */
const isSet = { $type: 'date' } as const;

export const scheduleIndex: IndexSpec = {
  collection: 'webhooks',
  name: 'by_schedule',
  key: { 'schedule.at': 1 },
  where: { 'schedule.at': isSet },
};

/** One look carries out so many; the next one follows at once. */
const maxDue = 50;

type Unscheduling = {
  readonly scheduleId: string;
  /** Why it could not be carried out. */
  readonly failure?: string;
};

export function createScheduling(context: StoreContext) {
  const { connection } = context;
  const webhooks = webhookModel(connection);
  const change = createWebhookTransition(context);

  const run = (transition: Transition): Promise<Result<Webhook, WebhookFailure>> =>
    inTransaction(connection, (session) => change(transition, session));

  return {
    /** Replaces an earlier schedule. */
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

    /** Fails when the webhook has another schedule by now, or none. */
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

    /** By the database's clock, the longest due first. */
    listDueSchedules: (): Promise<Webhook[]> =>
      webhooks
        .find({
          'schedule.at': isSet,
          $expr: { $lte: ['$schedule.at', '$$NOW'] },
        })
        .sort({ 'schedule.at': 1 })
        .limit(maxDue)
        .lean<Webhook[]>()
        .exec(),
  };
}
