/**
 * Activation: a mapping version becomes the one that new events are read by.
 *
 * Promises: the webhook, the status of both versions and the audit row change together or not at all.
 * Where the new version recognises resends by another recipe, the old one stays known until its overlap ends.
 */
import type { Actor } from '../domain/audit.ts';
import type { Webhook } from '../domain/webhook.ts';
import type { Connection } from './connection.ts';
import { inTransaction } from './model.ts';
import { versionModel } from './records.ts';
import { createTransition } from './transition.ts';

export type Activation = {
  readonly version: number;
  /** The active version that the caller saw; another one by now means nothing is changed. */
  readonly previous: number | null;
  /** How long resends are still known by the previous version's recipe; 0 when it is the same or was wrong. */
  readonly overlapMs: number;
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

export function createActivation(connection: Connection) {
  const versions = versionModel(connection);
  const change = createTransition(connection);

  /** Null when the webhook's state or active version is not what the caller saw. */
  return function activate(id: string, activation: Activation): Promise<Webhook | null> {
    const { version, previous, actor } = activation;
    return inTransaction(connection, async (session) => {
      const transition = {
        id,
        where: {
          status: { $in: activatable },
          activeVersion: previous,
          lastVersion: { $gte: version },
        },
        set: {
          activeVersion: version,
          status: { $cond: [{ $eq: ['$status', 'paused'] }, 'paused', 'active'] },
          overlaps: overlapsAfter(activation),
        },
        action: 'webhook.activate',
        actor,
      };
      const changed = await change(transition, session);
      if (!changed) return null;
      if (version === previous) return changed.after;
      await versions.updateOne(
        { webhookId: id, version },
        { $set: { status: 'active' }, $currentDate: { activatedAt: true } },
        { session },
      );
      if (previous !== null) {
        const retired = { $set: { status: 'retired' } } as const;
        await versions.updateOne({ webhookId: id, version: previous }, retired, { session });
      }
      return changed.after;
    });
  };
}
