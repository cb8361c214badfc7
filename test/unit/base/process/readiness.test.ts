import { createReadiness, type ReadinessFailure } from '../../../../src/base/process/readiness.ts';

const reasonOf = ({ reason }: ReadinessFailure): string => reason;

/** With a check whose results are given one by one, and a clock. */
function setUp() {
  let atMs = 0;
  let checks = 0;
  let settle: (failures: ReadinessFailure[]) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const readiness = createReadiness({
    startingReason: () => 'starting',
    maxAgeMs: 500,
    limitMs: 20,
    now: () => atMs,
  });
  const check = () => {
    checks += 1;
    return new Promise<ReadinessFailure[]>((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
  };
  return {
    begin: (findFailures: () => Promise<ReadinessFailure[]>) =>
      readiness.begin([{ name: 'mongodb', findFailures }]),
    drain: () => readiness.drain(),
    failures: async (usableMs?: number) => (await readiness.failures(usableMs)).map(reasonOf),
    ownFailures: () => readiness.ownFailures().map(reasonOf),
    check,
    checks: () => checks,
    settle: (...reasons: string[]) =>
      settle(reasons.map((reason) => ({ check: 'mongodb', reason }))),
    fail: () => fail(new Error('mongodb://user:hush@db')),
    pass: (ms: number) => void (atMs += ms),
  };
}

test('before it begins a process is not ready, and nothing is checked', async () => {
  const it = setUp();
  expect([await it.failures(), it.ownFailures()]).toEqual([['starting'], ['starting']]);
  expect(it.checks()).toBe(0);
});

test('a result is used for a while, then checked again', async () => {
  const it = setUp();
  it.begin(it.check);
  const first = it.failures();
  it.settle();
  expect(await first).toEqual([]);
  it.pass(499);
  expect(await it.failures()).toEqual([]);
  expect(it.checks()).toBe(1);
  it.pass(1);
  const second = it.failures();
  it.settle('no primary');
  expect([await second, it.checks()]).toEqual([['no primary'], 2]);
  it.pass(4_000);
  expect([await it.failures(5_000), it.checks()]).toEqual([['no primary'], 2]);
  expect(it.ownFailures()).toEqual([]);
});

test('a check that takes too long is answered in time, and is not started twice', async () => {
  const it = setUp();
  it.begin(it.check);
  const late = 'MongoDB does not answer';
  expect(await Promise.all([it.failures(), it.failures()])).toEqual([[late], [late]]);
  expect(it.checks()).toBe(1);
  const ended = it.failures();
  it.settle();
  expect([await ended, await it.failures(), it.checks()]).toEqual([[], [], 1]);
});

test('a check that rejects is a failure, without its error', async () => {
  const it = setUp();
  it.begin(it.check);
  const failed = it.failures();
  it.fail();
  expect(await failed).toEqual(['the check of MongoDB failed']);
  it.pass(500);
  const next = it.failures();
  it.settle();
  expect(await next).toEqual([]);
});

test('a process that drains is not ready, whatever the check finds', async () => {
  const it = setUp();
  it.begin(it.check);
  const before = it.failures();
  it.settle();
  await before;
  it.drain();
  const draining = ['the process is draining'];
  expect([await it.failures(), it.ownFailures()]).toEqual([draining, draining]);
  expect(it.checks()).toBe(1);
});

test('a dependency that does not answer is named, beside the failures of the others', async () => {
  const readiness = createReadiness({ startingReason: () => 'starting', limitMs: 20 });
  const never = new Promise<ReadinessFailure[]>(() => undefined);
  readiness.begin([
    {
      name: 'mongodb',
      findFailures: () => Promise.resolve([{ check: 'indexes', reason: 'one is missing' }]),
    },
    { name: 'redis', findFailures: () => never },
  ]);
  expect(await readiness.failures()).toEqual([
    { check: 'indexes', reason: 'one is missing' },
    { check: 'redis', reason: 'Redis does not answer' },
  ]);
});
