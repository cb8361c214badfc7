// `npm run test:watch`: a change runs its tests against databases that stay up, and Ctrl-C ends everything.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../scripts/lib/paths.mjs';
import { processesWithVariable } from '../../scripts/lib/process/processes.mjs';
import { waitForValue } from '../support/processes/client.ts';

const watched = 'test/unit/queue/redis-url.test.ts';

test('two changes run the tests twice, with one start of the databases, and nothing is left', async () => {
  const mark = `watch-${process.pid}`;
  const dropped = /^(INLET_|MONGODB_URL$|REDIS_URL$)/;
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !dropped.test(name)),
  );
  const child = spawn(process.execPath, [join(repository, 'scripts/test-watch.mjs')], {
    cwd: repository,
    env: { ...env, INLET_TEST_MARK: mark },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => (output += text));
  const counts = () => output.match(/^\d+ passed, 0 failed$/gm) ?? [];
  const touch = () => utimesSync(join(repository, watched), new Date(), new Date());
  try {
    await waitForValue('it waits', () => output.includes('Waiting for changes') || undefined);
    for (const runs of [1, 2])
      await waitForValue(`run ${runs}`, () => {
        // The watch of a folder begins a moment after the call.
        if (!output.includes(`Changed: ${watched}`) || runs === 2) touch();
        return counts()[runs - 1];
      });
    expect(output.match(/Opening MongoDB and Redis …/g)).toHaveLength(1);
    expect(output).toContain(`Changed: ${watched}`);
    const ended = once(child, 'exit');
    child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
    expect(processesWithVariable(`INLET_TEST_MARK=${mark}`)).toEqual([]);
  } catch (error) {
    throw new Error(output, { cause: error });
  } finally {
    child.kill('SIGKILL');
  }
});
