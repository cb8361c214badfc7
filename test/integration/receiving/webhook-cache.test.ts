// How a key that another process revoked becomes invalid here: by a notice, by polling, or by expiry.
import { randomUUID } from 'node:crypto';
import { newSecret, sha256 } from '../../../src/base/ids.ts';
import { keyPrefix } from '../../../src/base/observability/logger.ts';
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { listenForChanges } from '../../../src/queue/invalidations.ts';
import { createEventQueue } from '../../../src/queue/process-events.ts';
import { createWebhookCache, type WebhookCache } from '../../../src/receiving/webhook-cache.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { startRedis, sharedRedisUrl } from '../../support/services/services.ts';
import { createTestContext, type TestContext } from '../../support/context/test-context.ts';
import { waitForValue } from '../../support/processes/client.ts';
import { valueOf } from '../../support/context/value-of.ts';
import { rotateKey, revokeKey } from '../../../src/store/webhooks/keys.ts';
import { surroundedConnection } from '../../support/context/surrounded-connection.ts';
import { scriptedConnection } from '../../support/context/scripted-connection.ts';

const actor = { tokenId: 'test', name: 'test' };
const logger = silentLogger();

let context: TestContext;
/** Time that only the test advances. */
let elapsedMs = 1;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  context = await createTestContext('changes');
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});
afterAll(() => context.close());

type Known = { readonly webhookId: string; readonly keyId: string; readonly hash: string };

async function knownKey(): Promise<Known> {
  const { _id: webhookId } = await context.addWebhook();
  const hash = sha256(newSecret(keyPrefix));
  const given = { webhookId, hash, lastFour: 'abcd', expiresAt: null, overlapMs: 0 };
  const { key } = valueOf(await rotateKey(context.stores, given, actor));
  return { webhookId, hash, keyId: key._id };
}

/** Another process. `sees` decides whether polling shows it changes. */
function openCache(sees: 'changes' | 'nothing'): WebhookCache {
  const connection = surroundedConnection(context.connection, (name, run) =>
    sees === 'nothing' && name === 'webhooks.find' ? Promise.reject(new Error('away')) : run(),
  );
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  const opened = createWebhookCache({ connection, logger, clock });
  // It polls only when the test says so.
  opened.close();
  return opened;
}

const isGood = async (cache: WebhookCache, { hash }: Known) => (await cache.get(hash)) !== null;

const openQueue = async (redisUrl: string, prefix: string) => {
  const queue = createEventQueue({ redisUrl, prefix, logger, metrics: createMetrics() });
  closing.push(() => queue.close());
  await waitForValue('the queue is ready', () => queue.isReady || undefined);
  return queue;
};

test('a notice alone invalidates a revoked key', async () => {
  const prefix = `test_changes_${randomUUID().slice(0, 8)}`;
  const cache = openCache('nothing');
  const listener = listenForChanges({
    redisUrl: sharedRedisUrl(),
    prefix,
    onChange: cache.invalidate,
    onTokenChange: () => undefined,
    onGap: () => undefined,
  });
  closing.push(() => listener.close());
  const queue = await openQueue(sharedRedisUrl(), prefix);
  await waitForValue('the listener listens', () => listener.isLive() || undefined);
  const [key, other] = [await knownKey(), await knownKey()];
  expect([await isGood(cache, key), await isGood(cache, other)]).toEqual([true, true]);

  await revokeKey(context.stores, { webhookId: key.webhookId, id: key.keyId }, actor);
  await revokeKey(context.stores, { webhookId: other.webhookId, id: other.keyId }, actor);
  queue.announceChange(key.webhookId);
  await waitForValue('the key is rejected', async () => !(await isGood(cache, key)) || undefined);
  // No notice named this one, so it stays cached.
  expect(await isGood(cache, other)).toBe(true);
});

test('without a notice, polling invalidates it', async () => {
  const cache = openCache('changes');
  await cache.poll();
  const key = await knownKey();
  await cache.poll();
  expect(await isGood(cache, key)).toBe(true);
  await revokeKey(context.stores, { webhookId: key.webhookId, id: key.keyId }, actor);
  await cache.poll();
  expect(await isGood(cache, key)).toBe(false);
});

type Changes = readonly { id: string; changedAt: Date }[];

const unit = (changedSince: (since: Date, limit: number) => Promise<Changes>) => {
  const loaded: string[] = [];
  const connection = scriptedConnection(async (name, [asked, options]) => {
    if (name === 'webhooks.find') {
      const { changedAt } = asked as { readonly changedAt: { readonly $gte: Date } };
      const { limit } = options as { readonly limit: number };
      const changes = await changedSince(changedAt.$gte, limit);
      return changes.map((change) => ({ _id: change.id, changedAt: change.changedAt }));
    }
    const [stage] = asked as readonly [{ readonly $match: { readonly hash: { $in: string[] } } }];
    const hashes = stage.$match.hash.$in;
    loaded.push(...hashes);
    const webhookOf = (hash: string) => ({ _id: hash, status: 'active' }) as Webhook;
    return hashes.map((hash) => ({ _id: hash, hash, webhook: webhookOf(hash), expiresAt: null }));
  });
  const clock = { now: () => new Date(), elapsedMs: () => elapsedMs };
  const cache = createWebhookCache({ connection, logger, clock });
  closing.push(() => cache.close());
  return { cache, loaded };
};

test('nothing is polled while nothing is cached', async () => {
  const polls: Date[] = [];
  const { cache } = unit((since) => {
    polls.push(since);
    return Promise.resolve([]);
  });
  await cache.poll();
  expect(polls).toHaveLength(0);
  await cache.get('a');
  await cache.poll();
  expect(polls).toHaveLength(1);
  elapsedMs += 6_000;
  await cache.poll();
  expect(polls).toHaveLength(1);
});

test('more changes than a poll reads invalidate everything', async () => {
  let changes: { id: string; changedAt: Date }[] = [];
  const { cache, loaded } = unit((_since, limit) => Promise.resolve(changes.slice(0, limit)));
  await Promise.all(['a', 'b'].map((hash) => cache.get(hash)));
  changes = [{ id: 'a', changedAt: new Date(1) }];
  await cache.poll();
  await Promise.all(['a', 'b'].map((hash) => cache.get(hash)));
  expect(loaded).toEqual(['a', 'b', 'a']);
  changes = Array.from({ length: 10_000 }, (_, n) => ({ id: `${n}`, changedAt: new Date(2 + n) }));
  await cache.poll();
  await Promise.all(['a', 'b'].map((hash) => cache.get(hash)));
  expect(loaded).toEqual(['a', 'b', 'a', 'a', 'b']);
});

test('without both, it expires after five seconds', async () => {
  const cache = openCache('nothing');
  const key = await knownKey();
  expect(await isGood(cache, key)).toBe(true);
  await revokeKey(context.stores, { webhookId: key.webhookId, id: key.keyId }, actor);
  elapsedMs += 4_900;
  expect(await isGood(cache, key)).toBe(true);
  elapsedMs += 101;
  expect(await isGood(cache, key)).toBe(false);
});

test('polls keep a webhook beyond five seconds, and after a failed one it expires', async () => {
  let isAway = false;
  const { cache, loaded } = unit(() =>
    isAway ? Promise.reject(new Error('away')) : Promise.resolve([]),
  );
  await cache.get('a');
  for (let seconds = 0; seconds < 60; seconds += 4) {
    elapsedMs += 4_000;
    await cache.poll();
    await cache.get('a');
  }
  expect(loaded).toEqual(['a']);
  isAway = true;
  elapsedMs += 4_000;
  await cache.poll();
  await cache.get('a');
  expect(loaded).toEqual(['a']);
  elapsedMs += 1_001;
  await cache.get('a');
  expect(loaded).toEqual(['a', 'a']);
});

test('a poll after a gap does not keep what may have changed in the gap', async () => {
  const { cache, loaded } = unit(() => Promise.resolve([]));
  await cache.get('a');
  await cache.poll();
  elapsedMs += 5_001;
  await cache.get('b');
  await cache.poll();
  await cache.get('a');
  expect(loaded).toEqual(['a', 'b', 'a']);
});

test('a cache that nobody asks is not polled any more', async () => {
  let polls = 0;
  const { cache } = unit(() => {
    polls += 1;
    return Promise.resolve([]);
  });
  await cache.get('a');
  for (let seconds = 0; seconds < 60; seconds += 1) {
    elapsedMs += 1_000;
    await cache.poll();
  }
  expect(polls).toBe(10);
});

test('listening starts without Redis, and resumes when Redis is back', async () => {
  const redis = await startRedis();
  closing.push(() => redis.close());
  await redis.stop();
  const heard: string[] = [];
  let gaps = 0;
  const listener = listenForChanges({
    redisUrl: redis.url,
    prefix: 'test_changes',
    onChange: (id) => heard.push(id),
    onTokenChange: (id) => heard.push(`token ${id}`),
    onGap: () => (gaps += 1),
  });
  closing.push(() => listener.close());
  expect(listener.isLive()).toBe(false);

  await redis.start();
  const queue = await openQueue(redis.url, 'test_changes');
  await waitForValue('it listens', () => listener.isLive() || undefined);
  queue.announceChange('one');
  await waitForValue('it has heard', () => heard.includes('one') || undefined);

  await redis.kill();
  await waitForValue('the listener is not live', () => !listener.isLive() || undefined);
  queue.announceChange('lost');
  await redis.start();
  await waitForValue('it listens again', () => listener.isLive() || undefined);
  await waitForValue('the queue is back', () => queue.isReady || undefined);
  queue.announceChange('two');
  queue.announceTokenChange('three');
  await waitForValue('it has heard', () => heard.includes('token three') || undefined);
  expect(heard).toEqual(['one', 'two', 'token three']);
  // A listener that is held up may connect once more.
  expect(gaps).toBeGreaterThanOrEqual(2);
});
