// A process under the watchdog of the built code, with the limit in milliseconds as its argument. It hangs when it is told to.
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';

const built = join(repository, 'dist/src/base/process/watchdog.js');
const { startWatchdog } = await import(pathToFileURL(built).href);
startWatchdog({ limitMs: Number(process.argv[2]), role: 'test' });
process.on('message', (message) => {
  if (message === 'hang') for (;;);
  process.send?.('pong');
});
process.send?.('ready');
