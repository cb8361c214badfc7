// Every query of the dashboards has figures, on a real Prometheus over a real run. With INLET_TEST_PICTURES, a folder, the
// dashboards are drawn there from the same figures.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { dashboards } from '../../../scripts/lib/dashboards/definitions.mjs';
import { drawDashboards, type Drawn } from '../../support/dashboards/draw.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { adminToken, createDeployment, type Deployment } from '../../support/processes/roles.ts';
import {
  loopbackRange,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import { startPrometheus, type Prometheus } from '../../support/services/prometheus.ts';

jest.setTimeout(240_000);

let inlet: Deployment;
let destination: Destination;
let prometheus: Prometheus;
let server: Awaited<ReturnType<Deployment['start']>>;
const loadSeconds = 45;

beforeAll(async () => {
  destination = await startDestination();
  const env = { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') };
  inlet = await createDeployment('dashboards', { env });
  server = await inlet.start('server');
  // Before the elected worker reads it first.
  await inlet.client.call('recordBackupVerification', {});
  const workers = [await inlet.start('worker'), await inlet.start('worker')];
  prometheus = await startPrometheus([server, ...workers].map(({ opsUrl }) => opsUrl));
});
afterAll(async () => {
  await prometheus.close();
  await inlet.close();
  await destination.close();
});

const person = (n: number) => ({
  id: `e${n}`,
  text: `message ${n}`,
  lead: { id: `p${n % 200}`, name: `Person ${n % 200}`, phone: `+55119${10_000_000 + (n % 200)}` },
});

/** Events of an inbox and of an HTTP channel, resends, dead events, rejections, receipts and API requests. */
async function load(): Promise<void> {
  const { client } = inlet;
  const inbox = await client.addActiveWebhook(leadMapping);
  const strict = await client.addActiveWebhook({
    ...leadMapping,
    contact: { ...leadMapping.contact, phone: { path: 'lead.mobile', required: true } },
  });
  const outside = await client.call('createChannel', {
    body: { name: 'Outside', kind: 'http', settings: { url: destination.url } },
  });
  const posted = await client.call('createWebhook', {
    body: { name: 'Posted', channelId: outside.id },
  });
  await client.deliver(posted.key, person(0));
  await client.activate(posted.id, leadMapping);
  const endMs = Date.now() + loadSeconds * 1_000;
  for (let n = 0; Date.now() < endMs; n += 1) {
    const answers = await Promise.all([
      client.deliver(inbox.key, person(n)),
      client.deliver(inbox.key, person(n - 1)),
      client.deliver(posted.key, person(n)),
      n % 10 === 0 ? client.deliver(strict.key, person(n)) : null,
    ]);
    const eventId = answers[0].data.eventId ?? '';
    if (n % 5 === 0) {
      await fetch(`${server.url}/v1/webhook/${inbox.key}/events/${eventId}`);
      await fetch(`${server.url}/v1/webhook/wrong-key-${n % 3}`, { method: 'POST', body: '{}' });
      await fetch(`${server.url}/v1/admin/webhooks`, { headers: { keyapi: adminToken } });
      await client.chats();
    }
  }
}

test('every query of every panel has figures', async () => {
  await load();
  await waitForValue('the backlog is measured and done', async () => {
    const [due] = await prometheus.range('max(inlet_events_due)', 5);
    return due?.values.at(-1)?.[1] === '0' ? true : undefined;
  });
  const drawn: Drawn[] = [];
  const empty: string[] = [];
  for (const { uid, title, rows } of dashboards) {
    const panels = [];
    for (const panel of rows.flatMap((row) => row.panels)) {
      const lines = [];
      for (const { expr, legend } of panel.queries) {
        const found = await prometheus.range(expr, loadSeconds);
        const known = found.filter(({ values }) =>
          values.some(([, value]) => Number.isFinite(Number(value))),
        );
        if (known.length === 0) empty.push(`${title}: ${panel.title}: ${expr}`);
        lines.push(...known.map((series) => ({ legend, series })));
      }
      panels.push({ panel, lines });
    }
    drawn.push({ uid, title, panels });
  }
  expect(empty).toEqual([]);
  expect(drawn.flatMap(({ panels }) => panels).length).toBeGreaterThan(40);
  const folder = process.env.INLET_TEST_PICTURES;
  if (folder)
    for (const { name, picture } of await drawDashboards(drawn))
      await writeFile(join(folder, `${name}.png`), picture);
});

test('a slow request can be found by its exemplar', async () => {
  const [received] = await prometheus.exemplars('inlet_receive_duration_seconds_bucket');
  const requestId = received?.exemplars.at(-1)?.labels.request_id ?? 'none';
  expect(server.output()).toContain(requestId);
  const [done] = await prometheus.exemplars('inlet_event_time_to_done_seconds_bucket');
  const { state } = await inlet.client.event(done?.exemplars.at(-1)?.labels.event_id ?? '');
  expect(state).toBe('done');
});
