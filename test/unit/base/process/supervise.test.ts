/** Child processes that end, on real processes. */
import { fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendIpcRequest } from '../../../../src/base/process/ipc.ts';
import { supervise, type ChildEnd } from '../../../../src/base/process/supervise.ts';

let folder: string;
let script: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'inlet-test-supervise-'));
  script = join(folder, 'child.mjs');
  writeFileSync(
    script,
    `
    const [mode] = process.argv.slice(2);
    if (mode === 'refuses') process.exit(78);
    process.on('message', ({ id, name }) => {
      if (name === 'pid') process.send({ type: 'response', id, value: process.pid });
    });
    process.on('SIGTERM', () => mode !== 'hangs' && process.exit(0));
    process.send({ type: 'ready', role: 'server' });
    `,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(mode: string, count = 2) {
  const ends: ChildEnd[] = [];
  let launched = 0;
  const children = supervise({
    count,
    launch: () => {
      launched += 1;
      return fork(script, [mode], { execArgv: [] });
    },
    onEnded: (_child, end) => ends.push(end),
  });
  return { children, ends, launched: () => launched, outcome: children.start() };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setTimeout(resolve, 10));
}

test('the other children start once the first is ready, and each is asked for itself', async () => {
  const { children, outcome, launched } = start('serves', 3);
  expect(launched()).toBe(1);
  expect(await outcome).toMatchObject({ type: 'ready' });
  await until(() => children.ready().length === 3);
  const pids = await Promise.all(
    children.ready().map((child) => sendIpcRequest(child, 'pid', 60_000)),
  );
  expect(pids).toEqual(children.ready().map(({ pid }) => pid));
  await children.stop(60_000);
  expect(children.running()).toEqual([]);
});

test('a request without a response ends, also when the child is gone', async () => {
  const { children, outcome } = start('serves', 1);
  await outcome;
  const [child] = children.ready();
  if (!child) throw new Error('no child');
  expect(await sendIpcRequest(child, 'unknown', 20)).toBeUndefined();
  await children.stop(60_000);
  expect(await sendIpcRequest(child, 'pid', 60_000)).toBeUndefined();
});

test('a child that ends starts again, after a pause that grows', async () => {
  const { children, ends, outcome } = start('serves');
  await outcome;
  await until(() => children.ready().length === 2);
  for (const round of [1, 2]) {
    const [child] = children.ready();
    child?.kill('SIGKILL');
    await until(() => ends.length === round);
    await until(() => children.ready().length === 2);
  }
  expect(ends.map(({ signal, restartInMs }) => [signal, restartInMs])).toEqual([
    ['SIGKILL', 500],
    ['SIGKILL', 1_000],
  ]);
  await children.stop(60_000);
});

test('a start that fails is not repeated', async () => {
  const { children, outcome, launched, ends } = start('refuses');
  expect(await outcome).toBe(78);
  expect([launched(), children.running(), ends]).toEqual([1, [], []]);
});

test('a child that does not drain is killed, and the stop says so', async () => {
  const { children, outcome } = start('hangs', 1);
  await outcome;
  await expect(children.stop(50)).rejects.toThrow('did not drain');
  expect(children.running()).toEqual([]);
});
