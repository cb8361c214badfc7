// The packages whose code is in the bundles: those of the rendered modules, and those inside the renderer of the API's page, which
// is bundled when we get it. What is not in a bundle needs no notice.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { StepError } from '../output.mjs';

/**
 * @typedef {object} BundledPackage
 * @property {string} name
 * @property {string} [version] not known of packages inside a bundle of another maker
 * @property {string} license an SPDX expression
 * @property {string} text of the licence, with the notices beside it
 * @property {string} [path] in package-lock.json
 * @property {BundledPackage[]} [contains] packages that its own bundle holds
 */

/** @typedef {{ license: string, text?: string, author?: string }} KnownLicense */

/** The bundler's own code in each bundle. */
const ofBundler = /^\0rolldown\//;
const noticeFile = /^(?:licen[cs]e|copying|notice)(?:[.-](?:md|txt|mit|apache.*|bsd))?$/i;

/**
 * The folder of a module's package, from the root of the repository. Null for our modules.
 * @param {string} root @param {string} id of the module
 */
function packageFolder(root, id) {
  if (ofBundler.test(id)) return 'node_modules/rolldown';
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '').replaceAll('\\', '/');
  const found = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path);
  return found?.[1] ? relative(root, found[1]).replaceAll('\\', '/') : null;
}

/**
 * The names of modules of which something is left in the chunks.
 * @param {readonly import('rolldown').OutputChunk[]} chunks
 */
export const renderedModules = (chunks) =>
  chunks.flatMap(({ modules }) =>
    Object.entries(modules)
      .filter(([, { renderedLength }]) => renderedLength > 0)
      .map(([id]) => id),
  );

/**
 * By name and version, each once.
 * @param {string} root
 * @param {readonly string[]} modules
 * @returns {BundledPackage[]}
 */
export function packagesOf(root, modules) {
  const folders = new Set(
    modules.map((id) => packageFolder(root, id)).filter((folder) => folder !== null),
  );
  const found = new Map();
  for (const folder of folders) {
    const one = readPackage(root, folder);
    found.set(`${one.name}@${one.version}`, one);
  }
  return sorted([...found.values()]);
}

/** @param {string} root @returns {BundledPackage} */
export const rendererOf = (root) => ({
  ...readPackage(root, 'node_modules/redoc'),
  contains: packagesOfRenderer(root),
});

/** @param {BundledPackage[]} packages */
const sorted = (packages) =>
  packages.sort((a, b) => compare(a.name, b.name) || compare(a.version ?? '', b.version ?? ''));

/** Of code units: a locale would give other orders on other machines. @param {string} a @param {string} b */
const compare = (a, b) => Number(a > b) - Number(a < b);

/** @param {string} root @param {string} path of its folder @returns {BundledPackage} */
function readPackage(root, path) {
  const folder = join(root, path);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license, author, contributors } = manifest;
  const texts = readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && noticeFile.test(entry.name))
    .map((entry) => entry.name)
    .sort(compare)
    .map((file) => normalized(readFileSync(join(folder, file), 'utf8')));
  const holder = nameOf(author ?? contributors?.[0]);
  const own = license ? texts.join('\n\n') : '';
  const text = own || standardText(root, { name, license, author: holder });
  return { name, version, license, text, path };
}

/** @param {string} text */
const normalized = (text) => text.replaceAll('\r\n', '\n').trim();

/** @param {string | { name: string } | undefined} person @returns {string | undefined} */
const nameOf = (person) =>
  typeof person === 'string' ? person.replace(/ [<(].*/, '') : person?.name;

/**
 * Of a package that comes without its text. Inlet's own licence is the same.
 * @param {string} root
 * @param {{ name: string, license: string, author?: string | undefined }} known
 */
function standardText(root, { name, license, author }) {
  if (license === 'MIT' && author) {
    const own = readFileSync(join(root, 'LICENSE'), 'utf8');
    return `MIT License\n\nCopyright (c) ${author}\n\n${own.slice(own.indexOf('Permission is')).trim()}`;
  }
  throw new StepError(`${name} is bundled without a known licence and its text (${license}).`, {
    advice: ['bundle another package, or add its text where bundled-packages.mjs reads it'],
  });
}

/**
 * The source map names them without versions. A file here has the licences of those that are not installed or do not name theirs.
 * @param {string} root
 */
function packagesOfRenderer(root) {
  const map = readFileSync(
    join(root, 'node_modules/redoc/bundles/redoc.standalone.js.map'),
    'utf8',
  );
  const { sources } = JSON.parse(map);
  const path = join(import.meta.dirname, 'renderer-licenses.json');
  /** @type {Record<string, KnownLicense>} */
  const known = JSON.parse(readFileSync(path, 'utf8'));
  const names = new Set();
  for (const source of sources) names.add(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1]);
  names.delete(undefined);
  return sorted([...names].map((name) => insideRenderer(root, name, known[name])));
}

/**
 * @param {string} root @param {string} name @param {KnownLicense | undefined} known
 * @returns {BundledPackage}
 */
function insideRenderer(root, name, known) {
  if (known) {
    const { license, text } = known;
    return { name, license, text: text ?? standardText(root, { name, ...known }) };
  }
  if (!existsSync(join(root, 'node_modules', name))) {
    throw new StepError(
      `The renderer of the API's page holds ${name}, whose licence is not known.`,
      {
        advice: ['add it to scripts/lib/build/renderer-licenses.json'],
      },
    );
  }
  const { license, text } = readPackage(root, `node_modules/${name}`);
  return { name, license, text };
}
