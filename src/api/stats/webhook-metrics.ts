/**
 * Metrics of single webhooks: those that received most today and yesterday (UTC), and the rest together.
 *
 * Promises: the number of series is bounded; the figures are read at most every fifteen seconds, and the counts of webhooks
 * survive restarts. The counter of the rest begins with the process, so that it only grows although webhooks enter and leave the list.
 */
import { Counter, Gauge, Registry } from 'prom-client';
import type { Clock } from '../../base/clock.ts';
import { allWebhooks, unitMs } from '../../domain/stats.ts';
import type { StatsStore } from '../../store/counters/stats.ts';

type WebhookMetricsDeps = {
  readonly stats: Pick<StatsStore, 'busiest' | 'lifetimes'>;
  /** How many webhooks have series of their own. */
  readonly limit: number;
  readonly clock: Clock;
};

const usableMs = 15_000;
/** The label of the webhooks without series of their own. */
const others = 'other';

/** Returns a function that resolves to the series as text, and rejects when MongoDB does not answer. */
export function createWebhookMetrics({ stats, limit, clock }: WebhookMetricsDeps) {
  let before: ReadonlyMap<string, number> = new Map();
  let ofOthers = 0;
  let answer: { readonly atMs: number; readonly text: Promise<string> } | undefined;

  async function read(): Promise<string> {
    const today = clock.now();
    const days = [today, new Date(+today - unitMs.day)];
    const ids = await stats.busiest(days, { limit });
    const found = await stats.lifetimes([...ids, allWebhooks]);
    const now = new Map(found.map(({ webhookId, received }) => [webhookId, received]));
    ofOthers += increaseOfOthers(before, now);
    before = now;
    const { registry, received, lastEvent } = createSeries();
    received.inc({ webhook_id: others }, ofOthers);
    for (const { webhookId, received: count, lastAt } of found) {
      if (webhookId === allWebhooks) continue;
      received.inc({ webhook_id: webhookId }, count);
      if (lastAt) lastEvent.set({ webhook_id: webhookId }, +lastAt / 1_000);
    }
    return registry.metrics();
  }

  return function readWebhookMetrics(): Promise<string> {
    const nowMs = clock.elapsedMs();
    if (!answer || nowMs - answer.atMs >= usableMs) {
      const text = read();
      answer = { atMs: nowMs, text };
      text.catch(() => (answer = undefined));
    }
    return answer.text;
  };
}

/** The increase of a webhook counts from the reading before. One that was not read then counts with the others. */
function increaseOfOthers(
  before: ReadonlyMap<string, number>,
  now: ReadonlyMap<string, number>,
): number {
  if (!before.has(allWebhooks)) return 0;
  let increase = 0;
  for (const [id, count] of now) {
    const since = count - (before.get(id) ?? count);
    increase += id === allWebhooks ? since : -since;
  }
  return Math.max(0, increase);
}

function createSeries() {
  const registry = new Registry();
  const common = { labelNames: ['webhook_id'] as const, registers: [registry] };
  const received = new Counter({
    ...common,
    name: 'inlet_webhook_events_received_total',
    help: 'Accepted events of the webhooks that received most today and yesterday (UTC). other: all others, since the start of this process.',
  });
  const lastEvent = new Gauge({
    ...common,
    name: 'inlet_webhook_last_event_timestamp_seconds',
    help: 'Time of the last accepted event of the webhooks that received most today and yesterday (UTC).',
  });
  return { registry, received, lastEvent };
}
