/** The pages list what the code has: codes, reasons, problems, settings, metrics, log lines, links. */
import { dashboards } from '../../scripts/lib/dashboards/definitions.mjs';
import { grafanaFileOf } from '../../scripts/lib/dashboards/grafana.mjs';
import { errorsPage } from '../../scripts/lib/errors-page.mjs';
import { metricsPage } from '../../scripts/lib/metrics-page.mjs';
import { anchorOf } from '../../scripts/lib/site/anchors.mjs';
import { shownPictures } from '../../scripts/lib/site/pictures.mjs';
import { settingsPage } from '../../scripts/lib/settings-page.mjs';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { errorKinds, errorText } from '../../src/base/errors.ts';
import { createMetrics, describeMetrics } from '../../src/base/observability/metrics.ts';
import { metricLabels } from '../../src/domain/metric-labels.ts';
import { actions, actionText, actionByReason, reasons } from '../../src/domain/events/actions.ts';
import { knownErrors, treatmentOf } from '../../src/channels/telegram/api-errors.ts';
import { codeRanges } from '../../src/channels/whatsapp/api-errors.ts';
import { statusOf } from '../../src/http/error-handler.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const sorted = (words: Iterable<string>) => [...new Set(words)].toSorted();
const matches = (text: string, shape: RegExp) =>
  [...text.matchAll(shape)].map(([, word = '']) => word);

/** Returns the part of a page under one heading, with its subheadings. */
function section(page: string, heading: string): string {
  const [, level = ''] = new RegExp(`^(#+) ${heading}$`, 'm').exec(page) ?? [];
  if (level === '') throw new Error(`There is no heading "${heading}".`);
  const after = page.slice(
    page.indexOf(`${level} ${heading}\n`) + level.length + heading.length + 2,
  );
  const end = new RegExp(`^#{1,${level.length}} `, 'm').exec(after);
  return end ? after.slice(0, end.index) : after;
}

/** Returns the cells of each row of the first table, without its head. */
function rows(text: string): string[][] {
  const table = /(?:^\|.*\|$\n?)+/m.exec(text)?.[0] ?? '';
  const lines = table.trim().split('\n').slice(2);
  return lines.map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim()),
  );
}

const firstWords = (text: string) =>
  rows(text).flatMap(([cell = '']) => matches(cell, /`([^`]+)`/g));

const errors = read('docs/errors.md');
const operations = read('docs/operations.md');
const monitoring = read('docs/monitoring.md');

describe('docs/errors.md', () => {
  test('is what `npm run docs` writes', () => {
    const channels = { knownErrors, treatmentOf, codeRanges };
    const texts = { errorKinds, errorText, actionByReason, actions, actionText };
    expect(errors).toBe(errorsPage({ statusOf, ...texts, ...channels }));
  });

  test('has a text for everything that it lists', () => {
    expect(errors).not.toMatch(/undefined|\{where/);
  });

  test('has every error code, with its status, and no other', () => {
    const table = section(errors, 'Error codes');
    expect(sorted(firstWords(table))).toEqual(sorted(Object.keys(errorKinds)));
    for (const [code = '', status] of rows(table)) {
      const name = code.replaceAll('`', '') as keyof typeof errorKinds;
      expect([name, status]).toEqual([name, String(statusOf[errorKinds[name]])]);
    }
  });

  test('has every reason, and no other', () => {
    expect(sorted(firstWords(section(errors, 'Reasons')))).toEqual(sorted(reasons));
  });

  test('has for every reason the action that its group of dead letters carries', () => {
    const found = rows(section(errors, 'Reasons')).flatMap(([reason = '', , action = '']) =>
      matches(reason, /`([^`]+)`/g).map((word) => [word, action.replaceAll('`', '')]),
    );
    expect(Object.fromEntries(found)).toEqual(actionByReason);
  });

  test('has every action with its sentence, and no other', () => {
    const listed = rows(section(errors, 'Actions')).map(([word = '', text]) => [
      word.replaceAll('`', ''),
      text,
    ]);
    expect(listed).toEqual(actions.map((action) => [action, actionText(action, 'en')]));
  });

  test('has every mapping problem, and no other', () => {
    const [, union = ''] =
      /export type ProblemCode =([^;]*);/.exec(read('src/domain/mappings/mapping.ts')) ?? [];
    const problems = matches(union, /'([a-z_]+)'/g);
    expect(problems.length).toBeGreaterThan(10);
    expect(sorted(firstWords(section(errors, 'Mapping problems')))).toEqual(sorted(problems));
  });
});

describe('settings', () => {
  const config = read('config/config.ts');
  const scripts = read('scripts/lib/environment.mjs') + read('scripts/lib/paths.mjs');
  const known = sorted([
    ...matches(config, /'((?:INLET|MONGODB|REDIS|LOG)_[A-Z_]+)'/g),
    ...matches(scripts, /\b(INLET_[A-Z_]+)\b/g),
  ]);
  const traces = sorted(matches(read('config/traces.ts'), /'(OTEL_[A-Z_]+)'/g));
  const example = new Map(
    [...read('.env.example').matchAll(/^([A-Z_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  );

  test('docs/settings.md is what `npm run docs` writes', () => {
    const page = read('docs/settings.md');
    expect(page).toBe(settingsPage());
    expect(sorted(firstWords(page))).toEqual(sorted([...known, ...traces]));
  });

  test('are all in .env.example, and no other', () => {
    expect(known.length).toBeGreaterThan(15);
    expect(traces.length).toBeGreaterThan(5);
    expect(sorted(example.keys())).toEqual(sorted([...known, ...traces]));
  });

  test('have the defaults that .env.example says', () => {
    const defaults = new Map(
      [...config.matchAll(/(?:whole|text)\('([A-Z_]+)', '?([^',]*)'?,/g)].map(
        ([, name = '', value = '']) => [name, value.replaceAll('_', '')],
      ),
    );
    expect(defaults.size).toBeGreaterThan(12);
    for (const name of known.filter((one) => defaults.has(one))) {
      expect([name, example.get(name)]).toEqual([name, defaults.get(name)]);
    }
  });
});

describe('metrics', () => {
  const page = read('docs/metrics.md');
  const others = ['scripts/lib/process/ops-server.mjs', 'src/api/stats/webhook-metrics.ts'].flatMap(
    (file) => matches(read(file), /name: '(inlet_[a-z_]+)'/g),
  );

  test('docs/metrics.md is what `npm run docs` writes', () => {
    expect(page).toBe(metricsPage(describeMetrics(metricLabels)));
  });

  test.each(dashboards)('deploy/grafana/$uid.json is what `npm run docs` writes', (dashboard) => {
    expect(read(`deploy/grafana/${dashboard.uid}.json`)).toBe(grafanaFileOf(dashboard));
  });

  test('every series of a process is documented', async () => {
    const served = await createMetrics(metricLabels).registry.getMetricsAsJSON();
    const own = served.map(({ name }) => name).filter((name) => name.startsWith('inlet_'));
    expect(own.length).toBeGreaterThan(25);
    expect(sorted(firstWords(page))).toEqual(sorted([...own, ...others]));
  });

  test('are mentioned elsewhere by names that exist', () => {
    const listed = new Set(firstWords(page));
    const mentioned = matches(operations + monitoring, /\b(inlet_(?!wk_|at_)[a-z_]+)/g);
    const series = mentioned.map((name) => name.replace(/_(?:bucket|count|sum)$/, ''));
    expect(series.filter((name) => !listed.has(name))).toEqual([]);
  });
});

test('every log line is in docs/monitoring.md, and no other', () => {
  const files = ['src', 'workers'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(folder, name)),
  );
  const logged = files.flatMap((file) => {
    const calls =
      read(file).match(/(?:logger\.\w+\(|const logMessage =|const message = log)[^;]*;/g) ?? [];
    return calls.flatMap((call) => matches(call, /'([a-z]+\.[a-z_]+)'/g));
  });
  expect(logged.length).toBeGreaterThan(15);
  expect(sorted(firstWords(section(monitoring, 'Logs')))).toEqual(sorted(logged));
});

test('every attribute of a span is in docs/monitoring.md, and no other', () => {
  const [, union = ''] =
    /type AttributeName =([^;]*);/.exec(read('src/base/observability/tracing.ts')) ?? [];
  const names = matches(union, /'([a-z._]+)'/g);
  expect(names.length).toBeGreaterThan(10);
  expect(sorted(firstWords(section(monitoring, 'What is sent')))).toEqual(sorted(names));
});

test('every row of what grows names a bound, and a test that exists', () => {
  const grown = rows(section(read('docs/security.md'), 'What grows'));
  expect(grown.length).toBeGreaterThan(25);
  for (const [what = '', , bound = '', , tests = ''] of grown) {
    const named = matches(tests, /`([^`]+)`/g);
    const files = named.map((name) =>
      name.startsWith('unit/') ? `test/${name}.test.ts` : `test/integration/${name}.test.ts`,
    );
    expect([what, bound === '', named.length > 0]).toEqual([what, false, true]);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  }
});

test('every npm script is in CONTRIBUTING.md, and no other', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const listed = firstWords(section(read('CONTRIBUTING.md'), 'Scripts'));
  const names = listed.map((command) => command.replace(/^npm (?:run )?/, ''));
  expect(sorted(names)).toEqual(sorted(Object.keys(scripts).filter((name) => name !== 'prestart')));
});

describe('links', () => {
  const pages = [
    ...readdirSync(root).filter((name) => name.endsWith('.md')),
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => join('docs', name)),
  ];
  const anchorsOf = (path: string) => matches(read(path), /^#+ (.*)$/gm).map(anchorOf);

  test('there are pages', () => {
    expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/errors.md']));
  });

  test.each(pages)('every link of %s has a target', (page) => {
    const targets = matches(read(page), /\]\((?!https?:)([^)\s]+)\)/g);
    const broken = targets.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? page : join(dirname(page), path);
      if (!existsSync(join(root, file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
    expect(broken).toEqual([]);
  });
});

describe('pictures', () => {
  const shown = shownPictures();

  test.each(['screenshots', 'dashboards'])('every picture of docs/%s is on a page', (folder) => {
    const names = readdirSync(join(root, 'docs', folder));
    expect(names.length).toBeGreaterThan(3);
    expect(names.filter((name) => !shown.has(`docs/${folder}/${name}`))).toEqual([]);
  });
});

describe('decisions', () => {
  const names = readdirSync(join(root, 'docs/decisions')).filter((name) => name.endsWith('.md'));

  test('there are decisions, each with a number of its own', () => {
    expect(names.length).toBeGreaterThan(40);
    expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length);
  });

  test.each(names)('%s begins with its number and says the context and the decision', (name) => {
    const page = read(`docs/decisions/${name}`);
    expect(page).toMatch(
      new RegExp(`^# ${name.slice(0, 4)} [^\\s:.][^\\n]*[^.\\n]\\n\\n\\*\\*Context\\.\\*\\* `),
    );
    expect(page).toMatch(/^\*\*Decision\.\*\*(?: |$)/m);
  });
});
