import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { observeWithExemplar } from '../../../src/base/observability/open-metrics.ts';
import { createReadiness, type ReadinessFailure } from '../../../src/base/process/readiness.ts';
import { listenOps } from '../../../src/http/server/ops.ts';

type Given = { readonly accept?: string; readonly webhookMetrics?: () => Promise<string> | null };

async function look(
  path: string,
  troubles: () => Promise<ReadinessFailure[]>,
  { accept = '*/*', ...given }: Given = {},
) {
  const { registry, receiveSeconds } = createMetrics();
  observeWithExemplar(receiveSeconds, {
    labels: { outcome: 'event' },
    value: 0.02,
    exemplar: { request_id: 'r1' },
  });
  const readiness = createReadiness({ startingReason: () => 'it has not begun' });
  readiness.begin([{ name: 'mongodb', findFailures: troubles }]);
  const ops = await listenOps({
    opsHost: '127.0.0.1',
    opsPort: 0,
    registry,
    readiness,
    ...given,
  });
  const response = await fetch(`${ops.url}${path}`, { headers: { accept } });
  const text = await response.text();
  await ops.close();
  return { status: response.status, text, type: response.headers.get('content-type') };
}

const fine = () => Promise.resolve([]);

test('a process is alive even if it is not ready', async () => {
  expect((await look('/healthz', () => Promise.reject(new Error('x')))).status).toBe(200);
});

test('a process is ready without failures', async () => {
  expect(await look('/readyz', fine)).toMatchObject({
    status: 200,
    text: '{"ok":true,"reasons":[]}',
  });
});

test('readiness failures are named', async () => {
  const answer = await look('/readyz', () =>
    Promise.resolve([{ check: 'mongodb', reason: 'MongoDB has no primary' }]),
  );
  expect(answer.status).toBe(503);
  expect(answer.text).toContain('MongoDB has no primary');
});

test('a check that throws is not ready, and its error is not shown', async () => {
  const answer = await look('/readyz', () => Promise.reject(new Error('mongodb://user:hush@db')));
  expect(answer.status).toBe(503);
  expect(answer.text).not.toContain('hush');
});

test('the process alone does not depend on what it uses', async () => {
  const answer = await look('/readyz?scope=self', () =>
    Promise.resolve([{ check: 'mongodb', reason: 'no primary' }]),
  );
  expect(answer).toMatchObject({ status: 200, text: '{"ok":true,"reasons":[]}' });
});

/** As Prometheus asks. */
const asPrometheus =
  'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1';

test('metrics are OpenMetrics with exemplars when asked for, and the text format keeps its names', async () => {
  const answer = await look('/metrics', fine, { accept: asPrometheus });
  expect(answer.type).toContain('application/openmetrics-text; version=1.0.0');
  expect(answer.text).toMatch(
    /^inlet_receive_duration_seconds_bucket\{le="0.025",outcome="event"\} 1 # \{request_id="r1"\} 0.02 /m,
  );
  expect(answer.text).toContain('# TYPE inlet_events_received counter');
  expect(answer.text).toMatch(/^inlet_events_received_total\{mode="event"\} 0$/m);
  expect(answer.text.endsWith('\n# EOF\n')).toBe(true);
  for (const accept of ['text/plain', '*/*']) {
    const { type, text } = await look('/metrics', fine, { accept });
    expect(type).toContain('text/plain; version=0.0.4');
    expect(text).toContain('# TYPE inlet_events_received_total counter');
    expect(text).not.toContain('request_id');
  }
});

test('metrics of webhooks are not found when they are off, and unavailable without MongoDB', async () => {
  const path = '/metrics/webhooks';
  expect((await look(path, fine)).status).toBe(404);
  expect((await look(path, fine, { webhookMetrics: () => null })).status).toBe(503);
  const rejected = { webhookMetrics: () => Promise.reject(new Error('mongodb://user:hush@db')) };
  expect(await look(path, fine, rejected)).toMatchObject({
    status: 503,
    text: expect.not.stringContaining('hush'),
  });
  const some = { webhookMetrics: () => Promise.resolve('inlet_x 1\n') };
  expect(await look(path, fine, some)).toMatchObject({ status: 200, text: 'inlet_x 1\n' });
});

test('metrics are Prometheus text', async () => {
  const answer = await look('/metrics', fine);
  expect(answer.text).toContain('# TYPE inlet_receive_duration_seconds histogram');
});

test('other paths are not found', async () => {
  expect((await look('/v1/admin/webhooks', fine)).status).toBe(404);
});
