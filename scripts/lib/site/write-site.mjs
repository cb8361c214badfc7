// Writes the documentation site. A process of its own: VitePress changes the environment and prints its steps.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vitepress';
import { renderedModules } from '../build/bundled-packages.mjs';
import { repository } from '../paths.mjs';
import { modulesFile } from './build-site.mjs';

/** The browser's modules, of which the build lists the licences. @type {Set<string>} */
const modules = new Set();

/** @type {import('vite').Plugin} */
const listModules = {
  name: 'inlet:modules',
  generateBundle(_options, bundle) {
    if (this.environment.name !== 'client') return;
    const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
    for (const id of renderedModules(chunks)) modules.add(id);
  },
};

await build(join(repository, 'docs'), {
  onAfterConfigResolve: (config) => {
    // Not in docs/, whose changes need a build.
    config.tempDir = join(repository, 'dist/.site');
    config.vite = { ...config.vite, plugins: [...(config.vite?.plugins ?? []), listModules] };
  },
});
writeFileSync(join(repository, modulesFile), JSON.stringify([...modules]));
