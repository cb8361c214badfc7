/**
 * Entry point of a server: one process, or with `INLET_SERVERS` above 1 a primary with as many receivers, which start here too.
 */
import cluster from 'node:cluster';
import { loadConfig } from '../config/config.ts';
import { runMain } from './base/process/startup.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  // Loaded on demand: a primary needs little of what a receiver has.
  if (config.servers > 1 && cluster.isPrimary) {
    const { runPrimary } = await import('./assemble/primary.ts');
    return runPrimary(config);
  }
  const { runReceiver } = await import('./assemble/receiver.ts');
  return runReceiver(config);
}

runMain(main);
