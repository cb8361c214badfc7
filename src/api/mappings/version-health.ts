/** Outcomes of events per mapping version, since the hour of its last activation. */
import { orNotFound } from '../../base/errors.ts';
import { hourMs } from '../../domain/mappings/drift.ts';
import {
  keptHealthDays,
  type MappingVersion,
  type VersionHealthBucket,
} from '../../domain/mappings/mapping-version.ts';
import type { ApiContext } from '../context.ts';
import { listVersionHealth } from '../../store/counters/version-health.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { getMappings } from '../../store/webhooks/mappings.ts';

type Version = Pick<MappingVersion, 'version' | 'status' | 'activatedAt'>;

/** Number of listed reasons and problems, most frequent first. */
const maxShown = 100;

const sum = (
  buckets: readonly VersionHealthBucket[],
  field: 'done' | 'ignored' | 'dead' | 'retried',
): number => buckets.reduce((total, bucket) => total + bucket[field], 0);

function frequent(buckets: readonly VersionHealthBucket[], field: 'reasons' | 'problems') {
  const counts = new Map<string, number>();
  for (const bucket of buckets) {
    for (const [name, count] of bucket[field]) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  return [...counts].toSorted((a, b) => b[1] - a[1]).slice(0, maxShown);
}

function healthOf({ version, status, activatedAt }: Version, kept: readonly VersionHealthBucket[]) {
  const fromHour = activatedAt ? Math.floor(+activatedAt / hourMs) * hourMs : 0;
  const buckets = kept.filter((bucket) => bucket.version === version && +bucket.hour >= fromHour);
  const [done, ignored, dead] = [
    sum(buckets, 'done'),
    sum(buckets, 'ignored'),
    sum(buckets, 'dead'),
  ];
  return {
    version,
    status,
    activatedAt: activatedAt ?? null,
    ended: done + ignored + dead,
    done,
    ignored,
    dead,
    retried: sum(buckets, 'retried'),
    reasons: frequent(buckets, 'reasons').map(([reason, count]) => ({ reason, count })),
    problems: frequent(buckets, 'problems').map(([problem, count]) => {
      const at = problem.lastIndexOf('|');
      return { target: problem.slice(0, at), code: problem.slice(at + 1), count };
    }),
  };
}

/** Returns versions with recent outcomes and the active version, newest first. */
export async function readVersionHealth(ctx: ApiContext, webhookId: string) {
  const { activeVersion } = orNotFound(await getWebhook(ctx, webhookId));
  const buckets = await listVersionHealth(ctx, webhookId);
  const active = activeVersion === null ? [] : [activeVersion];
  const numbers = new Set([...active, ...buckets.map(({ version }) => version)]);
  const found = await getMappings(
    ctx,
    [...numbers].map((version) => ({ webhookId, version })),
  );
  return {
    keptDays: keptHealthDays,
    versions: found
      .toSorted((a, b) => b.version - a.version)
      .map((version) => healthOf(version, buckets)),
  };
}
