/** `npm run secrets:rotate`: seals every stored secret under the first key, prints the counts, and exits. */
import { systemClock } from './base/clock.ts';
import { parseArgs } from 'node:util';
import { loadConfig } from '../config/config.ts';
import { createLogger } from './base/observability/logger.ts';
import { exitCodes } from './base/process/process.ts';
import { runMain, StartupError } from './base/process/startup.ts';
import { connect } from './assemble/connection.ts';
import { openVault } from './assemble/vault.ts';
import { rotateSecrets, type SecretRotation } from './store/maintenance/stored-secrets.ts';

const summaryOf = ({ sealed, unreadable, missed }: SecretRotation): string =>
  [
    `Sealed again under the first key: ${sealed}.`,
    ...(unreadable > 0
      ? [`No key opens: ${unreadable}. Add the key that they are sealed under, or set them again.`]
      : []),
    ...(missed > 0 ? [`Changed during the run: ${missed}. Run it again.`] : []),
    ...(unreadable + missed === 0 ? ['The other keys are no longer needed.'] : []),
  ].join('\n');

/** Throws `StartupError` for any argument: one that is ignored, such as a dry run, would change secrets. */
function requireNoArguments(): void {
  try {
    parseArgs({ options: {} });
  } catch {
    throw new StartupError('Usage: npm run secrets:rotate');
  }
}

async function main(): Promise<void> {
  requireNoArguments();
  const config = loadConfig(undefined, ['REDIS_URL']);
  const { mongodbUrl, logLevel, prettyLogs } = config;
  const logger = createLogger({
    level: logLevel,
    role: 'secrets',
    pretty: prettyLogs,
    out: process.stdout,
  });
  const vault = openVault(config, logger);
  if (!vault.canSeal) {
    throw new StartupError('INLET_SECRET_KEYS is not set; there is nothing to seal secrets with.');
  }
  const connection = await connect(mongodbUrl, logger);
  const rotated = await rotateSecrets({ connection, clock: systemClock }, vault);
  await connection.close();
  process.stdout.write(`${summaryOf(rotated)}\n`);
  process.exitCode = rotated.unreadable + rotated.missed > 0 ? exitCodes.failed : 0;
}

runMain(main);
