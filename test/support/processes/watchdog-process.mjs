// A process under the watchdog of the built code, with the limit in milliseconds as its argument. It hangs when it is told to.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

const built = join(repository, 'dist/src/base/process/watchdog.js');
const { startWatchdog } = await import(pathToFileURL(built).href);
startWatchdog({ limitMs: Number(process.argv[2]), role: 'test' });
process.on('message', (message) => {
  // For ever, without taking a processor.
  if (message === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  process.send?.('pong');
});
process.send?.('ready');
