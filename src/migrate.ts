/**
 * `npm run migrate [-- --contract]`: creates and replaces indexes and runs the migrations of this release, reports the changes,
 * and exits. With `--contract` it also removes what only earlier releases need.
 */
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { connect, prepareDatabase } from './assemble/connection.ts';
import { versionOfPackage } from './assemble/folders.ts';
import { createLogger } from './base/observability/logger.ts';
import { runMain, StartupError } from './base/process/startup.ts';

/** Throws `StartupError` for anything but `--contract`. */
function readPhase(): 'expand' | 'contract' {
  try {
    const { values } = parseArgs({ options: { contract: { type: 'boolean' } } });
    return values.contract ? 'contract' : 'expand';
  } catch {
    throw new StartupError('Usage: npm run migrate [-- --contract]');
  }
}

async function main(): Promise<void> {
  const phase = readPhase();
  const { mongodbUrl, logLevel, prettyLogs } = loadConfig(undefined, ['REDIS_URL']);
  const logger = createLogger({
    level: logLevel,
    role: 'migrate',
    pretty: prettyLogs,
    out: process.stdout,
  });
  const connection = await connect(mongodbUrl, logger);
  await prepareDatabase(connection, { logger, release: versionOfPackage(), phase });
  await connection.close();
  const what =
    phase === 'contract' ? 'indexes and migrations, contracted,' : 'indexes and migrations';
  process.stdout.write(`All ${what} are up to date.\n`);
}

runMain(main);
