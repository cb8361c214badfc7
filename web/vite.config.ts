// The console: built to dist/web, which the server sends as it is. `npm run web` serves it while it is written, over
// the API of a running Inlet.
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const inlet = process.env.INLET_URL ?? 'http://127.0.0.1:8080';

/** In the place of the bundler's own, after which a part whose file did not come once never comes. */
const preloading: Plugin = {
  name: 'inlet:preload',
  enforce: 'pre',
  load: (id) =>
    id === '\0vite/preload-helper.js'
      ? `export { preload as __vitePreload } from ${JSON.stringify(join(import.meta.dirname, 'src/preload.ts'))};`
      : null,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [preloading],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    manifest: 'manifest.json',
    // In kB, uncompressed; a test holds what counts, the compressed size of the first screen.
    chunkSizeWarningLimit: 900,
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  // The server puts a new one into every page; styles that libraries write need it, scripts get none.
  html: { cspNonce: '__NONCE__' },
  server: { proxy: { '/v1': inlet, '/docs': inlet } },
});
