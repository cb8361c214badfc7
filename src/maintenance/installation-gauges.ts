/**
 * Measures what is stored in the installation, in one elected worker.
 *
 * Promises: the series are absent in processes that are not elected, and when a measurement fails, so that no old figure is
 * shown. Every read is bounded.
 */
import type { ProcessContext } from '../context/process-context.ts';
import type { Metrics } from '../base/observability/metrics.ts';
import { startElectedTicker } from '../base/process/ticker.ts';
import { runKinds } from '../domain/events/run.ts';
import { channelKindNames } from '../domain/messages/channel.ts';
import { metricLabels } from '../domain/metric-labels.ts';
import {
  countOpenEvents,
  countDueEvents,
  countOpenDeliveries,
  countDeadLetters,
  countChannels,
  countUnhealthyChannels,
  countOpenRuns,
} from '../store/maintenance/installation-counts.ts';
import { readDisk } from '../store/maintenance/database-state.ts';
import { lastBackupVerificationAt } from '../store/maintenance/backup-verifications.ts';
import { verifySecrets } from '../store/maintenance/stored-secrets.ts';

const defaultIntervalMs = 15_000;
/** What changes slowly is measured at every fourth turn. */
const slowTurns = 4;
/** Opening a secret costs CPU, and what opens changes only with the keys. */
const secretTurns = 20;
const maxSecrets = 10_000;

export function startInstallationGauges(
  ctx: ProcessContext,
  { intervalMs = defaultIntervalMs }: { readonly intervalMs?: number } = {},
) {
  const { measurement: election, metrics, logger } = ctx;
  let turn = 0;

  return startElectedTicker({
    election,
    intervalMs,
    async work() {
      await measureBacklog(ctx);
      if (turn % slowTurns === 0) {
        await measureStock(ctx);
        await measureSafety(ctx);
      }
      if (turn % secretTurns === 0) await measureSecrets(ctx);
      turn += 1;
    },
    leave() {
      turn = 0;
      removeAll(metrics);
    },
    onError: (err) => logger.debug({ err }, 'gauges.failed'),
  });
}

async function measureBacklog(ctx: ProcessContext): Promise<void> {
  const { metrics, clock } = ctx;
  const [open, { due, oldestAt }, deliveries] = await Promise.all([
    countOpenEvents(ctx),
    countDueEvents(ctx),
    countOpenDeliveries(ctx),
  ]);
  for (const { state, count } of open) metrics.eventsOpen.set({ state }, count);
  metrics.eventsDue.set(due);
  metrics.oldestDue.set(+(oldestAt ?? clock.now()) / 1_000);
  for (const { state, count } of deliveries) metrics.deliveriesOpen.set({ state }, count);
}

async function measureStock(ctx: ProcessContext): Promise<void> {
  const { metrics } = ctx;
  const [dead, channels, unhealthy, runs] = await Promise.all([
    countDeadLetters(ctx),
    countChannels(ctx),
    countUnhealthyChannels(ctx),
    countOpenRuns(ctx),
  ]);
  for (const reason of metricLabels.reasons) metrics.deadLetters.set({ reason }, 0);
  for (const { reason, count } of dead) metrics.deadLetters.set({ reason }, count);
  for (const kind of channelKindNames) {
    for (const state of ['enabled', 'disabled']) metrics.channels.set({ kind, state }, 0);
  }
  for (const { kind, enabled, count } of channels) {
    metrics.channels.set({ kind, state: enabled ? 'enabled' : 'disabled' }, count);
  }
  metrics.channelsUnhealthy.set({ state: 'failing' }, unhealthy.failing);
  metrics.channelsUnhealthy.set({ state: 'off' }, unhealthy.off);
  for (const kind of runKinds) metrics.runsOpen.set({ kind }, 0);
  for (const { kind, count } of runs) metrics.runsOpen.set({ kind }, count);
}

async function measureSafety(ctx: ProcessContext): Promise<void> {
  const { metrics } = ctx;
  const [disk, verifiedAt] = await Promise.all([
    // A MongoDB that refuses the question still answers the others.
    readDisk(ctx).catch(() => null),
    lastBackupVerificationAt(ctx),
  ]);
  setOrRemove(metrics.diskUsed, disk && disk.usedBytes);
  setOrRemove(metrics.diskSize, disk && disk.totalBytes);
  setOrRemove(metrics.backupVerified, verifiedAt && +verifiedAt / 1_000);
}

function setOrRemove(gauge: Metrics['diskUsed'], value: number | null): void {
  if (value === null) gauge.remove();
  else gauge.set(value);
}

async function measureSecrets(ctx: ProcessContext): Promise<void> {
  const { vault, metrics } = ctx;
  const counts = await verifySecrets(ctx, vault, maxSecrets);
  for (const { owner, unreadable } of counts) metrics.secretsUnreadable.set({ owner }, unreadable);
}

function removeAll(metrics: Metrics): void {
  metrics.eventsDue.remove();
  metrics.oldestDue.remove();
  metrics.eventsOpen.reset();
  metrics.deliveriesOpen.reset();
  metrics.deadLetters.reset();
  metrics.channels.reset();
  metrics.channelsUnhealthy.reset();
  metrics.runsOpen.reset();
  metrics.diskUsed.remove();
  metrics.diskSize.remove();
  metrics.backupVerified.remove();
  metrics.secretsUnreadable.reset();
}
