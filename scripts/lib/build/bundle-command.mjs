// Bundles the `inlet` command with every package that it needs into one executable file, dist/cli/inlet.js.
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const commandEntry = 'cli/main.ts';

/** Resolves to its chunks. @param {string} root of the repository */
export async function bundleCommand(root) {
  // Loaded here because this module is imported before the dependencies are installed.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: { inlet: commandEntry },
    platform: 'node',
    tsconfig: false,
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({
    format: 'esm',
    minify: 'dce-only',
    codeSplitting: false,
  });
  await bundle.close();
  const folder = join(root, 'dist/cli');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'inlet.js');
  writeFileSync(file, output[0].code);
  chmodSync(file, 0o755);
  return [output[0]];
}
