import { createShutdown } from '../../../src/base/process/shutdown.ts';

test('releases run once, last in, first out', async () => {
  const closed: string[] = [];
  const closing = createShutdown();
  for (const name of ['database', 'queue', 'port']) closing.add(name, () => closed.push(name));
  await Promise.all([closing.closeAll(), closing.closeAll()]);
  expect(closed).toEqual(['port', 'queue', 'database']);
});

test('releases that fail or time out are named, and the others still run', async () => {
  let isClosed = false;
  const closing = createShutdown();
  closing.add('database', () => (isClosed = true));
  closing.add('queue', () => new Promise(() => {}), 10);
  closing.add('port', () => Promise.reject(new Error('no')));
  const failures = await closing.closeAll();
  expect(failures.map(({ name }) => name)).toEqual(['port', 'queue']);
  expect(isClosed).toBe(true);
});
