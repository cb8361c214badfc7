/**
 * Counts the outcomes of events by mapping version, so that people can watch a new version: in memory, written every five
 * seconds, and every minute when 10,000 webhooks are active.
 *
 * Promises: processing never waits for it and never fails by it; memory is bounded. Test events are not counted. The counts
 * are approximate: a process that dies loses what it has not written.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import { hourMs } from '../domain/mappings/drift.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Outcome } from '../domain/events/outcome.ts';
import { addVersionHealth } from '../store/counters/version-health.ts';
import type { VersionHealthBucket, RecordOutcome } from '../domain/mappings/mapping-version.ts';
import type { Db } from '../store/db/connection.ts';

type OutcomeCounterDeps = Db & {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly intervalMs?: number;
};

type Mutable = { -readonly [Field in keyof VersionHealthBucket]: VersionHealthBucket[Field] } & {
  readonly reasons: Map<string, number>;
  readonly problems: Map<string, number>;
};

/** Between two writes; outcomes that need another bucket are not counted. */
const maxBuckets = 50_000;
const maxPerWrite = 500;
const maxIntervalMs = 60_000;
/** Reasons or problems of one bucket; a mapping has about a hundred targets. */
const maxNames = 500;

function add(counts: Map<string, number>, name: string): void {
  const count = counts.get(name) ?? 0;
  if (count > 0 || counts.size < maxNames) counts.set(name, count + 1);
}

function count(bucket: Mutable, outcome: Outcome): void {
  if (outcome.kind === 'split') return;
  if (outcome.kind === 'retry') bucket.retried += 1;
  else bucket[outcome.kind] += 1;
  if (outcome.kind === 'dead') add(bucket.reasons, outcome.reason);
  if (!('problems' in outcome)) return;
  const problems = new Set(outcome.problems?.map(({ target, code }) => `${target}|${code}`));
  for (const problem of problems) add(bucket.problems, problem);
}

export function startOutcomeCounter(ctx: OutcomeCounterDeps) {
  const { clock, logger, intervalMs = 5_000 } = ctx;
  const buffer = startWriteBehind<Mutable>({
    write: (buckets) => addVersionHealth(ctx, buckets),
    onFailure: (err, buckets) => logger.warn({ err, buckets: buckets.length }, 'health.not_saved'),
    maxEntries: maxBuckets,
    maxPerWrite,
    intervalMs,
    maxIntervalMs,
  });

  function bucketOf({ webhookId, mappingVersion: version }: EventRecord): Mutable | null {
    const hour = new Date(Math.floor(+clock.now() / hourMs) * hourMs);
    return buffer.entryOf(`${webhookId}:${version}:${+hour}`, () => ({
      webhookId,
      version,
      hour,
      done: 0,
      ignored: 0,
      dead: 0,
      retried: 0,
      reasons: new Map(),
      problems: new Map(),
    }));
  }

  const record: RecordOutcome = (event, outcome) => {
    const bucket = event.test ? null : bucketOf(event);
    if (bucket) count(bucket, outcome);
  };
  return { record, flush: buffer.flush, close: buffer.close };
}
