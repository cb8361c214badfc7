/** One scrape of several processes. */
import {
  createMergedMetrics,
  type ProcessMetrics,
} from '../../../../src/base/observability/merged-metrics.ts';
import { createMetrics } from '../../../../src/base/observability/metrics.ts';
import { openMetricsText } from '../../../../src/base/observability/open-metrics.ts';

function startChild(received: number, inFlight: number) {
  const metrics = createMetrics({ role: 'server' });
  metrics.received.inc({ mode: 'event' }, received);
  metrics.inFlight.set({ stage: 'receiving' }, inFlight);
  metrics.redisUp.set(inFlight === 0 ? 0 : 1);
  // As it arrives over IPC.
  const answer = async () =>
    JSON.parse(JSON.stringify(await metrics.registry.getMetricsAsJSON())) as ProcessMetrics;
  return { metrics, answer };
}
const valueOf = (text: string, series: string) =>
  text
    .split('\n')
    .find((line) => line.startsWith(`${series} `))
    ?.split(' ')[1];
const received = 'inlet_events_received_total{mode="event"}';
const inFlight = 'inlet_in_flight{stage="receiving"}';

test('counters and gauges are added, or follow their aggregator', async () => {
  const merged = createMergedMetrics();
  const [a, b] = [startChild(3, 2), startChild(4, 0)];
  const registry = await merged.merge(
    [],
    [
      { child: a, metrics: await a.answer() },
      { child: b, metrics: await b.answer() },
    ],
  );
  const text = await registry.metrics();
  expect([valueOf(text, received), valueOf(text, inFlight)]).toEqual(['7', '2']);
  expect(valueOf(text, 'inlet_redis_up')).toBe('0');
  const open = await openMetricsText(registry);
  expect(valueOf(open, received)).toBe('7');
  expect(open).not.toContain('_total_total');
});

test('a counter does not fall when a child ends or does not answer, and no answer counts twice', async () => {
  const merged = createMergedMetrics();
  const [a, b] = [startChild(3, 1), startChild(4, 1)];
  const ofB = await b.answer();
  await merged.merge(
    [],
    [
      { child: a, metrics: await a.answer() },
      { child: b, metrics: ofB },
    ],
  );
  a.metrics.received.inc({ mode: 'event' }, 10);
  const late = await a.answer();
  merged.end(a);
  // The answer of a child that has ended since is not used.
  const text = await (
    await merged.merge(
      [],
      [
        { child: a, metrics: late },
        { child: b, metrics: undefined },
      ],
    )
  ).metrics();
  expect([valueOf(text, received), valueOf(text, inFlight)]).toEqual(['7', undefined]);
  const c = startChild(1, 1);
  merged.end(b);
  const next = await merged.merge([], [{ child: c, metrics: await c.answer() }]);
  expect(valueOf(await next.metrics(), received)).toBe('8');
});
