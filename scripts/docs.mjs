// `npm run docs`: writes the pages that are generated from the code. A test fails while one is out of date.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfChanged } from './lib/build/build.mjs';
import { checkNode, installDependencies } from './lib/install/dependencies.mjs';
import { repository } from './lib/paths.mjs';
import { exitCodeOf, print, printError } from './lib/output.mjs';
import { transformPage } from './lib/transform-page.mjs';

async function writePages() {
  checkNode();
  await installDependencies();
  await buildIfChanged();
  const built = pathToFileURL(join(repository, 'dist/src/mapping/transforms/describe.js')).href;
  const { describeTransforms } = await import(built);
  writeFileSync(join(repository, 'docs/transforms.md'), transformPage(describeTransforms()));
  print('Wrote docs/transforms.md.');
}

try {
  await writePages();
} catch (error) {
  printError(error);
  process.exitCode = exitCodeOf(error);
}
