import { createPriorityYield } from '../../../../src/base/concurrency/priority-yield.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const maxYieldMs = 250;

function createWorld() {
  const turns = createPriorityYield(maxYieldMs);
  const ended: string[] = [];
  const yieldAs = (name: string) => turns.yieldTurn().then(() => void ended.push(name));
  const runUrgent = () => {
    let end: () => void = () => undefined;
    const running = turns.runUrgent(() => new Promise<void>((resolve) => (end = resolve)));
    return { end: () => (end(), running) };
  };
  return { turns, ended, yieldAs, runUrgent };
}

test('without urgent work nothing waits', async () => {
  const { yieldAs, ended } = createWorld();
  await yieldAs('long');
  expect(ended).toEqual(['long']);
  expect(jest.getTimerCount()).toBe(0);
});

test('long work waits until the last urgent work ends', async () => {
  const { yieldAs, runUrgent, ended } = createWorld();
  const [first, second] = [runUrgent(), runUrgent()];
  const all = Promise.all([yieldAs('one'), yieldAs('two')]);
  await first.end();
  expect(ended).toEqual([]);
  await second.end();
  await all;
  expect(ended).toEqual(['one', 'two']);
  expect(jest.getTimerCount()).toBe(0);
});

test('urgent work that does not end holds back a step for a limited time', async () => {
  const { yieldAs, runUrgent, ended } = createWorld();
  const urgent = runUrgent();
  void yieldAs('long');
  await jest.advanceTimersByTimeAsync(maxYieldMs - 1);
  expect(ended).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(ended).toEqual(['long']);
  await urgent.end();
});

test('urgent work that fails rejects, and holds nothing back', async () => {
  const { turns, yieldAs, ended } = createWorld();
  const failing = turns.runUrgent(() => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  await yieldAs('long');
  expect(ended).toEqual(['long']);
});
