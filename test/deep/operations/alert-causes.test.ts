// Alerts of processes, of the stock of an installation, of requests and sweeps that fail, and of guessed keys fire for their cause
// and end with it, in a real Prometheus. A minute of the rules lasts a second.
import { leadMapping } from '../../support/context/test-context.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startSender } from '../../support/processes/sender.ts';
import {
  loopbackRange,
  respondWith,
  startDestination,
  type Destination,
} from '../../support/services/destination.ts';
import { startPrometheus, type Prometheus } from '../../support/services/prometheus.ts';

jest.setTimeout(300_000);

type Started = Awaited<ReturnType<Deployment['start']>>;
type Document = { readonly _id: string };

let inlet: Deployment;
let destination: Destination;
let prometheus: Prometheus;
let worker: Started;
/** Beside the one that the client uses. */
let second: Started;

const otherKey = Buffer.alloc(32, 9).toString('base64');
const hourMs = 3_600_000;
const events = () => inlet.db.collection<Document>('events');

/** Starts a process that takes the place of another one, for Prometheus too. */
const startAt = (role: 'server' | 'worker', opsUrl: string) =>
  inlet.start(role, { INLET_OPS_PORT: new URL(opsUrl).port });

/** A worker lets each event be that has such a need: it is of a later release. */
async function addEventThatNoneReads(): Promise<string> {
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const { data } = await inlet.client.deliver(key, { id: 'old', text: 'x', lead: { id: 'old' } });
  const _id = data.eventId ?? '';
  const dueAt = new Date(Date.now() - hourMs);
  const change = { state: 'waiting', dueAt, nextAt: new Date(Date.now() + hourMs) };
  await events().updateOne({ _id }, { $set: { ...change, needs: 1_000 } });
  return _id;
}

/** A channel whose secret is encrypted, and whose destination has failed. */
async function addFailingChannel(): Promise<void> {
  const signingSecret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const settings = { url: 'http://127.0.0.1:1/', signingSecret };
  const body = { name: 'Outside', kind: 'http' as const, settings };
  const { id: _id } = await inlet.client.call('createChannel', { body });
  const [lastAt, probeAt] = [new Date(), new Date(Date.now() + hourMs)];
  const health = { failures: 20, since: lastAt, lastAt, failingSince: lastAt, probeAt };
  await inlet.db
    .collection<Document>('channelHealth')
    .insertOne({ _id, reason: 'destination_unreachable', ...health } as Document);
}

let oldEvent = '';

beforeAll(async () => {
  destination = await startDestination();
  const env = { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') };
  inlet = await createDeployment('alert_causes', { env });
  second = await inlet.start('server');
  const first = await inlet.start('server');
  oldEvent = await addEventThatNoneReads();
  await addFailingChannel();
  await inlet.client.call('recordBackupVerification', {});
  const verifiedAt = new Date(Date.now() - 36 * 24 * hourMs);
  await inlet.db.collection('backup_verifications').updateOne({}, { $set: { verifiedAt } });
  worker = await inlet.start('worker', { INLET_SECRET_KEYS: otherKey });
  prometheus = await startPrometheus([first, second, worker].map(({ opsUrl }) => opsUrl));
});
afterAll(async () => {
  await prometheus.close();
  await inlet.close();
  await destination.close();
});

async function isQuiet(...alerts: readonly string[]): Promise<void> {
  const firing = await prometheus.firing();
  expect(alerts.filter((alert) => firing.includes(alert))).toEqual([]);
}

const ofStock = [
  'InletOldEvents',
  'InletChannelFails',
  'InletSecretsUnreadable',
  'InletBackupOld',
] as const;

test('an old event, a failing channel, an unreadable secret and an old backup are tickets until they are repaired', async () => {
  for (const alert of ofStock) await prometheus.fires(alert);
  await events().updateOne({ _id: oldEvent } as Document, {
    $set: { nextAt: new Date(0) },
    $unset: { needs: 1 },
  });
  await inlet.db.collection('channelHealth').deleteMany({});
  await inlet.client.call('recordBackupVerification', {});
  await worker.stop();
  // With the right key. It measures at its start.
  worker = await startAt('worker', worker.opsUrl);
  for (const alert of ofStock) await prometheus.ends(alert);
});

test('a process that is down beside others is a ticket, and so is one that starts again and again', async () => {
  const { host: instance } = new URL(second.opsUrl);
  const startTime = async () => {
    const found = await prometheus.range(`process_start_time_seconds{instance="${instance}"}`, 2);
    return found[0]?.values.at(-1)?.[1];
  };
  await isQuiet('InletInstanceDown', 'InletProcessRestarts');
  await second.kill();
  await prometheus.fires('InletInstanceDown');
  for (let starts = 1; starts <= 4; starts += 1) {
    const before = await startTime();
    second = await startAt('server', second.opsUrl);
    await waitForValue('the start is scraped', async () => {
      const now = await startTime();
      return now !== undefined && now !== before ? true : undefined;
    });
    if (starts === 1) await prometheus.ends('InletInstanceDown');
    if (starts < 4) await second.kill();
  }
  await prometheus.fires('InletProcessRestarts');
  await prometheus.ends('InletProcessRestarts');
});

test('requests that get 5xx page, and sweeps that fail are a ticket, until MongoDB takes events again', async () => {
  const alerts = [
    'InletReceiveBudgetBurnFast',
    'InletSweepsFail',
    'InletReceiveBudgetBurnSlow',
  ] as const;
  const { key } = await inlet.client.addActiveWebhook(leadMapping);
  const stop = startSender(inlet.client, key);
  const { data } = await inlet.client.deliver(key, { id: 'due', text: 'x', lead: { id: 'due' } });
  const _id = data.eventId ?? '';
  await inlet.client.settled(_id);
  await isQuiet(...alerts);
  // MongoDB refuses each change of an event.
  await inlet.db.command({ collMod: 'events', validator: { never: true } });
  const dueAt = new Date(Date.now() + hourMs);
  const due = { state: 'waiting', open: true, nextAt: new Date(0), dueAt };
  await events().updateOne({ _id }, { $set: due }, { bypassDocumentValidation: true });
  for (const alert of alerts) await prometheus.fires(alert);
  await inlet.db.command({ collMod: 'events', validator: {} });
  for (const alert of alerts) await prometheus.ends(alert);
  await stop();
});

test('keys that are guessed are a ticket, although most answers are only delayed', async () => {
  await isQuiet('InletCredentialGuessing');
  let isStopped = false;
  const guess = async (of: number): Promise<void> => {
    for (let n = 0; !isStopped; n += 1) await inlet.client.deliver(`guess-${of}-${n}`, {});
  };
  const guessing = Promise.all(Array.from({ length: 20 }, (_, of) => guess(of)));
  await prometheus.fires('InletCredentialGuessing');
  isStopped = true;
  await guessing;
  await prometheus.ends('InletCredentialGuessing');
});

test('a notice that its target refuses is a ticket', async () => {
  await isQuiet('InletNoticesDie');
  destination.answerWith(respondWith(410));
  const settings = { url: destination.url };
  const body = { name: 'On call', kind: 'webhook' as const, settings };
  await inlet.client.call('createNoticesTarget', { body });
  const { key } = await inlet.client.addActiveWebhook({
    ...leadMapping,
    contact: { ...leadMapping.contact, phone: { path: 'lead.mobile', required: true } },
  });
  await inlet.client.deliver(key, { id: 'dead', text: 'x', lead: { id: 'dead', name: 'Ana' } });
  await prometheus.fires('InletNoticesDie');
  await prometheus.ends('InletNoticesDie');
});
