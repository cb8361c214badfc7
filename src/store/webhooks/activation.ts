/**
 * Activation: a mapping version becomes the active one, at once or at a scheduled time. A schedule is stored in its webhook, so that
 * every other transition clears it.
 *
 * Promises: the webhook, the status of both versions and the audit row change in one transaction. When the new version
 * recognises resends by another recipe, the old recipe stays valid for its grace period.
 */
import type { Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { maxFormerVersions, type Schedule, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { IndexSpec, Session, Db } from '../db/connection.ts';
import { versionsOf, webhooksOf } from './records.ts';
import { transitionWebhook, type WebhookFailure } from './transition.ts';

type Activation = {
  readonly version: number;
  /** The active version that the caller read. The activation fails when another version is active. */
  readonly previous: number | null;
  /** Milliseconds for which the previous version's recipe still recognises resends. 0: the recipe is unchanged or was wrong. */
  readonly overlapMs: number;
  /** Id of the schedule that is executed. The activation fails when the webhook has another schedule or none. */
  readonly scheduleId?: string | undefined;
  readonly rollback?: true;
  readonly actor: Actor;
};

const activatable = ['mapped', 'active', 'paused'];

const overlapsAfter = ({ version, previous, overlapMs }: Activation) => ({
  $concatArrays: [
    {
      $filter: {
        input: '$overlaps',
        cond: { $and: [{ $gt: ['$$this.until', '$$NOW'] }, { $ne: ['$$this.version', version] }] },
      },
    },
    previous === null || previous === version || overlapMs === 0
      ? []
      : [{ version: previous, until: { $add: ['$$NOW', overlapMs] } }],
  ],
});

const former = '$formerVersions';

const formerAfter = ({ version, previous, rollback }: Activation) => {
  if (previous === null || version === previous) return former;
  if (!rollback) return { $slice: [{ $concatArrays: [former, [previous]] }, -maxFormerVersions] };
  const steps = { $subtract: [{ $size: former }, 1] };
  return { $cond: [{ $gt: [steps, 0] }, { $slice: [former, 0, steps] }, []] };
};

const conditionsOf = ({ version, previous, scheduleId, rollback }: Activation) => ({
  status: { $in: activatable },
  activeVersion: previous,
  lastVersion: { $gte: version },
  ...(scheduleId !== undefined && { 'schedule.id': scheduleId }),
  ...(rollback && { $expr: { $eq: [{ $last: former }, version] } }),
});

/** Fails when the webhook's status, active version or schedule differs from the one that the caller read. */
export function activateWebhook(
  db: Db,
  webhookId: string,
  activation: Activation,
): Promise<Result<Webhook, WebhookFailure>> {
  const versions = versionsOf(db.connection);
  const { version, previous, rollback, actor } = activation;
  const transition = {
    id: webhookId,
    where: conditionsOf(activation),
    set: {
      activeVersion: version,
      status: { $cond: [{ $eq: ['$status', 'paused'] }, 'paused', 'active'] },
      overlaps: overlapsAfter(activation),
      formerVersions: formerAfter(activation),
      schedule: null,
    },
    action: rollback ? 'webhook.rollback' : 'webhook.activate',
    actor,
  } as const;
  const after = async (session: Session): Promise<void> => {
    if (version === previous) return;
    await versions.updateOne(
      { webhookId, version },
      { $set: { status: 'active' }, $currentDate: { activatedAt: true } },
      { session },
    );
    if (previous === null) return;
    const retired = { $set: { status: 'retired' } } as const;
    await versions.updateOne({ webhookId, version: previous }, retired, { session });
  };
  return transitionWebhook(db, transition, { after });
}

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
  readonly id: string;
  readonly scheduleId: string;
  /** Why the activation failed. */
  readonly failure?: string;
};

/** Schedules an activation and replaces an earlier schedule. */
export const setSchedule = (
  db: Db,
  { id, schedule }: { readonly id: string; readonly schedule: Schedule },
  actor: Actor,
) =>
  transitionWebhook(db, {
    id,
    where: { status: { $in: activatable } },
    set: { schedule: { $literal: schedule } },
    action: 'webhook.schedule',
    actor,
  });

/** Fails when the webhook has another schedule or none. */
export const clearSchedule = (db: Db, { id, scheduleId, failure }: Unscheduling, actor: Actor) =>
  transitionWebhook(db, {
    id,
    where: { 'schedule.id': scheduleId },
    set: { schedule: null },
    action: failure === undefined ? 'webhook.unschedule' : 'webhook.schedule_failed',
    actor,
    ...(failure !== undefined && { extraFacts: { failure } }),
  });

export const listDueSchedules = (db: Db): Promise<Webhook[]> =>
  webhooksOf(db.connection)
    .find(
      { 'schedule.at': isSet, $expr: { $lte: ['$schedule.at', '$$NOW'] } },
      { sort: { 'schedule.at': 1 }, limit: maxDue },
    )
    .toArray();
