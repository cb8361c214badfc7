// Bundles each role into one file under dist/bin, with the packages that all roles use in a file beside it, and those of
// tracing in another, which is loaded only when tracing is on. A role starts in half the CPU time that it needs to load two
// thousand modules one by one. The packages' compiled code is kept beside them, which halves that time again.
import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.mjs';
import { StepError } from '../output.mjs';

/** Entry points by the name of their bundle. */
const roles = {
  inlet: 'src/inlet.ts',
  server: 'src/server.ts',
  worker: 'workers/main.ts',
  migrate: 'src/migrate.ts',
  'rotate-secrets': 'src/rotate-secrets.ts',
};
/** Each is a file of its own, with the packages that it needs. The name is the one that the sources look for. */
const threads = {
  decoder: 'src/producers/decode-thread/decoder.ts',
  computer: 'src/api/mappings/computer.ts',
};
export const entryPoints = [...Object.values(roles), ...Object.values(threads)];
const packages = 'packages';
const tracing = 'tracing';

/**
 * The file of a package. prom-client loads the API of OpenTelemetry in any case.
 * @param {string} id
 */
const chunkOf = (id) => (/[\\/]@opentelemetry[\\/](?!api[\\/])/.test(id) ? tracing : packages);

/**
 * @typedef {object} BundleOptions
 * @property {string} folder for the bundles
 * @property {string} [revision] of the sources; empty when it is not known
 * @property {import('rolldown').Plugin[]} [plugins]
 * @property {string[]} [execArgv] options of Node that the bundles need
 */

/** Resolves to their chunks. @param {string} root of the repository @param {BundleOptions} options */
export async function bundleRoles(root, { folder, revision = '', plugins = [], execArgv = [] }) {
  // Loaded here because this module is imported before the dependencies are installed.
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input: roles,
    platform: 'node',
    // The ES modules of BullMQ, of which only what is used is bundled, and one build of Luxon for BullMQ and for us.
    resolve: {
      alias: {
        bullmq: join(root, 'node_modules/bullmq/dist/esm/index.js'),
        luxon: join(root, 'node_modules/luxon/build/es6/luxon.mjs'),
      },
    },
    treeshake: { moduleSideEffects: [{ test: /[\\/]bullmq[\\/]/, sideEffects: false }] },
    tsconfig: false,
    // src/assemble/folders.ts has its type.
    transform: { define: { INLET_REVISION: JSON.stringify(revision) } },
    logLevel: 'warn',
    plugins,
  });
  const { output } = await bundle.generate({
    // Only the code of scripts can be kept compiled, not that of ES modules.
    format: 'cjs',
    strict: true,
    // Scripts with kept code cannot import.
    dynamicImportInCjs: false,
    sourcemap: true,
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: '[name].js',
    // Logs name the classes of errors.
    keepNames: true,
    // One character outside of ASCII makes V8 keep two bytes for each one of its file.
    minify: {
      compress: false,
      mangle: false,
      codegen: { removeWhitespace: false, asciiOnly: true },
    },
    comments: { legal: true, jsdoc: false, annotation: false },
    codeSplitting: {
      groups: [{ name: chunkOf, debugName: packages, test: /[\\/]node_modules[\\/]/ }],
    },
  });
  await bundle.close();
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const chunks = output.filter((file) => file.type === 'chunk');
  for (const chunk of chunks) writeChunk(folder, chunk);
  await compilePackages(folder, execArgv);
  return [...chunks, ...(await bundleThreads(root, folder))];
}

/** Resolves to the chunks. @param {string} root @param {string} folder */
const bundleThreads = (root, folder) =>
  Promise.all(
    Object.entries(threads).map(([name, file]) => bundleThread(root, folder, { [name]: file })),
  );

/** @param {string} root @param {string} folder @param {Record<string, string>} input */
async function bundleThread(root, folder, input) {
  const { rolldown } = await import('rolldown');
  const bundle = await rolldown({
    cwd: root,
    input,
    platform: 'node',
    tsconfig: false,
    logLevel: 'warn',
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    strict: true,
    entryFileNames: '[name].js',
    codeSplitting: false,
    keepNames: true,
    minify: 'dce-only',
  });
  await bundle.close();
  const [chunk] = output;
  writeFileSync(join(folder, chunk.fileName), chunk.code);
  return chunk;
}

/**
 * Writes a chunk and its source map. Node reads maps at start: ours has no copies of the sources, and packages have none.
 * @param {string} folder
 * @param {import('rolldown').OutputChunk} chunk
 */
function writeChunk(folder, { name, fileName, code, map }) {
  const text = code.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
  if (name === packages) return writePackages(folder, text);
  const path = join(folder, fileName);
  if (!map || name === tracing) return writeFileSync(path, text);
  const { sourcesContent: _sources, ...positions } = map;
  writeFileSync(path, `${text}//# sourceMappingURL=${fileName}.map\n`);
  writeFileSync(`${path}.map`, JSON.stringify(positions));
}

/** @param {string} folder @param {string} text */
function writePackages(folder, text) {
  // load-packages.cjs reads it so.
  if (/[^\0-\x7f]/.test(text)) throw new StepError('The bundled packages are not ASCII.');
  writeFileSync(join(folder, 'packages.source.js'), text);
}

/** @param {string} folder @param {string[]} execArgv */
async function compilePackages(folder, execArgv) {
  copyFileSync(join(import.meta.dirname, 'load-packages.cjs'), join(folder, 'packages.js'));
  const compile = join(import.meta.dirname, 'compile-packages.cjs');
  const bundles = ['server', 'worker'].map((name) => join(folder, `${name}.js`));
  const { output } = await runCommand(process.execPath, [...execArgv, compile, ...bundles]);
  if (existsSync(join(folder, 'packages.cache'))) return;
  throw new StepError(`The packages were not compiled.\n${output.trim()}`);
}
