// Resends are counted apart from the inserts, many in one statement, with the counts of one by one.
import { systemClock } from '../../../src/base/clock.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { createEffectiveMappings } from '../../../src/receiving/recording/effective-mappings.ts';
import { createRecorder, type EventRecorder } from '../../../src/receiving/recording/recorder.ts';
import { recordEvent } from '../../../src/receiving/recording/record-event.ts';
import { type Connection, connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';

let context: TestContext;
let watching: Connection;
beforeAll(async () => {
  context = await createTestContext('resend_counts');
  watching = await connectMongo(`${context.url}&monitorCommands=true`);
});
afterAll(async () => {
  await watching.close();
  await context.close();
});

const events = () => collectionOf<EventRecord>(context.connection, 'events');
const read = async (id: string) => {
  const event = await events().findOne({ _id: id });
  if (!event) throw new Error('There is no such event.');
  return event;
};
const lead = (id: string) => ({ id, lead: { name: 'Ana' } });

/** Returns a function that records a payload as the receiver does. */
function senderOf(recorder: EventRecorder, webhook: Webhook) {
  const deps = {
    mappings: createEffectiveMappings(context.newResources().bodies),
    recorder,
    clock: systemClock,
  };
  return (payload: object) => {
    const body = Buffer.from(JSON.stringify(payload));
    const request = { body, contentType: 'application/json', headers: {}, query: {} };
    return recordEvent(deps, { webhook, request, body: payload }, { receivedAt: new Date() });
  };
}

test('resends that wait for the database keep no new event waiting, and more than their bound are rejected', async () => {
  const webhook = await context.addWebhook();
  const known = await context.send(webhook, lead('known'));
  let answer: () => void = () => undefined;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  const { insert, countResends } = context.stores.events;
  const counted: number[] = [];
  const recorder = createRecorder({
    queue: { hint: () => undefined },
    maxPending: 80,
    events: {
      insert,
      countResends: async (resends) => {
        counted.push(resends.length);
        await answered;
        return countResends(resends);
      },
    },
  });
  const send = senderOf(recorder, webhook);
  const resends = Array.from({ length: 40 }, () =>
    send(lead('known')).then(
      ({ duplicate }) => duplicate,
      (error: { code: string }) => error.code,
    ),
  );
  const added = await Promise.all([1, 2, 3].map((n) => send(lead(`new ${n}`))));
  expect(added.map(({ duplicate }) => duplicate)).toEqual([false, false, false]);
  answer();
  const results = await Promise.all(resends);
  // A webhook may take half of the 20 resends that may wait.
  expect(results.filter((result) => result === true)).toHaveLength(10);
  expect(results.filter((result) => result === 'overloaded')).toHaveLength(30);
  expect((await read(known)).deliveries).toBe(11);
});

test('a storm of resends stops trying to insert, and a new event in it is stored', async () => {
  const webhook = await context.addWebhook();
  const inserts: string[] = [];
  watching.getClient().on('commandStarted', ({ commandName, command }) => {
    if (commandName === 'insert' && command.insert === 'events') inserts.push(commandName);
  });
  const recorder = createRecorder({ ...createStores(watching), queue: { hint: () => undefined } });
  const send = senderOf(recorder, webhook);
  const payloads = Array.from({ length: 30 }, (_, n) => lead(`storm ${n}`));
  await Promise.all(payloads.map(send));
  await Promise.all(payloads.map(send));
  inserts.length = 0;
  const resent = await Promise.all(payloads.map(send));
  expect(new Set(resent.map(({ duplicate }) => duplicate))).toEqual(new Set([true]));
  expect(inserts).toEqual([]);
  const added = await send(lead('new in the storm'));
  expect([added.duplicate, inserts.length]).toEqual([false, 1]);
  const stored = await events().find({ webhookId: webhook._id }).toArray();
  expect(stored.map(({ deliveries }) => deliveries).toSorted((a, b) => a - b)).toEqual([
    1,
    ...payloads.map(() => 3),
  ]);
});

test('resends of many events take one read and one write, and those of one event a single write', async () => {
  const webhook = await context.addWebhook();
  const payloads = Array.from({ length: 50 }, (_, n) => lead(`e${n}`));
  await Promise.all(payloads.map((payload) => context.send(webhook, payload)));
  const stored = await events().find({ webhookId: webhook._id }).toArray();
  const resends = stored.flatMap((event) => {
    const resend = {
      ...event,
      dedupKeys: event.dedupKeys ?? [],
      revivedState: 'received',
    } as const;
    return [resend, { ...resend }, { ...resend }];
  });
  const commands: string[] = [];
  watching.getClient().on('commandStarted', ({ commandName }) => commands.push(commandName));
  const { countResends } = createStores(watching).events;
  const results = await countResends(resends);
  expect(commands).toEqual(['find', 'update']);
  expect(results).toEqual(resends.map(({ _id }) => ({ eventId: _id, revived: false })));
  const after = await events().find({ webhookId: webhook._id }).toArray();
  expect(new Set(after.map(({ deliveries }) => deliveries))).toEqual(new Set([4]));
  commands.length = 0;
  await countResends(resends.slice(0, 3));
  expect(commands).toEqual(['findAndModify']);
  expect((await read(resends[0]?._id ?? '')).deliveries).toBe(7);
});

/** Body, mapping version and state of a webhook's resends, sent in this order. */
const histories: readonly [string, 'dead' | 'ignored' | 'done', readonly [string, number][]][] = [
  [
    'a done event',
    'done',
    [
      ['a', 1],
      ['b', 1],
      ['a', 1],
      ['b', 1],
      ['c', 2],
      ['first', 2],
    ],
  ],
  [
    'a dead event',
    'dead',
    [
      ['b', 1],
      ['b', 1],
      ['first', 1],
      ['c', 1],
      ['b', 1],
    ],
  ],
  [
    'a dead event with its own body',
    'dead',
    [
      ['first', 1],
      ['first', 1],
      ['b', 1],
    ],
  ],
  [
    'an ignored event',
    'ignored',
    [
      ['b', 1],
      ['c', 2],
      ['c', 2],
      ['d', 3],
      ['first', 2],
    ],
  ],
  [
    'an event with more resends than are listed',
    'done',
    Array.from({ length: 60 }, () => ['a', 1]),
  ],
];

test.each(histories)(
  '%s gets the same counts from resends at once as one by one',
  async (...given) => {
    const [, state, sent] = given;
    const [one, other] = [await context.addWebhook(), await context.addWebhook()];
    const { countResends } = context.stores.events;
    const record = async (webhook: Webhook) => {
      const eventId = await context.send(webhook, lead('e1'));
      const ended = { state, mappingVersion: 1, bodySha256: 'first', finishedAt: new Date() };
      await events().updateOne({ _id: eventId }, { $set: ended, $unset: { open: 1 } });
      const event = await read(eventId);
      return sent.map(([bodySha256, mappingVersion]) => ({
        ...event,
        dedupKeys: event.dedupKeys ?? [],
        bodySha256,
        mappingVersion,
        revivedState: 'received' as const,
      }));
    };
    const inTurn = await record(one);
    const results = [];
    for (const resend of sorted(inTurn)) results.push(...(await countResends([resend])));
    const atOnce = await record(other);
    const folded = await countResends(sorted(atOnce));
    const revivals = (all: typeof folded) =>
      all.map((result) => result && 'revived' in result && result.revived);
    expect(revivals(folded)).toEqual(revivals(results));
    expect(await comparable(atOnce[0]?._id)).toEqual(await comparable(inTurn[0]?._id));
  },
);

/** Equal resends one after the other, because they are counted together. */
const sorted = <Sent extends { bodySha256: string; mappingVersion: number }>(resends: Sent[]) => {
  const first = (sent: Sent) =>
    resends.findIndex(
      (one) => one.bodySha256 === sent.bodySha256 && one.mappingVersion === sent.mappingVersion,
    );
  return resends.toSorted((a, b) => first(a) - first(b));
};

/** The stored event and its copies, without ids and times. */
async function comparable(eventId = '') {
  const { resends = [], timeline, ...event } = await read(eventId);
  const copies = await collectionOf<{ _id: string; bodySha256: string }>(
    context.connection,
    'resends',
  )
    .find({ eventId } as object)
    .toArray();
  return {
    counts: [event.deliveries, event.differing, event.generation, event.fence],
    body: [event.state, event.bodySha256, event.firstSha256, event.mappingVersion],
    resentBodies: event.resentBodies,
    resends: resends.map(({ n, bodySha256, revived }) => [n, bodySha256, revived]),
    timeline: timeline.map(({ state, reason }) => [state, reason]),
    copies: copies.map(({ bodySha256 }) => bodySha256).toSorted(),
  };
}
