// Alerts that page are provoked for real, with a real Prometheus: they fire, and end when the cause does. A minute of the
// rules lasts a second.
import { leadMapping } from '../../support/context/test-context.ts';
import { startSender } from '../../support/processes/sender.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startPrometheus, type Prometheus } from '../../support/services/prometheus.ts';
import { startRedis, type TestServer } from '../../support/services/services.ts';

jest.setTimeout(300_000);

let redis: TestServer;
let inlet: Deployment;
let prometheus: Prometheus;
let opsPort: string;

beforeAll(async () => {
  redis = await startRedis();
  inlet = await createDeployment('alerts', { env: { REDIS_URL: redis.url } });
  const server = await inlet.start('server');
  const worker = await inlet.start('worker');
  ({ port: opsPort } = new URL(worker.opsUrl));
  prometheus = await startPrometheus([server.opsUrl, worker.opsUrl]);
});
afterAll(async () => {
  await prometheus.close();
  await inlet.close();
  await redis.close();
});

test('nothing pages while all is well', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const stop = startSender(inlet.client, key);
  await new Promise((resolve) => setTimeout(resolve, 20_000));
  const pages = ['InletRedisAway', 'InletWorkerAbsent', 'InletServerAbsent', 'InletNoPrimary'];
  const firing = await prometheus.firing();
  expect(firing.filter((name) => pages.includes(name))).toEqual([]);
  expect(firing).not.toContain('InletReceiveBudgetBurnFast');
  expect(firing).not.toContain('InletMostEventsDie');
  await stop();
});

test('a Redis that is stopped pages, while senders get 2xx; it ends when Redis is back', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  await redis.stop();
  const stop = startSender(inlet.client, key);
  await prometheus.fires('InletRedisAway');
  await prometheus.fires('InletHintsFail');
  expect((await inlet.client.deliver(key, { id: 'away', text: 'x' })).status).toBe(200);
  // Events that wait longer than the objective of ten seconds, which is not shortened.
  await new Promise((resolve) => setTimeout(resolve, 12_000));
  await redis.start();
  await prometheus.fires('InletDoneBudgetBurnFast');
  await prometheus.ends('InletRedisAway');
  await prometheus.fires('InletDoneBudgetBurnSlow');
  await stop();
  for (const alert of ['InletDoneBudgetBurnFast', 'InletDoneBudgetBurnSlow', 'InletHintsFail']) {
    await prometheus.ends(alert);
  }
});

test('without a worker the events that arrive page, and a new worker ends it', async () => {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const [worker] = inlet.roles('worker');
  await worker?.stop();
  const stop = startSender(inlet.client, key);
  await prometheus.fires('InletWorkerAbsent');
  await prometheus.fires('InletNothingProcessed');
  await inlet.start('worker', { INLET_OPS_PORT: opsPort });
  await prometheus.ends('InletWorkerAbsent');
  await prometheus.ends('InletNothingProcessed');
  await stop();
});

test('a webhook whose events all die pages with the reason', async () => {
  const { key } = await inlet.client.addActiveWebhook({
    ...leadMapping,
    contact: { ...leadMapping.contact, phone: { path: 'lead.mobile', required: true } },
  });
  const stop = startSender(inlet.client, key);
  await prometheus.fires('InletMostEventsDie');
  await prometheus.fires('InletDeadLettersRise');
  await stop();
  await prometheus.ends('InletMostEventsDie');
  await prometheus.ends('InletDeadLettersRise');
});
