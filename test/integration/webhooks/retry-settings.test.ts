// The retry schedule of a webhook: set, read and removed over HTTP.
import { aWebhook } from '../../support/context/builders.ts';
import { createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let path: string;
beforeAll(async () => {
  api = await createTestApi('http_retries');
  path = `${(await aWebhook(api)).path}/settings`;
});
afterAll(() => api.close());

const set = (retries: unknown) => api.ask('PATCH', path, { body: { retries } });
const read = async () => (await api.ask('GET', path)).body.data.retries;

test('a webhook has the default retry schedule until one is set, and again after it is removed', async () => {
  expect(await read()).toBeNull();
  expect((await set({ maxAttempts: 3 })).body.data.retries).toEqual({
    maxAttempts: 3,
    delaysSeconds: null,
  });
  await set({ delaysSeconds: [10, 60] });
  expect(await read()).toEqual({ maxAttempts: 3, delaysSeconds: [10, 60] });
  expect((await set(null)).status).toBe(200);
  expect(await read()).toBeNull();
});

test('other settings do not change the retry schedule', async () => {
  await set({ maxAttempts: 20, delaysSeconds: [86_400] });
  await api.ask('PATCH', path, { body: { answer: null } });
  expect(await read()).toEqual({ maxAttempts: 20, delaysSeconds: [86_400] });
});

test.each<[string, unknown]>([
  ['no attempt', { maxAttempts: 0 }],
  ['too many attempts', { maxAttempts: 21 }],
  ['half an attempt', { maxAttempts: 1.5 }],
  ['no wait', { delaysSeconds: [] }],
  ['a wait of nothing', { delaysSeconds: [0] }],
  ['a wait beyond a day', { delaysSeconds: [86_401] }],
  ['more waits than attempts', { delaysSeconds: Array.from({ length: 20 }, () => 1) }],
  ['nothing that would be left', { maxAttempts: null, delaysSeconds: null }],
  ['an unknown word', { maxAttempts: 3, forever: true }],
])('%s is rejected', async (_what, retries) => {
  const before = await read();
  expect((await set(retries)).status).toBe(422);
  expect(await read()).toEqual(before);
});
