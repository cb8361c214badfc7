import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createReadiness, type Failure } from '../../../src/base/process/readiness.ts';
import { listenOps } from '../../../src/http/server/ops.ts';

async function look(path: string, troubles: () => Promise<Failure[]>) {
  const { registry } = createMetrics();
  const readiness = createReadiness({ startingReason: 'it has not begun' });
  readiness.begin(troubles);
  const ops = await listenOps({
    opsHost: '127.0.0.1',
    opsPort: 0,
    registry,
    readiness,
  });
  const response = await fetch(`${ops.url}${path}`);
  const text = await response.text();
  await ops.close();
  return { status: response.status, text };
}

const fine = () => Promise.resolve([]);

test('a process is alive even if it is not ready', async () => {
  expect((await look('/healthz', () => Promise.reject(new Error('x')))).status).toBe(200);
});

test('a process is ready without failures', async () => {
  expect(await look('/readyz', fine)).toEqual({ status: 200, text: '{"ok":true,"reasons":[]}' });
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
  expect(answer).toEqual({ status: 200, text: '{"ok":true,"reasons":[]}' });
});

test('metrics are Prometheus text', async () => {
  const answer = await look('/metrics', fine);
  expect(answer.text).toContain('# TYPE inlet_receive_duration_seconds histogram');
});

test('other paths are not found', async () => {
  expect((await look('/v1/admin/webhooks', fine)).status).toBe(404);
});
