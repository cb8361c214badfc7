// Unknown path keys in volume: how many lookups they cause, and that a valid key among them is accepted.
import { newSecret } from '../../../src/base/ids.ts';
import { keyPrefix } from '../../../src/base/observability/logger.ts';
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';
import type { Around } from '../../support/context/surrounded-connection.ts';

let api: TestApi;
let statements = 0;
beforeAll(async () => {
  // No time passes in which a rejected key is forgotten, or a further lookup is allowed.
  const clock = { now: () => new Date(), elapsedMs: () => 1 };
  const around: Around = (name, run) => {
    if (name === 'keys.aggregate') statements += 1;
    return run();
  };
  api = await createTestApi('unknown_keys', { clock, around, wait: () => Promise.resolve() });
});
afterAll(() => api.close());

const post = async (key: string) =>
  (await api.ask('POST', `/v1/webhook/${key}`, { token: null, body: {} })).status;

/** Posts to this many unknown keys over 50 connections. Returns the distinct statuses. */
async function flood(count: number): Promise<number[]> {
  const keys = Array.from({ length: count }, () => newSecret(keyPrefix)).values();
  const statuses = new Set<number>();
  const senders = Array.from({ length: 50 }, async () => {
    for (const key of keys) statuses.add(await post(key));
  });
  await Promise.all(senders);
  return [...statuses].toSorted((a, b) => a - b);
}

test('an unknown key that is sent again within seconds needs no lookup', async () => {
  const key = newSecret(keyPrefix);
  expect(await post(key)).toBe(401);
  statements = 0;
  for (let n = 0; n < 5; n += 1) expect(await post(key)).toBe(401);
  expect(statements).toBe(0);
});

test('an address that has sent many unknown keys causes few lookups, and its valid keys are accepted', async () => {
  const { key } = await aWebhook(api);
  await flood(310);
  statements = 0;
  const flooded = flood(300);
  expect(await post(key)).toBe(200);
  expect([401, 429]).toEqual(expect.arrayContaining(await flooded));
  expect(statements).toBeLessThan(20);
});

test('a key of an archived webhook is rejected without a lookup until the webhook is restored', async () => {
  const { key, path } = await aWebhook(api);
  expect(await post(key)).toBe(200);
  await api.ask('POST', `${path}/archive`);
  expect(await post(key)).toBe(401);
  statements = 0;
  for (let n = 0; n < 5; n += 1) expect(await post(key)).toBe(401);
  // The change may be announced late, over Redis and by a poll; each clears the cache once.
  expect(statements).toBeLessThanOrEqual(2);
  expect((await api.ask('POST', `${path}/restore`)).status).toBe(200);
  expect(await post(key)).toBe(200);
});
