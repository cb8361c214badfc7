// A process whose log is not read goes on, counts what it drops, and ends.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

const written = 20_000;
/** A reader that takes nothing for so long is blocked. */
const blockedMs = 1_500;
let child: ChildProcess;
beforeEach(async () => {
  child = fork(join(repository, 'test/support/fixtures/log-writer.ts'), [], {
    execArgv: [`--import=${join(repository, 'test/support/jest/typescript.mjs')}`],
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  child.stdout?.pause();
  // Standard output is not read: a synchronous write would stop the process before its last report.
  await new Promise<void>((resolve) => {
    child.on('message', ({ batch }: { batch: number }) => batch === 20 && resolve());
  });
});
afterEach(() => child.kill('SIGKILL'));

type Line = { readonly msg: string; readonly lines?: number };

test('lines beyond those that wait are dropped, and their number is logged once the reader continues', async () => {
  let received = 0;
  let dropped = 0;
  for await (const text of createInterface({ input: child.stdout ?? process.stdin })) {
    const line = JSON.parse(text) as Line;
    if (line.msg === 'line') received += 1;
    dropped += line.lines ?? 0;
    if (line.msg === 'log.dropped') break;
  }
  expect(dropped).toBeGreaterThan(0);
  expect(received + dropped).toBe(written);
});

test('a process whose reader takes nothing ends when it is told to', async () => {
  await new Promise((resolve) => setTimeout(resolve, blockedMs));
  child.send('exit');
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
});

test('a process whose reader is gone goes on, and ends with its own exit code', async () => {
  child.stdout?.destroy();
  const whileThePipeBreaks = 300;
  await new Promise((resolve) => setTimeout(resolve, whileThePipeBreaks));
  child.send('write');
  await new Promise((resolve) => setTimeout(resolve, blockedMs));
  child.send('exit');
  expect(await once(child, 'exit')).toEqual([7, null]);
});
