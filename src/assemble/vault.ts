/** Opens the vault of a process. */
import { resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Logger } from '../base/observability/logger.ts';
import { StartupError } from '../base/process/startup.ts';
import { localKeysFile, readLocalKeys } from '../base/secrets/local-keys.ts';
import { createVault, decodeKey, type Vault } from '../base/secrets/vault.ts';
import { repositoryFolder } from './folders.ts';
import { verifySecrets } from '../store/maintenance/stored-secrets.ts';
import type { Db } from '../store/db/connection.ts';

export type VaultConfig = Pick<Config, 'secretKeys' | 'isProduction' | 'dataFolder'>;

/**
 * Opens the vault with the configured keys. Without keys, outside production, it uses the key in the data folder and creates it
 * when it is missing. A vault without keys cannot seal secrets; everything else works. Throws `StartupError` for an invalid key.
 */
export function openVault(
  { secretKeys, isProduction, dataFolder }: VaultConfig,
  logger: Logger,
): Vault {
  if (secretKeys.length > 0) return createVault(secretKeys);
  if (isProduction) {
    const hint = 'secrets cannot be stored: set INLET_SECRET_KEYS, alike for all processes';
    logger.warn({ hint }, 'secrets.no_key');
    return createVault([]);
  }
  const folder = resolve(repositoryFolder, dataFolder);
  const file = localKeysFile(folder);
  const hint = 'set INLET_SECRET_KEYS, alike for all processes, where they run on several machines';
  let kept: string[] = [];
  try {
    kept = readLocalKeys(folder);
    logger.warn({ file, hint }, 'secrets.local_key_used');
  } catch (err) {
    logger.warn({ err, file, hint }, 'secrets.no_key');
  }
  if (kept.every(decodeKey)) return createVault(kept);
  throw new StartupError(`${file} must hold keys of 32 bytes in base64, separated by commas.`);
}

/** Of each kind of owner. */
const checkedSecrets = 100;

type SecretCheck = Db & {
  readonly vault: Vault;
  readonly logger: Logger;
};

/** Warns when the keys do not open what is stored, as after a restore without its keys. Never rejects. */
export async function warnOfUnreadable(ctx: SecretCheck): Promise<void> {
  try {
    const counts = await verifySecrets(ctx, ctx.vault, checkedSecrets);
    const unreadable = counts.filter((count) => count.unreadable > 0);
    const hint = 'add the key that they are sealed under to INLET_SECRET_KEYS, or set them again';
    if (unreadable.length > 0) ctx.logger.warn({ unreadable, hint }, 'secrets.unreadable');
  } catch (err) {
    ctx.logger.debug({ err }, 'secrets.check_failed');
  }
}
