// How often a worker reads webhooks, channels and mappings, and when it notices that they changed.
import { createDefinitionCache } from '../../../src/processing/read/definition-cache.ts';
import { connectMongo } from '../../../src/store/db/connection.ts';
import { createStores } from '../../../src/store/stores.ts';
import { aChannel } from '../../support/context/builders.ts';
import {
  createTestContext,
  leadMapping,
  type TestContext,
} from '../../support/context/test-context.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { updateWebhook } from '../../../src/store/webhooks/webhooks.ts';
import {
  findChannel,
  updateChannel,
  markChannelDeleted,
  insertChannel,
} from '../../../src/store/channels/channels.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';

const actor = { tokenId: 'test', name: 'test' };

let context: TestContext;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  context = await createTestContext('definitions');
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => context.close());

const lead = (id: string) => ({ id, lead: { id, name: 'Ana' }, text: 'hello' });

test('the hundred webhooks of a set are read once, by one statement, and their channels and mappings', async () => {
  const count = 100;
  const ids: string[] = [];
  const again: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const webhook = await context.addWebhook(leadMapping);
    ids.push(await context.send(webhook, lead(`a${n}`)));
    again.push(await context.send(webhook, lead(`b${n}`)));
  }
  const watching = await connectMongo(`${context.url}&monitorCommands=true`);
  closing.push(() => watching.close());
  const reads: string[] = [];
  watching.getClient().on('commandStarted', ({ command }) => {
    const { find, filter } = command;
    // Not the poll of changes.
    if (filter && !filter.changedAt && !filter.updatedAt) reads.push(String(find));
  });
  const of = (names: readonly string[]) => reads.filter((name) => names.includes(name)).toSorted();
  const process = context.newProcessing({ stores: createStores(watching) });
  await process(ids);
  expect(of(['webhooks', 'channels', 'mappings'])).toEqual(['channels', 'mappings', 'webhooks']);
  await process(again);
  expect(of(['webhooks', 'channels', 'mappings'])).toEqual(['channels', 'mappings', 'webhooks']);
  const states = await Promise.all(
    [...ids, ...again].map(async (id) => (await context.stores.events.get(id))?.state),
  );
  expect(new Set(states)).toEqual(new Set(['done']));
}, 60_000);

/** Of a worker. Its time passes, and it polls, only when the test says so. */
function openCache() {
  let elapsedMs = 1;
  let isAway = false;
  const connection = surroundedConnection(context.connection, (_name, run, [filter]) => {
    const isPoll = /changedAt|updatedAt/.test(JSON.stringify(filter));
    return isPoll && isAway ? Promise.reject(new Error('away')) : run();
  });
  const cache = createDefinitionCache({
    connection,
    logger: silentLogger(),
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
  });
  cache.close();
  return {
    ...cache,
    later: (ms: number) => (elapsedMs += ms),
    setAway: (away: boolean) => (isAway = away),
  };
}

test('a changed webhook and a disabled and a deleted channel are read again after the next poll', async () => {
  const { _id: id } = await context.addWebhook();
  const [disabled, deleted, other] = [
    await aChannel(context),
    await aChannel(context),
    await aChannel(context),
  ];
  const cache = openCache();
  const namesOf = async () => {
    const [webhook, ...found] = await Promise.all([
      cache.webhook(id),
      ...[disabled, deleted, other].map(cache.channel),
    ]);
    return [webhook?.name, ...found.map((channel) => channel?.enabled)];
  };
  const before = ['Leads', true, true, true];
  expect(await namesOf()).toEqual(before);
  // Names them, because they were just created.
  await cache.poll();
  expect(await namesOf()).toEqual(before);
  valueOf(await updateWebhook(context.stores, { id, given: { name: 'Renamed' } }, actor));
  const seen = await findChannel(context.stores, disabled);
  if (!seen) throw new Error('The channel is gone.');
  valueOf(await updateChannel(context.stores, { seen, change: { enabled: false } }, actor));
  valueOf(await markChannelDeleted(context.stores, deleted, actor));
  // Nothing is read for what is cached.
  expect(await namesOf()).toEqual(before);
  await cache.poll();
  expect(await namesOf()).toEqual(['Renamed', false, undefined, true]);
});

test('without an answer to the poll, what is cached expires after five seconds', async () => {
  const { _id: id } = await context.addWebhook();
  const cache = openCache();
  const name = async () => (await cache.webhook(id))?.name;
  expect(await name()).toBe('Leads');
  for (let seconds = 0; seconds < 20; seconds += 4) {
    cache.later(4_000);
    await cache.poll();
    expect(await name()).toBe('Leads');
  }
  cache.setAway(true);
  valueOf(await updateWebhook(context.stores, { id, given: { name: 'Renamed' } }, actor));
  await cache.poll();
  cache.later(5_000);
  expect(await name()).toBe('Leads');
  await cache.poll();
  cache.later(1);
  expect(await name()).toBe('Renamed');
});

test('a channel that does not exist is asked for again', async () => {
  const cache = openCache();
  expect(await cache.channel('made-later')).toBeNull();
  await insertChannel(
    context.stores,
    { id: 'made-later', name: 'Inbox', kind: 'inbox', settings: {} },
    actor,
  );
  expect(await cache.channel('made-later')).toMatchObject({ name: 'Inbox' });
});
