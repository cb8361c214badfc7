/** Creates the first admin token, and decides how a person gets it. */
import { join, resolve } from 'node:path';
import type { Config } from '../../config/config.ts';
import { ensureFirstToken, recogniseFirstToken } from '../api/access/tokens.ts';
import type { ApiContext } from '../api/context.ts';
import { StartupError } from '../base/process/startup.ts';
import {
  draftSecretFile,
  recoverSecretFile,
  type SecretDraft,
} from '../base/secrets/secret-file.ts';
import { repositoryFolder } from './folders.ts';

type FirstToken = { readonly adminToken?: string; readonly adminTokenFile?: string };

/**
 * Returns the new token to print, or in production, where output is collected, the file that contains it. Empty if the token
 * exists or is configured. Throws `StartupError` if the file cannot be written; then no token was created.
 */
export async function provideFirstToken(
  ctx: ApiContext,
  { isProduction, dataFolder }: Pick<Config, 'isProduction' | 'dataFolder'>,
): Promise<FirstToken> {
  const file = join(resolve(repositoryFolder, dataFolder), 'admin-token');
  if (!isProduction) {
    const adminToken = await ensureFirstToken(ctx);
    return adminToken === null ? {} : { adminToken };
  }
  let draft: SecretDraft | undefined;
  const keep = (token: string) => {
    draft = draftOrRefuse(file, token);
  };
  const isCreated = (await ensureFirstToken(ctx, keep)) !== null;
  if (isCreated) return draft ? { adminTokenFile: draft.keep() } : {};
  if (!draft) return recoverFile(file, await recogniseFirstToken(ctx));
  draft.discard();
  return {};
}

/** A process that died after it had stored the token left a draft of the file. */
function recoverFile(file: string, isFirst: (token: string) => boolean): FirstToken {
  try {
    const adminTokenFile = recoverSecretFile(file, isFirst);
    return adminTokenFile === null ? {} : { adminTokenFile };
  } catch {
    // Later starts need no folder that can be read or written.
    return {};
  }
}

function draftOrRefuse(file: string, token: string): SecretDraft {
  try {
    return draftSecretFile(file, token);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown error';
    throw new StartupError(
      `The first admin token cannot be written to ${file} (${code}): set INLET_ADMIN_TOKEN, or a folder that can be written in INLET_DATA_DIR.`,
      { cause },
    );
  }
}
