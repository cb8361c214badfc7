// One event crashes real workers repeatedly: it becomes a dead letter, and the other events are processed.
import { join } from 'node:path';
import { connectMongo, type Connection } from '../../../src/store/db/connection.ts';
import { endSets } from '../../support/context/expired-sets.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { leadMapping } from '../../support/context/test-context.ts';

// Five workers start one after the other.
jest.setTimeout(240_000);

const mark = 'kills-its-worker';
const poisonable = {
  NODE_OPTIONS: `--import=${join(import.meta.dirname, '../../support/processes/crash-on-body.mjs')}`,
  POISON: mark,
};

let inlet: Deployment;
let connection: Connection;
beforeAll(async () => {
  inlet = await createDeployment('poison', {
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
  lead: { name: `Person ${n}`, phone: `+55 11 9${81_000_000 + n}` },
});

test('an event that crashes its workers is finally dead, and each of the sixty others is done', async () => {
  const webhook = await inlet.client.addActiveWebhook(leadMapping);
  const payloads = Array.from({ length: 61 }, (_, n) =>
    n === 30 ? lead('poison', mark, n) : lead(`e${n}`, 'hello', n),
  );
  const sent: string[] = [];
  for (const payload of payloads) {
    sent.push((await inlet.client.deliverPatiently(webhook.key, payload)).data.eventId ?? '');
  }
  const events = inlet.db.collection('events');
  let worker = inlet.launch('worker', poisonable);
  let deaths = 0;
  await waitForValue('everything ended', async () => {
    if (!worker.isRunning()) {
      deaths += 1;
      await endSets(connection);
      worker = inlet.launch('worker', poisonable);
    }
    return (await events.countDocuments({ open: true })) === 0 ? true : undefined;
  });
  const ends = await Promise.all(sent.map((id) => inlet.client.event(id)));
  expect(ends.filter(({ state }) => state === 'done')).toHaveLength(60);
  expect(ends[30]).toMatchObject({ state: 'dead', reason: 'crashed_worker' });
  expect(deaths).toBe(4);
});
