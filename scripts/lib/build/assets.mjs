// What the server sends as it is, made beside the built code, so that production needs no package for it: the console,
// and the renderer of the API's page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { compress } from './compress.mjs';

/** The path in the build, and the source. */
const copies = { 'redoc.js': 'node_modules/redoc/bundles/redoc.standalone.js' };

/** Where the renderer looks for a logo of its maker's: the page's policy refuses it, and browsers complain. */
const foreignLogo = 'https://cdn.redoc.ly/redoc/logo-mini.svg';
/** An empty image, which the policy allows. */
const noLogo = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';

/** @param {string} text */
function withoutExternalLogo(text) {
  if (!text.includes(foreignLogo)) {
    throw new Error(
      `The renderer of the API's page has no ${foreignLogo} any more: look what it asks for.`,
    );
  }
  return text.replaceAll(foreignLogo, noLogo);
}

/** Resolves to the chunks of the console. @param {string} root */
export async function buildAssets(root) {
  const folder = join(root, 'dist/assets');
  mkdirSync(folder, { recursive: true });
  for (const [name, source] of Object.entries(copies)) {
    const text = readFileSync(join(root, source), 'utf8');
    writeFileSync(join(folder, name), withoutExternalLogo(text));
  }
  // Only now: it needs the dependencies.
  const { build } = await import('vite');
  const built = await build({
    root: join(root, 'web'),
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
  });
  compress(join(root, 'dist/web/assets'));
  const outputs = [built].flat().flatMap((one) => ('output' in one ? one.output : []));
  return outputs.filter((file) => file.type === 'chunk');
}
