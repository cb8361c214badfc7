/** `npm run migrate`: creates and replaces indexes, reports the changes, and exits. */
import { loadConfig } from '../config/config.ts';
import { createLogger } from './base/observability/logger.ts';
import { runMain } from './base/process/startup.ts';
import { connect, migrateIndexes } from './assemble/connection.ts';

async function main(): Promise<void> {
  const { mongodbUrl, logLevel, prettyLogs } = loadConfig(undefined, ['REDIS_URL']);
  const logger = createLogger({
    level: logLevel,
    role: 'migrate',
    pretty: prettyLogs,
    out: process.stdout,
  });
  const connection = await connect(mongodbUrl, logger);
  await migrateIndexes(connection, logger);
  await connection.close();
  process.stdout.write('All indexes are up to date.\n');
}

runMain(main);
