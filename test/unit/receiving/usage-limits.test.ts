import { createUsageLimits } from '../../../src/receiving/usage-limits.ts';

function given() {
  let elapsedMs = 0;
  const limits = createUsageLimits(
    { now: () => new Date(), elapsedMs: () => elapsedMs },
    () => elapsedMs,
  );
  const decodeFor = (webhookId: string, ms: number) =>
    limits.chargeWork(webhookId, () => {
      elapsedMs += ms;
      return 'decoded';
    });
  return { ...limits, decodeFor, pass: (ms: number) => (elapsedMs += ms) };
}

const limited = expect.objectContaining({ code: 'rate_limited' });

test('a webhook may use half a second after a pause, and then a quarter of the time', () => {
  const { require: check, decodeFor, pass } = given();
  for (let n = 0; n < 7; n += 1) {
    check('heavy');
    expect(decodeFor('heavy', 100)).toBe('decoded');
  }
  expect(() => check('heavy')).toThrow(limited);
  check('other');
  pass(204);
  check('heavy');
  decodeFor('heavy', 100);
  pass(295);
  expect(() => check('heavy')).toThrow(limited);
  pass(2);
  check('heavy');
});

test('work that throws is charged too', () => {
  const { require: check, chargeWork, pass } = given();
  const fail = () =>
    chargeWork('heavy', () => {
      pass(600);
      throw new Error('malformed');
    });
  for (let n = 0; n < 2; n += 1) expect(fail).toThrow('malformed');
  expect(() => check('heavy')).toThrow(limited);
});

test('one request is charged half a second at most, because the process may have been suspended', () => {
  const { require: check, decodeFor, pass } = given();
  decodeFor('heavy', 600_000);
  pass(2_000);
  check('heavy');
});

test('a large body that waited is refused when others of its webhook used up the time', async () => {
  const { turnFor, decodeFor } = given();
  const [first, second] = [turnFor('heavy', 40_000), turnFor('heavy', 40_000)];
  const outcome = second?.catch((error: unknown) => error);
  await first;
  decodeFor('heavy', 600);
  decodeFor('heavy', 600);
  expect(await outcome).toEqual(limited);
});

test('a webhook may send 128 MiB after a pause, and then 32 MiB a second', () => {
  const { require: check, chargeBytes, pass } = given();
  const mebibyte = 1_048_576;
  chargeBytes('heavy', 128 * mebibyte);
  check('heavy');
  chargeBytes('heavy', 16 * mebibyte);
  expect(() => check('heavy')).toThrow(limited);
  pass(499);
  expect(() => check('heavy')).toThrow(limited);
  pass(2);
  check('heavy');
});

test('large bodies are decoded one in each iteration of the event loop, small ones at once', async () => {
  const { turnFor } = given();
  expect(turnFor('a', 32_768)).toBeUndefined();
  const order: string[] = [];
  const large = [1, 2, 3].map((n) => turnFor('a', 32_769)?.then(() => order.push(`large ${n}`)));
  const between = async () => {
    for (let n = 1; n <= 3; n += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      order.push(`other ${n}`);
    }
  };
  await Promise.all([...large, between()]);
  expect(order.indexOf('other 1')).toBeLessThan(order.indexOf('large 2'));
  expect(order.indexOf('other 2')).toBeLessThan(order.indexOf('large 3'));
});
