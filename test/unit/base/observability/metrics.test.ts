/** The series of the roles, and their labels. */
import { createMetrics, describeMetrics } from '../../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../../src/domain/metric-labels.ts';

const seriesOf = async (role: 'server' | 'worker') =>
  (await createMetrics({ role, ...metricLabels }).registry.metrics()).split('\n');
const namesOf = (lines: readonly string[]) =>
  lines.flatMap((line) => /^# TYPE (inlet_\S+)/.exec(line)?.[1] ?? []);

test('a role has its own series only', async () => {
  const [server, worker] = [namesOf(await seriesOf('server')), namesOf(await seriesOf('worker'))];
  expect(server).toContain('inlet_receive_duration_seconds');
  expect(worker).not.toContain('inlet_receive_duration_seconds');
  expect(worker).toContain('inlet_event_time_to_done_seconds');
  expect(server).not.toContain('inlet_event_time_to_done_seconds');
  expect(server).toContain('inlet_redis_up');
  expect(worker).toContain('inlet_redis_up');
});

test('every known combination of labels is 0 from the start', async () => {
  const lines = (await Promise.all((['server', 'worker'] as const).map(seriesOf))).flat();
  for (const { name, type, labels } of describeMetrics(metricLabels)) {
    const values = Object.values(labels);
    if (type === 'gauge' || values.some((known) => typeof known === 'string')) continue;
    const count = values.reduce((product, known) => product * known.length, 1);
    const start = type === 'histogram' ? `${name}_count` : name;
    const own = lines.filter(
      (line) => line.startsWith(`${start} `) || line.startsWith(`${start}{`),
    );
    const isOfBoth =
      describeMetrics(metricLabels).find((one) => one.name === name)?.roles.length === 2;
    expect([name, own.length]).toEqual([name, isOfBoth ? 2 * count : count]);
    expect(own.filter((line) => !line.endsWith(' 0'))).toEqual([]);
  }
});

test('names have units, and no label is an id or a key', () => {
  const names = describeMetrics(metricLabels).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const { name, type, labels } of describeMetrics(metricLabels)) {
    expect(name).toMatch(
      type === 'counter' ? /^inlet_[a-z_]+_total$/ : /^inlet_[a-z_]+(?<!_total)$/,
    );
    if (type === 'histogram') expect(name).toMatch(/_(?:seconds|events)$/);
    expect(Object.keys(labels).filter((label) => /id$|key$|^path_/.test(label))).toEqual([]);
    for (const values of Object.values(labels))
      expect(typeof values === 'string' || values.length <= 60).toBe(true);
  }
});
