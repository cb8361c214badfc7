// Waiting until everything has come to its end, once the faults are over.
import { setTimeout as pause } from 'node:timers/promises';
import type { Cluster } from './cluster.ts';
import type { Operator } from './operator.ts';

export type Settled = {
  readonly isSettled: boolean;
  /** Events that were still open when their next look was brought forward. */
  readonly hastened: number;
  /** Dead by bad luck alone, and sent through again by a person. */
  readonly revived: number;
  readonly tookMs: number;
};

export type Patience = {
  /** How long everything is left to itself. */
  readonly naturalMs: number;
  /** How long it may take after that. */
  readonly hastenedMs: number;
};

const lookEveryMs = 250;
const hastenEveryMs = 3_000;
/** What faults may do to an event that nothing is wrong with. */
const badLuck = ['attempts_spent', 'crashed_worker', 'store_unavailable', 'effect_contended'];

export async function settle(
  cluster: Cluster,
  operator: Operator,
  patience: Patience,
): Promise<Settled> {
  const startedAt = Date.now();
  let hastened = 0;
  let revived = 0;
  for (let round = 0; round < 5; round += 1) {
    const first = await settleOnce(cluster, patience);
    hastened += first.hastened;
    if (!first.isSettled) {
      return { isSettled: false, hastened, revived, tookMs: Date.now() - startedAt };
    }
    const again = await operator.replayDead(200, badLuck);
    revived += again;
    if (again === 0) break;
  }
  return { isSettled: true, hastened, revived, tookMs: Date.now() - startedAt };
}

async function settleOnce({ db }: Cluster, { naturalMs, hastenedMs }: Patience) {
  const events = db.collection('events');
  const startedAt = Date.now();
  let hastened = 0;
  let nextHasteAt = startedAt + naturalMs;
  for (;;) {
    const open = await events.countDocuments({ open: true });
    if (open === 0) return { isSettled: true, hastened };
    const now = Date.now();
    if (now > startedAt + naturalMs + hastenedMs) return { isSettled: false, hastened };
    if (now > nextHasteAt) {
      hastened = Math.max(hastened, open);
      nextHasteAt = now + hastenEveryMs;
      await passTime(events);
    }
    await pause(lookEveryMs);
  }
}

/**
 * As if hours had passed: what will be looked at some day is looked at now. A time that is not set stays so, because an
 * event without one is forgotten, and that must be seen.
 */
async function passTime(events: ReturnType<Cluster['db']['collection']>): Promise<void> {
  await events.updateMany({ open: true, nextAt: { $type: 'date' } }, [
    { $set: { nextAt: { $min: ['$nextAt', '$$NOW'] } } },
  ]);
  await events.updateMany({ open: true, state: 'waiting', dueAt: { $type: 'date' } }, [
    { $set: { dueAt: { $min: ['$dueAt', '$$NOW'] } } },
  ]);
}
