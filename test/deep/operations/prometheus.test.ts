// The metrics, rules and alerts, judged by promtool.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
import { runbookPage } from '../../../scripts/lib/prometheus-rules.mjs';
import { createMetrics, describeMetrics } from '../../../src/base/observability/metrics.ts';
import { metricLabels } from '../../../src/domain/metric-labels.ts';
import { requiredEnv } from '../../support/services/services.ts';

const folder = join(repository, 'deploy/prometheus');
const run = promisify(execFile);
const promtool = (...args: string[]) =>
  run(requiredEnv('INLET_TEST_PROMTOOL'), args, { cwd: folder });

type Rule = {
  readonly record?: string;
  readonly alert?: string;
  readonly expr: string;
  readonly labels?: { readonly severity: string };
  readonly annotations?: { readonly runbook_url: string };
};
type RuleTest = {
  readonly name: string;
  readonly alert_rule_test: readonly {
    readonly alertname: string;
    readonly exp_alerts: readonly unknown[];
  }[];
};

const read = (path: string) => readFile(join(repository, path), 'utf8');
const readRules = async (): Promise<Rule[]> => {
  const text = await read('deploy/prometheus/inlet-rules.yaml');
  return (parse(text) as { groups: { rules: Rule[] }[] }).groups.flatMap(({ rules }) => rules);
};

test('the rules are valid, and each of their tests passes', async () => {
  expect((await promtool('check', 'rules', 'inlet-rules.yaml')).stdout).toContain('SUCCESS');
  expect((await promtool('test', 'rules', 'inlet-rules.test.yaml')).stdout).toContain('SUCCESS');
});

test('each alert is tested quiet and firing', async () => {
  const alerts = (await readRules()).flatMap(({ alert }) => alert ?? []);
  expect(alerts.length).toBeGreaterThan(15);
  const text = await read('deploy/prometheus/inlet-rules.test.yaml');
  const { tests } = parse(text) as { tests: RuleTest[] };
  // A name is that of the alert, or begins with it: `InletQueueLong, another worker measures it`.
  const counts = tests.flatMap(({ name, alert_rule_test: checks }) =>
    checks.map(({ alertname, exp_alerts: expected }) => {
      expect([name, name.split(', ')[0]]).toEqual([name, alertname]);
      return `${alertname}: ${expected.length}`;
    }),
  );
  const wanted = alerts.flatMap((alert) => [`${alert}: 0`, `${alert}: 1`]);
  expect(new Set(counts)).toEqual(new Set(wanted));
});

test('each alert has a severity and a section that says what to do', async () => {
  const operations = await read('docs/operations.md');
  const anchors = new Set(
    [...operations.matchAll(/^#+ (.*)$/gm)].map(
      ([, title = '']) =>
        `${runbookPage}#${title
          .toLowerCase()
          .replaceAll(/[^a-z0-9 ]/g, '')
          .replaceAll(' ', '-')}`,
    ),
  );
  for (const { alert, labels, annotations } of await readRules()) {
    if (alert === undefined) continue;
    expect([alert, ['page', 'ticket'].includes(labels?.severity ?? '')]).toEqual([alert, true]);
    expect([alert, anchors.has(annotations?.runbook_url ?? '')]).toEqual([alert, true]);
  }
  // Only an absolute address opens from a pager.
  expect(new URL(runbookPage).pathname).toMatch(/\/docs\/operations\.md$/);
});

test('the rules name series and labels that exist', async () => {
  const known = new Map<string, readonly (readonly [string, readonly string[] | string])[]>(
    describeMetrics(metricLabels).map(({ name, labels }) => [name, Object.entries(labels)]),
  );
  // Of `npm start` itself; test/e2e/start.test.ts reads it.
  known.set('inlet_process_restarts_total', []);
  const seriesOf = (text: string) => [
    ...text.matchAll(/\b(inlet_[a-z_]+?)(?:_bucket|_count|_sum)?(?:\{([^}]*)\}|(?![a-z_]))/g),
  ];
  let seen = 0;
  for (const { expr } of await readRules()) {
    for (const [, name = '', matchers = ''] of seriesOf(expr)) {
      seen += 1;
      const labels = new Map(known.get(name));
      expect([name, known.has(name)]).toEqual([name, true]);
      for (const [, label = '', value = ''] of matchers.matchAll(/(\w+)!?=~?"([^"]*)"/g)) {
        if (label === 'le') continue;
        const values = labels.get(label) ?? [];
        const unknown = value.split('|').filter((one) => !values.includes(one));
        expect([name, label, unknown]).toEqual([name, label, []]);
      }
    }
  }
  expect(seen).toBeGreaterThan(30);
});

test.each(['server', 'worker'] as const)('promtool accepts the metrics of a %s', async (role) => {
  const { registry } = createMetrics({ role, ...metricLabels });
  const place = await mkdtemp(join(tmpdir(), 'inlet-test-metrics-'));
  try {
    const file = join(place, 'metrics.txt');
    await writeFile(file, await registry.metrics());
    const { stdout, stderr } = await run('sh', [
      '-c',
      '"$0" check metrics < "$1"',
      requiredEnv('INLET_TEST_PROMTOOL'),
      file,
    ]);
    expect(`${stdout}${stderr}`).toBe('');
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});

test('nothing scales out while Redis is away, by the queries of KEDA', async () => {
  const { spec } = parse(await read('deploy/kubernetes/keda/worker-scaler.yaml')) as {
    spec: { triggers: { metadata: { query: string } }[] };
  };
  const series = (name: string, ...values: [a: string, b: string]) =>
    ['a', 'b'].map((instance, index) => ({
      series: `${name}{instance="${instance}"}`,
      values: values[index],
    }));
  const expected = [8_605, 1_573];
  const samples = (values: readonly number[], evalTime: string) =>
    spec.triggers.map(({ metadata: { query: expr } }, index) => ({
      expr,
      eval_time: evalTime,
      exp_samples: [{ labels: '{}', value: values[index] }],
    }));
  const test = {
    interval: '1m',
    input_series: [
      ...series('inlet_events_due', '8605x20', '_x20'),
      ...series('inlet_oldest_due_event_timestamp_seconds', '-1273x5 -673x15', '_x20'),
      // One process that reaches it is enough: the others may be starting.
      ...series('inlet_redis_up', '1x5 0x15', '0x20'),
    ],
    promql_expr_test: [...samples(expected, '5m'), ...samples([0, 0], '15m')],
  };
  const place = await mkdtemp(join(tmpdir(), 'inlet-test-keda-'));
  try {
    const file = join(place, 'keda.test.yaml');
    // JSON is YAML.
    await writeFile(file, JSON.stringify({ evaluation_interval: '1m', tests: [test] }));
    expect((await promtool('test', 'rules', file)).stdout).toContain('SUCCESS');
  } finally {
    await rm(place, { recursive: true, force: true });
  }
});
