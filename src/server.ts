/** Entry point of a server. */
import { loadConfig } from '../config/config.ts';
import { runReceiver } from './assemble/receiver.ts';
import { runMain } from './base/process/startup.ts';

async function main(): Promise<void> {
  await runReceiver(loadConfig());
}

runMain(main);
