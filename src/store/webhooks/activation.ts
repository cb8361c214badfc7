/**
 * Activation: a mapping version becomes the active one.
 *
 * Promises: the webhook, the status of both versions and the audit row change in one transaction. When the new version
 * recognises resends by another recipe, the old recipe stays valid for its grace period.
 */
import type { Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/audited-change.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { maxFormerVersions, type Webhook } from '../../domain/webhooks/webhook.ts';
import { inTransaction } from '../db/connection.ts';
import { versionsOf } from './records.ts';
import { createWebhookTransition, type WebhookFailure } from './transition.ts';

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

const former = { $ifNull: ['$formerVersions', []] };

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

export function createActivation(context: StoreContext) {
  const { connection } = context;
  const versions = versionsOf(connection);
  const change = createWebhookTransition(context);

  /** Fails when the webhook's status, active version or schedule differs from the one that the caller read. */
  return function activate(
    id: string,
    activation: Activation,
  ): Promise<Result<Webhook, WebhookFailure>> {
    const { version, previous, actor } = activation;
    return inTransaction(connection, async (session) => {
      const transition = {
        id,
        where: conditionsOf(activation),
        set: {
          activeVersion: version,
          status: { $cond: [{ $eq: ['$status', 'paused'] }, 'paused', 'active'] },
          overlaps: overlapsAfter(activation),
          formerVersions: formerAfter(activation),
          schedule: null,
        },
        action: activation.rollback ? 'webhook.rollback' : 'webhook.activate',
        actor,
      } as const;
      const changed = await change(transition, session);
      if (!changed.ok || version === previous) return changed;
      await versions.updateOne(
        { webhookId: id, version },
        { $set: { status: 'active' }, $currentDate: { activatedAt: true } },
        { session },
      );
      if (previous !== null) {
        const retired = { $set: { status: 'retired' } } as const;
        await versions.updateOne({ webhookId: id, version: previous }, retired, { session });
      }
      return changed;
    });
  };
}
