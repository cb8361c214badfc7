import { createRwLock } from '../../../../src/base/concurrency/rw-lock.ts';

/** Runs that end on request, and the order in which they began. */
function createWorks() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    begun.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { begun, work, end };
}

test('an exclusive run waits for shared runs, and blocks later ones', async () => {
  const gate = createRwLock();
  const { begun, work, end } = createWorks();
  void gate.runShared(work('a'));
  void gate.runShared(work('b'));
  void gate.runExclusive(work('loner'));
  void gate.runShared(work('c'));
  expect([gate.waitingExclusive, begun]).toEqual([1, ['a', 'b']]);
  await end('a');
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect([gate.waitingExclusive, begun]).toEqual([0, ['a', 'b', 'loner']]);
  await end('loner');
  expect(begun).toEqual(['a', 'b', 'loner', 'c']);
});

test('waiting shared runs get their turn after each exclusive run', async () => {
  const gate = createRwLock();
  const { begun, work, end } = createWorks();
  void gate.runExclusive(work('first'));
  void gate.runExclusive(work('second'));
  void gate.runExclusive(work('third'));
  void gate.runShared(work('a'));
  void gate.runShared(work('b'));
  await end('first');
  expect(begun).toEqual(['first', 'a', 'b']);
  await end('a');
  await end('b');
  void gate.runShared(work('c'));
  await end('second');
  expect(begun).toEqual(['first', 'a', 'b', 'second', 'c']);
});

test('a failed run releases the lock', async () => {
  const gate = createRwLock();
  const { begun, work } = createWorks();
  const failing = () => Promise.reject(new Error('no'));
  await expect(gate.runExclusive(failing)).rejects.toThrow('no');
  await expect(gate.runShared(failing)).rejects.toThrow('no');
  void gate.runExclusive(work('next'));
  expect(begun).toEqual(['next']);
});
