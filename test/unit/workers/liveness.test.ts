// The conditions under which a worker counts as stuck. The test controls the time.
import { silentLogger } from '../../support/fixtures/silent-logger.ts';
import type { ProcessEventsJob } from '../../../src/queue/process-events.ts';
import { startLiveness } from '../../../workers/liveness.ts';

type Surroundings = {
  overdue: () => Promise<{ _id: string; webhookId: string; alone: boolean }[]>;
  depth: number;
  isReady: boolean;
};

const work = () => Promise.resolve([{ _id: 'e1', webhookId: 'w', alone: false }]);
const nothing = () => Promise.resolve([]);

function createWorker(over: Partial<Surroundings> = {}) {
  const around: Surroundings = { overdue: work, depth: 3, isReady: true, ...over };
  const hinted: ProcessEventsJob[] = [];
  let nowMs = 0;
  let ended = 0;
  const liveness = startLiveness({
    events: { findOverdue: () => around.overdue() },
    queue: {
      hint: (job) => void hinted.push(job),
      get isReady() {
        return around.isReady;
      },
      depth: () => Promise.resolve(around.depth),
    },
    limitMs: 60_000,
    clock: { now: () => new Date(nowMs), elapsedMs: () => nowMs },
    logger: silentLogger(),
    onStuck: () => (ended += 1),
  });
  liveness.close(); // the test says when it looks
  return {
    around,
    hinted,
    liveness,
    ended: () => ended,
    /** Advances the time, with a check every 15 seconds. */
    async pass(seconds: number): Promise<void> {
      for (let passed = 0; passed < seconds; passed += 15) {
        nowMs += 15_000;
        await liveness.check();
      }
    },
  };
}

test('a worker that takes none of the waiting jobs is reported after a minute, and ended at the next check', async () => {
  const worker = createWorker();
  await worker.pass(45);
  expect(worker.liveness.failures()).toEqual([]);
  await worker.pass(15);
  expect(worker.liveness.failures()[0]).toContain('60 s');
  expect(worker.ended()).toBe(0);
  await worker.pass(15);
  expect(worker.ended()).toBe(1);
  await worker.pass(60);
  expect(worker.ended()).toBe(1);
});

test.each<[string, Partial<Surroundings>]>([
  ['there is no work', { overdue: nothing }],
  ['Redis is away', { isReady: false }],
  ['MongoDB does not answer', { overdue: () => Promise.reject(new Error('away')) }],
  ['all hints are in others’ hands', { depth: 0 }],
])('a worker is alive while %s', async (_what, over) => {
  const worker = createWorker(over);
  await worker.pass(600);
  expect(worker.liveness.failures()).toEqual([]);
  expect(worker.ended()).toBe(0);
});

test('time in which it could not work does not count against it', async () => {
  const worker = createWorker({ isReady: false });
  await worker.pass(600);
  worker.around.isReady = true;
  await worker.pass(45);
  expect(worker.liveness.failures()).toEqual([]);
  await worker.pass(45);
  expect(worker.ended()).toBe(1);
});

test('work without a hint is hinted, and the worker is not reported', async () => {
  const worker = createWorker({ depth: 0 });
  await worker.pass(60);
  expect(worker.hinted[0]).toEqual({ groups: [{ webhookId: 'w', eventIds: ['e1'] }] });
  expect(worker.ended()).toBe(0);
});

test('a worker that finishes something now and then is alive', async () => {
  const worker = createWorker();
  const process = worker.liveness.watch(() => Promise.resolve());
  for (let n = 0; n < 10; n += 1) {
    await worker.pass(45);
    await process(['e1']);
  }
  expect(worker.liveness.failures()).toEqual([]);
});

test('failed sets do not count as finished', async () => {
  const worker = createWorker();
  const process = worker.liveness.watch(() => Promise.reject(new Error('timed out')));
  for (let n = 0; n < 6; n += 1) {
    await worker.pass(15);
    await expect(process(['e1'])).rejects.toThrow('timed out');
  }
  expect(worker.ended()).toBe(1);
});

test('a set may take several minutes, but not forever', async () => {
  const worker = createWorker();
  void worker.liveness.watch(() => new Promise(() => {}))(['e1']);
  await worker.pass(300);
  expect(worker.liveness.failures()).toEqual([]);
  await worker.pass(120);
  expect(worker.ended()).toBe(1);
});
