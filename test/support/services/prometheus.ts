// A real Prometheus that scrapes processes of a test every second, with the rules of deploy/prometheus, in which a minute lasts a second.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../processes/client.ts';
import { requiredEnv } from './services.ts';

/** A minute of the rules lasts a second. */
const durationDivisor = 60;
const secondsOf: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** Divides the durations of the rules: of ranges, offsets, intervals and `for`. Numbers within expressions stay. */
const shortenDurations = (rules: string): string =>
  rules.replaceAll(/(?<=\[|offset |for: |interval: )\d+[smhd]/g, (duration) => {
    const seconds = Number(duration.slice(0, -1)) * (secondsOf[duration.slice(-1)] ?? 1);
    return `${Math.max(1, Math.round(seconds / durationDivisor))}s`;
  });

type Sample = readonly [timeSeconds: number, value: string];
export type Series = {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly Sample[];
};
type Alert = {
  readonly labels: Readonly<Record<string, string>>;
  readonly state: 'pending' | 'firing';
};

export type Prometheus = Awaited<ReturnType<typeof startPrometheus>>;

/** Scrapes the operations ports. Resolves when it answers. */
export async function startPrometheus(opsUrls: readonly string[]) {
  const folder = await mkdtemp(join(tmpdir(), 'inlet-test-prometheus-'));
  const port = await freePort();
  const targets = opsUrls.map((url) => new URL(url).host);
  const rules = await readFile(join(repository, 'deploy/prometheus/inlet-rules.yaml'), 'utf8');
  await writeFile(join(folder, 'rules.yaml'), shortenDurations(rules));
  const scrape = { job_name: 'inlet', static_configs: [{ targets }] };
  const configuration = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [scrape],
  };
  // JSON is YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(configuration));
  const child = spawn(
    requiredEnv('INLET_TEST_PROMETHEUS'),
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--enable-feature=exemplar-storage',
      '--log.level=error',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'close');
  const base = `http://127.0.0.1:${port}/api/v1`;

  async function ask<Data>(path: string, query: Record<string, string> = {}): Promise<Data> {
    const response = await fetch(`${base}/${path}?${new URLSearchParams(query).toString()}`);
    const { data, error } = (await response.json()) as { data?: Data; error?: string };
    if (data === undefined) throw new Error(`Prometheus answered ${path} with: ${error}`);
    return data;
  }

  /** Returns the names of the alerts that fire. */
  async function firing(): Promise<readonly string[]> {
    const { alerts } = await ask<{ alerts: readonly Alert[] }>('alerts');
    const found = alerts.filter(({ state }) => state === 'firing');
    return found.map(({ labels }) => labels.alertname ?? '');
  }

  await waitForValue('Prometheus answers', () => ask('status/buildinfo'));
  return {
    /** Returns the series of the last seconds; `$__rate_interval` is ten seconds. */
    async range(expr: string, lastSeconds: number): Promise<readonly Series[]> {
      const end = Date.now() / 1_000;
      const query = expr.replaceAll('$__rate_interval', '10s');
      const start = String(end - lastSeconds);
      const given = { query, start, end: String(end), step: '1' };
      return (await ask<{ result: readonly Series[] }>('query_range', given)).result;
    },
    firing,
    fires: (alert: string) =>
      waitForValue(`${alert} fires`, async () =>
        (await firing()).includes(alert) ? true : undefined,
      ),
    ends: (alert: string) =>
      waitForValue(`${alert} ends`, async () =>
        (await firing()).includes(alert) ? undefined : true,
      ),
    exemplars: (query: string) =>
      ask<readonly { exemplars: readonly { labels: Record<string, string> }[] }[]>(
        'query_exemplars',
        { query, start: String(Date.now() / 1_000 - 300), end: String(Date.now() / 1_000) },
      ),
    async close(): Promise<void> {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
