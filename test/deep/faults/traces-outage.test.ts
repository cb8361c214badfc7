// A server and a worker with a collector that takes connections and never answers: it delays nothing.
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startOtlpReceiver, type OtlpReceiver } from '../../support/services/otlp-receiver.ts';

jest.setTimeout(120_000);

let collector: OtlpReceiver;
let inlet: Deployment;
beforeAll(async () => {
  collector = await startOtlpReceiver();
  collector.answerWith(() => {});
  inlet = await createDeployment('traces_outage', {
    env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
});
afterAll(async () => {
  await inlet?.close();
  await collector?.close();
});

/** More spans than one export has. */
const count = 600;

test('requests are acknowledged, events are done, and the processes end', async () => {
  const roles = await Promise.all([inlet.start('server'), inlet.start('worker')]);
  const webhook = await inlet.client.addActiveWebhook({
    eventId: { path: 'id' },
    contact: { phone: { path: 'phone' } },
    message: { text: { path: 'text' } },
  });
  const send = async (n: number) =>
    (
      await inlet.client.deliverPatiently(webhook.key, {
        id: `e${n}`,
        text: 'hello',
        phone: '+5511987650001',
      })
    ).status;
  const statuses: number[] = [];
  // More at once would be rejected by a busy machine.
  const numbers = Array.from({ length: count }, (_, n) => n).values();
  const senders = Array.from({ length: 20 }, async () => {
    for (const n of numbers) statuses.push(await send(n));
  });
  await Promise.all(senders);
  expect(statuses).toHaveLength(count);
  expect(new Set(statuses)).toEqual(new Set([200]));
  await waitForValue('an export that hangs', () => collector.exports.length > 0 || undefined);
  expect(await send(count)).toBe(200);
  await waitForValue('all events', async () => {
    const done = await inlet.db.collection('events').countDocuments({ state: 'done' });
    return done === count + 1 || undefined;
  });
  expect(await Promise.all(roles.map((role) => role.stop()))).toEqual([0, 0]);
  for (const role of roles) {
    expect(role.output().match(/"traces\.unavailable"/g)).toHaveLength(1);
    expect(role.output()).not.toMatch(/drain_timed_out|close_failed/);
  }
});
