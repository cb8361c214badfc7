// `npm run sbom`: writes dist/sbom.json, the packages of package-lock.json in CycloneDX.
// Packages for development are included and marked: the console and the bundles are built from them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readArguments } from './lib/arguments.mjs';
import { lastLines, runCommand } from './lib/process/run-command.mjs';
import { repository } from './lib/paths.mjs';
import { exitCodeOf, print, printError, StepError } from './lib/output.mjs';

async function writeSbom() {
  readArguments('npm run sbom');
  const args = ['sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
  const { code, output, stdout } = await runCommand('npm', args, { cwd: repository });
  if (code !== 0) {
    throw new StepError(`npm could not list the packages.\n  ${lastLines(output)}`, {
      tried: [`npm ${args.join(' ')}`],
      advice: ['install npm 10 or newer'],
    });
  }
  const { components } = JSON.parse(stdout);
  mkdirSync(join(repository, 'dist'), { recursive: true });
  writeFileSync(join(repository, 'dist/sbom.json'), stdout);
  print(`Wrote dist/sbom.json with ${components.length} packages.`);
}

try {
  await writeSbom();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
