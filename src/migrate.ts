/** The migration step by itself: makes and mends the indexes, says what it did, and ends. */
import { ConfigError, loadConfig } from '../config/config.ts';
import { createLogger } from './base/observability/logger.ts';
import { exitCodes } from './base/process/process.ts';
import { connect, migrateIndexes } from './resources.ts';

async function main(): Promise<void> {
  const { mongodbUrl, logLevel, prettyLogs } = loadConfig(undefined, ['REDIS_URL']);
  const logger = createLogger({ level: logLevel, role: 'migrate', pretty: prettyLogs });
  const connection = await connect(mongodbUrl, logger);
  await migrateIndexes(connection, logger);
  await connection.close();
  process.stdout.write('All indexes are as they must be.\n');
}

main().catch((error: unknown) => {
  const isTold = error instanceof ConfigError;
  process.stderr.write(`${isTold ? error.message : String((error as Error)?.stack ?? error)}\n`);
  process.exit(isTold ? exitCodes.configuration : exitCodes.failed);
});
