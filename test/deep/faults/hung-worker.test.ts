// An event that hangs a real worker, and events whose mapping would: the worker is ended from outside its event loop, or
// never hangs, and the event becomes a dead letter.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { connectMongo, type Connection } from '../../../src/store/db/connection.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { leadMapping } from '../../support/context/test-context.ts';

// Processes that start and are ended take longest on a busy machine.
jest.setTimeout(240_000);

const mark = 'hangs-its-worker';
const poisonable = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../support/processes/hang-on-body.mjs')}`,
  POISON: mark,
  INLET_HANG_MS: '3000',
};

let inlet: Deployment;
let connection: Connection;
beforeAll(async () => {
  inlet = await createDeployment('hang', {
    // A worker that is held up keeps its set; the test ends the sets of dead workers.
    env: { INLET_LEASE_MS: '60000', INLET_SWEEP_INTERVAL_MS: '200' },
  });
  await inlet.start('server');
  connection = await connectMongo(inlet.mongoUrl);
});
afterAll(async () => {
  await connection.close();
  await inlet.close();
});

const lead = (id: string, text: string, n: number) => ({
  id,
  text,
  lead: { name: `Person ${n}`, phone: `+55 11 9${82_000_000 + n}` },
});

test('a worker that hangs is ended, and the event that hung it is dead the next time', async () => {
  const webhook = await inlet.client.addActiveWebhook(leadMapping);
  const sent: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const payload = lead(`e${n}`, n === 2 ? mark : 'hello', n);
    sent.push((await inlet.client.deliverPatiently(webhook.key, payload)).data.eventId ?? '');
  }
  const first = inlet.launch('worker', poisonable);
  await first.ended;
  expect(first.output()).toContain('"msg":"process.hung"');
  await endSets(connection);
  const second = await inlet.start('worker', poisonable);
  const ends = [];
  for (const id of sent) ends.push(await inlet.client.settled(id));
  expect(ends.map(({ state }) => state)).toEqual(['done', 'done', 'dead', 'done', 'done']);
  expect(ends[2]).toMatchObject({ reason: 'too_much_work' });
  expect(second.isRunning()).toBe(true);
  expect(await second.stop()).toBe(0);
});

// Each would build a tree of 2^26 nodes or more, or a text of many gigabytes.
const bombs: readonly [string, object, string][] = [
  ['a split that doubles', { split: Array(38).fill('[@,@]').join('|') }, 'too_much_work:split'],
  [
    'a split of objects that double',
    { split: `[${Array(20).fill('{a:@,b:@}').join('|')}]` },
    'too_much_work:split',
  ],
  [
    'a field that doubles',
    { contact: { fields: { f: { path: Array(38).fill('[@,@]').join('|') } } } },
    'too_much_work:contact.fields.f',
  ],
  [
    'a text that doubles',
    { message: { text: { path: `t|${Array(25).fill("join('',[@,@])").join('|')}` } } },
    'too_much_work:message.text',
  ],
];

test.each(bombs)('%s is a dead letter, with a heap of 192 MB', async (_name, part, reason) => {
  const mapping = { eventId: { path: 'id' }, contact: { externalId: { path: 'id' } }, ...part };
  const webhook = await inlet.client.addActiveWebhook(mapping);
  const { data } = await inlet.client.deliverPatiently(webhook.key, { id: 'e1', a: 1, t: 'x' });
  const worker = await inlet.start('worker', {
    NODE_OPTIONS: '--max-old-space-size=192',
  });
  const event = await inlet.client.settled(data.eventId ?? '');
  expect(event).toMatchObject({ state: 'dead', reason, attempts: 1 });
  expect(worker.isRunning()).toBe(true);
  await worker.stop();
});

test('a process that was stopped and continued is not ended', async () => {
  const script = join(import.meta.dirname, '../../support/processes/watchdog-process.mjs');
  const child = fork(script, ['2000'], { stdio: 'inherit' });
  await once(child, 'message');
  child.kill('SIGSTOP');
  await pause(5_000);
  child.kill('SIGCONT');
  // Its event loop answers for longer than the limit.
  for (let n = 0; n < 30; n += 1) {
    child.send('ping');
    expect(await once(child, 'message')).toEqual(['pong', undefined]);
    await pause(100);
  }
  child.send('hang');
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});
