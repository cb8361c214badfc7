import { AppError } from '../../../src/base/errors.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { createAuthThrottle } from '../../../src/http/auth/auth-throttle.ts';

const budget = 300;
const address = '203.0.113.7';

function given() {
  let elapsedMs = 0;
  const delayed: { ms: number; end: () => void }[] = [];
  const metrics = createMetrics();
  const failures = createAuthThrottle({
    clock: { now: () => new Date(), elapsedMs: () => elapsedMs },
    metrics,
    wait: (ms) => new Promise((end) => delayed.push({ ms, end })),
  });
  const fail = (from = address, code: 'invalid_key' | 'invalid_token' = 'invalid_key') =>
    failures
      .watch(
        code === 'invalid_key' ? 'key' : 'token',
        () => from,
        Promise.reject(new AppError(code)),
      )
      .catch((error: AppError) => error);
  const succeed = () => failures.watch('key', () => address, Promise.resolve('good'));
  async function exhaust(from?: string): Promise<void> {
    for (let n = 0; n < budget; n += 1) await fail(from);
  }
  async function counted() {
    const { values } = await metrics.credentialFailures.get();
    const used = values.filter(({ value }) => value > 0);
    return Object.fromEntries(used.map(({ labels, value }) => [labels.answer, value]));
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    failures,
    fail,
    succeed,
    exhaust,
    delayed,
    counted,
    settle,
    later: (ms: number) => (elapsedMs += ms),
  };
}

const codeOf = (error: unknown) => (error as AppError).code;

test('within the budget a wrong credential is rejected without delay', async () => {
  const { exhaust, delayed, counted } = given();
  await exhaust();
  expect(delayed).toEqual([]);
  expect(await counted()).toEqual({ at_once: budget });
});

test('beyond the budget the rejection is delayed by a second, and beyond ten delayed ones it is 429', async () => {
  const { fail, exhaust, delayed, settle, counted } = given();
  await exhaust();
  const late = Array.from({ length: 10 }, () => fail());
  await settle();
  expect(delayed.map(({ ms }) => ms)).toEqual(Array.from({ length: 10 }, () => 1_000));
  const refused = (await fail()) as AppError;
  expect(refused.code).toBe('rate_limited');
  expect(refused.retryAfterMs).toBeGreaterThan(0);
  expect(refused.quota).toMatchObject({ limit: budget, remaining: 0 });
  for (const { end } of delayed.splice(0)) end();
  expect((await Promise.all(late)).map(codeOf)).toEqual(late.map(() => 'invalid_key'));
  const again = fail();
  await settle();
  expect(delayed).toHaveLength(1);
  delayed[0]?.end();
  expect(codeOf(await again)).toBe('invalid_key');
  expect(await counted()).toEqual({ at_once: budget, delayed: 11, rejected: 1 });
});

test('a good credential is neither counted nor slowed, however many wrong ones came from its address', async () => {
  const { fail, succeed, exhaust, delayed, settle, counted } = given();
  for (let n = 0; n < 2 * budget; n += 1) expect(await succeed()).toBe('good');
  expect(await counted()).toEqual({});
  await exhaust();
  for (let n = 0; n < 20; n += 1) void fail();
  await settle();
  expect(await succeed()).toBe('good');
  for (const { end } of delayed) end();
});

test('wrong keys and tokens of one client network are counted together, other networks separately', async () => {
  const { fail, exhaust, delayed, settle } = given();
  await exhaust('2001:db8:1:2::1');
  void fail('2001:db8:1:2:9::9', 'invalid_token');
  await settle();
  expect(delayed).toHaveLength(1);
  expect(codeOf(await fail('2001:db8:1:3::1'))).toBe('invalid_key');
  expect(codeOf(await fail('203.0.113.8', 'invalid_token'))).toBe('invalid_token');
  expect(delayed).toHaveLength(1);
  delayed[0]?.end();
});

test('the budget refills with time', async () => {
  const { fail, exhaust, later, delayed, settle } = given();
  await exhaust();
  later(1_000);
  await fail();
  await fail();
  expect(delayed).toEqual([]);
  void fail();
  await settle();
  expect(delayed).toHaveLength(1);
  delayed[0]?.end();
});

test('the answers that are delayed in all are bounded', async () => {
  const { fail, exhaust, delayed, settle } = given();
  const addresses = Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`);
  for (const address of addresses) await exhaust(address);
  for (const address of addresses) for (let n = 0; n < 10; n += 1) void fail(address);
  await settle();
  expect(delayed).toHaveLength(500);
  expect(codeOf(await fail('10.0.0.50'))).toBe('rate_limited');
  for (const { end } of delayed) end();
});

test('other errors are passed on unchanged and without delay', async () => {
  const { failures, exhaust, delayed, counted } = given();
  await exhaust();
  const error = new AppError('unavailable');
  await expect(failures.watch('key', () => address, Promise.reject(error))).rejects.toBe(error);
  expect(delayed).toEqual([]);
  expect(await counted()).toEqual({ at_once: budget });
});
