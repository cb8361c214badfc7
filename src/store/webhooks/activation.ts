/**
 * Activation: a mapping version becomes the active one.
 *
 * Promises: the webhook, the status of both versions and the audit row change together or not at all. When the new version
 * recognises resends by another recipe, the old recipe stays known for its grace period.
 */
import type { Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { maxFormerVersions, type Webhook } from '../../domain/webhooks/webhook.ts';
import { inTransaction } from '../db/model.ts';
import { versionModel } from './records.ts';
import { createWebhookTransition, type WebhookFailure } from './transition.ts';

type Activation = {
  readonly version: number;
  /** The active version that the caller saw; another one by now means nothing is changed. */
  readonly previous: number | null;
  /** How long resends are still known by the previous version's recipe; 0 when it is the same or was wrong. */
  readonly overlapMs: number;
  /** The schedule that is carried out: nothing is changed where it does not stand any more. */
  readonly scheduleId?: string | undefined;
  /** One step back: to the latest of the former versions. */
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
  const versions = versionModel(connection);
  const change = createWebhookTransition(context);

  /** Fails when the webhook's status, active version or schedule is not what the caller saw. */
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
