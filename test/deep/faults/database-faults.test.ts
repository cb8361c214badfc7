// MongoDB rejects writes, is slow, loses its primary or hangs: what senders get, and what is stored.
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { setTimeout as pause } from 'node:timers/promises';
import { newId } from '../../../src/base/ids.ts';
import { newEvent } from '../../../src/domain/events/new-event.ts';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { connectMongo, type Connection } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { collectBulkFailures } from '../../../src/store/db/errors.ts';
import { createStores } from '../../../src/store/stores.ts';
import { waitForValue, type Webhook } from '../../support/processes/client.ts';
import { createDeployment, type Deployment } from '../../support/processes/roles.ts';
import { startMongo, type TestMongo } from '../../support/services/services.ts';
import { leadMapping } from '../../support/context/test-context.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

jest.setTimeout(240_000);

let mongo: TestMongo;
let inlet: Deployment;
let opsUrl: string;
let webhook: Webhook;
let connection: Connection;

beforeAll(async () => {
  mongo = await startMongo();
  inlet = await createDeployment('faults', { env: { MONGODB_URL: mongo.url } });
  ({ opsUrl } = await inlet.start('server'));
  webhook = await inlet.client.addActiveWebhook(leadMapping);
  connection = await connectMongo(mongo.url);
});
afterAll(async () => {
  await connection.close();
  await inlet.close();
  await mongo.close();
});
afterEach(async () => {
  await mongo.heal();
});

const lead = (id: string) => ({ id, lead: { name: 'Ana' } });
const send = (id: string) => inlet.client.deliver(webhook.key, lead(id));
const stored = (id: string) => inlet.db.collection('events').countDocuments({ externalId: id });
/** Only writes of events; other inserts of the server pass. */
const ofEvents = () => ({ namespace: `${inlet.db.databaseName}.events` });
const unmet = { code: 64, errmsg: 'waiting for replication timed out' };

async function expectRefused(id: string): Promise<void> {
  const { status, headers, data } = await send(id);
  expect({ status, code: data.code }).toEqual({ status: 503, code: 'unavailable' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
}

test('a write without majority is not acknowledged, and its resend is recognised', async () => {
  await mongo.fail({ failCommands: ['insert'], ...ofEvents(), writeConcernError: unmet }, 1);
  await expectRefused('unmet');
  expect(await stored('unmet')).toBe(1);
  const again = await inlet.client.deliverPatiently(webhook.key, lead('unmet'));
  expect(again.status).toBe(200);
  expect(again.data.duplicate).toBe(true);
  expect(await stored('unmet')).toBe(1);
});

test('a resend that was counted without majority is not acknowledged', async () => {
  const first = await inlet.client.deliverPatiently(webhook.key, lead('counted'));
  // Workers claim runs by the same command.
  const fault = { failCommands: ['findAndModify'], ...ofEvents(), writeConcernError: unmet };
  await mongo.fail(fault, 1);
  await expectRefused('counted');
  expect((await send('counted')).data).toEqual({ ...first.data, duplicate: true });
});

test.each([
  ['a full disk', 14_031],
  ['a failing storage engine', 96],
  ['a storage engine that says nothing', 8],
  ['a primary that is none', 10_107],
  ['a server that shuts down', 91],
  ['a lock that is not had', 24],
])('%s is answered with 503, and the next request is stored', async (_what, errorCode) => {
  const id = `code-${errorCode}`;
  await mongo.fail({ failCommands: ['insert', 'aggregate'], errorCode });
  await expectRefused(id);
  await mongo.heal();
  await waitForValue('it is stored', async () =>
    (await send(id)).status === 200 ? true : undefined,
  );
  expect(await stored(id)).toBe(1);
  expect(inlet.output()).not.toContain('http.failed');
});

test('an insert whose connection breaks is retried, and stored once', async () => {
  await mongo.fail({ failCommands: ['insert'], ...ofEvents(), closeConnection: true }, 1);
  const { status, data } = await send('broken');
  expect({ status, duplicate: data.duplicate }).toEqual({ status: 200, duplicate: false });
  expect(await stored('broken')).toBe(1);
});

/** Of each sender, between an answer and the next request: senders must not take the processors from a database that starts. */
const betweenMs = 20;

/** Sends until it is stopped. Returns the acknowledged ids and the other statuses. */
async function sendWhile(name: string, work: () => Promise<void>) {
  const acknowledged: string[] = [];
  const others = new Set<number>();
  let isOver = false;
  const senders = [0, 1, 2, 3].map(async (sender) => {
    for (let n = 0; !isOver; n += 1) {
      const { status, data } = await send(`${name}-${sender}-${n}`);
      if (status === 200) acknowledged.push(data.eventId ?? '');
      else others.add(status);
      await pause(betweenMs);
    }
  });
  await work();
  isOver = true;
  await Promise.all(senders);
  return { acknowledged, others: [...others] };
}

const isBack = (name: string) => () =>
  waitForValue('it takes events again', async () =>
    (await send(name)).status === 200 ? true : undefined,
  );

test.each<[string, () => Promise<void>]>([
  ['steps down and is elected again', () => mongo.stepDown(2)],
  [
    'is killed and started',
    async () => {
      await mongo.kill();
      await mongo.start();
    },
  ],
])('a primary that %s under load loses no acknowledged event', async (what, fault) => {
  const { acknowledged, others } = await sendWhile(what.slice(0, 8), async () => {
    await isBack(`${what} before`)();
    await fault();
    await isBack(`${what} after`)();
  });
  expect(others.filter((status) => status !== 503)).toEqual([]);
  const ids = await inlet.db
    .collection<{ _id: string }>('events')
    .find({ _id: { $in: acknowledged } })
    .toArray();
  expect(ids).toHaveLength(acknowledged.length);
  const again = (await inlet.db.collection('events').distinct('externalId')) as string[];
  expect(await inlet.db.collection('events').countDocuments()).toBe(again.length);
});

const inFlight = async () => {
  const text = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^inlet_in_flight\{stage="receiving"\} (\d+)/m.exec(text)?.[1]);
};

test('while MongoDB hangs every request gets 503, nothing piles up, and one log line reports it', async () => {
  await waitForValue('the last outage is over', () =>
    inlet.output().split('http.unavailable').length ===
    inlet.output().split('http.available').length
      ? true
      : undefined,
  );
  const lines = () => inlet.output().split('http.unavailable').length;
  const before = lines();
  mongo.pause();
  try {
    // Known keys wait for their insert, unknown ones for their lookup.
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, n) =>
        n % 2 === 0
          ? send(`hung-${n}`)
          : inlet.client.deliver(`inlet_wk_${newId()}`, { id: `hung-${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 503));
    expect(answers.every(({ headers }) => Number(headers.get('retry-after')) > 0)).toBe(true);
    // The operations have ended too, although MongoDB still hangs.
    await waitForValue('nothing is in flight', async () =>
      (await inFlight()) === 0 ? true : undefined,
    );
  } finally {
    mongo.resume();
  }
  await isBack('hung-after')();
  expect(lines()).toBe(before + 1);
});

test('a read of a webhook that MongoDB does not answer ends with an error', async () => {
  const namespace = `${connection.name}.webhooks`;
  // Long after the read must have ended.
  const delay = { blockConnection: true, blockTimeMS: 60_000 };
  await mongo.fail({ failCommands: ['find'], namespace, ...delay });
  await expect(getWebhook(createStores(connection), webhook.id)).rejects.toMatchObject({
    code: 'unavailable',
  });
});

const body = Buffer.from('{}');
const record = (externalId: string): EventRecord =>
  newEvent({
    webhookId: webhook.id,
    channelId: newId(),
    externalId,
    dedupKeys: [externalId],
    delivery: { body, contentType: 'application/json', headers: {}, query: {} },
    bodySha256: externalId,
    bodyBytes: body.length,
    mappingVersion: 1,
    isHeld: false,
    receivedAt: new Date(),
    now: new Date(),
  });

/** Records these in one batch, which forms behind a record that is being inserted. */
async function recordTogether(records: readonly EventRecord[]) {
  const { events } = createStores(connection);
  const { record: take } = createRecorder({ events, queue: { hint: () => undefined } });
  const first = take(record(`first-${newId()}`));
  return Promise.allSettled([first, ...records.map((one) => take(one))]).then((all) =>
    all.slice(1),
  );
}

test('a resend and a new event in one batch without majority are both rejected', async () => {
  await send('known-before');
  const known = await collectionOf<EventRecord>(connection, 'events').findOne({
    externalId: 'known-before',
  });
  const resent = { ...record('resent'), dedupKeys: known?.dedupKeys ?? [] };
  // The first insert is that of the record that the others wait behind.
  await mongo.fail({ failCommands: ['insert'], writeConcernError: unmet });
  const results = await recordTogether([resent, record('new-beside')]);
  expect(results).toEqual([
    { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) },
    { status: 'rejected', reason: expect.objectContaining({ code: 'unavailable' }) },
  ]);
});

test('a bulk of two commands has an unknown outcome when the second one fails, for any result of the first', async () => {
  const { eventId = '' } = (await send('in-two')).data;
  const events = collectionOf<EventRecord>(connection, 'events');
  await mongo.fail({ failCommands: ['update'], errorCode: 14_031 });
  const insert = { insertOne: { document: { ...record('in-two'), _id: eventId } } };
  const update = { updateOne: { filter: { _id: eventId }, update: { $set: { deliveries: 2 } } } };
  const outcome = await collectBulkFailures(() =>
    events.bulkWrite([insert, update], { ordered: false }),
  ).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(Error);
});

test('the log reports a rejected write without contents of the documents', async () => {
  const text = `marked-${newId()}`;
  const phone = '+5511900007777';
  const messages = inlet.db.collection('messages');
  // An error of it contains the document.
  const validator = { 'content.message': { $ne: text } };
  await inlet.db.command({ collMod: 'messages', validator });
  const rejected = { content: { message: text }, phone };
  const errorOf = messages.insertOne(rejected).catch((error: unknown) => JSON.stringify(error));
  expect(await errorOf).toContain(text);
  const worker = await inlet.start('worker');
  const mapped = await inlet.client.addActiveWebhook(leadMapping);
  const { data } = await inlet.client.deliverPatiently(mapped.key, {
    id: 'marked',
    text,
    lead: { name: 'Ana', phone },
  });
  await waitForValue('it waits', async () => {
    const { state, reason } = await inlet.client.event(data.eventId ?? '');
    return state === 'waiting' && reason === 'internal_error' ? true : undefined;
  });
  await worker.stop();
  await inlet.db.command({ collMod: 'messages', validator: {} });
  const lines = worker.output();
  expect(lines).toContain('"batch.failed"');
  expect(lines).toContain('MongoBulkWriteError');
  expect(lines).not.toContain(text);
  expect(lines).not.toContain(phone.slice(1));
});
