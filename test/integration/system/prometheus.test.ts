// The metrics, rules and alerts, judged by promtool.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { repository } from '../../../scripts/lib/paths.mjs';
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
  readonly alert_rule_test: readonly { readonly exp_alerts: readonly unknown[] }[];
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
  const counts = tests.map((one) => [
    one.name,
    ...one.alert_rule_test.map(({ exp_alerts: expected }) => expected.length),
  ]);
  expect(counts).toEqual(alerts.map((alert) => [alert, 0, 1]));
});

test('each alert has a severity and a section that says what to do', async () => {
  const operations = await read('docs/operations.md');
  const anchors = new Set(
    [...operations.matchAll(/^#+ (.*)$/gm)].map(
      ([, title = '']) =>
        `docs/operations.md#${title
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
});

test('the rules name series and labels that exist', async () => {
  const known = new Map<string, readonly (readonly [string, readonly string[] | string])[]>(
    describeMetrics(metricLabels).map(({ name, labels }) => [name, Object.entries(labels)]),
  );
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
        expect([name, label, values.includes(value)]).toEqual([name, label, true]);
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
