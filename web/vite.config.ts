// The console: built to dist/web, which the server serves. `npm run web` serves it for development, with the
// API of a running Inlet.
import { join } from 'node:path';
import { defineConfig, type Plugin, type UserConfig } from 'vite';
import { joinChunks } from './chunks.ts';

const inlet = process.env.INLET_URL ?? 'http://127.0.0.1:8080';

/** Replaces the bundler's preload helper, which never retries a chunk that failed to load. */
const preloading: Plugin = {
  name: 'inlet:preload',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { preload as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, 'src/preload.ts'))};`
      : null,
};

const config: UserConfig = {
  root: import.meta.dirname,
  plugins: [preloading],
  css: { modules: { localsConvention: 'camelCaseOnly' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // One small file: fewer requests, and the order of rules does not depend on the way through the screens.
    cssCodeSplit: false,
    // The bundler names no files for a part that is one file; the preload helper needs its name to retry it.
    modulePreload: {
      resolveDependencies: (file, files, { hostType }) =>
        hostType === 'js' && files.length === 0 ? [file] : files,
    },
    target: 'es2023',
    manifest: 'manifest.json',
    // In kB, uncompressed; a test limits the compressed size of the first screen.
    chunkSizeWarningLimit: 900,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  // The server replaces it on every page; styles of libraries need it, scripts get none.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: { '/v1': inlet, '/docs': inlet } },
};

export default defineConfig(async ({ command }) => {
  if (command !== 'build') return config;
  const groups = await joinChunks(config);
  const { build } = config;
  const rolldownOptions = { ...build?.rolldownOptions, output: { codeSplitting: { groups } } };
  return { ...config, build: { ...build, rolldownOptions } };
});
