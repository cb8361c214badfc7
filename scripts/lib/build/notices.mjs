// Writes what a copy of the build must carry: dist/THIRD_PARTY_NOTICES.txt, the licence texts of all bundled packages, and
// dist/sbom.cdx.json, the list of them in CycloneDX. The same sources give the same bytes: no dates, no random numbers.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {import('./bundled-packages.mjs').BundledPackage} BundledPackage */

const line = '='.repeat(80);

/** @param {BundledPackage} one */
const labelOf = ({ name, version, license }) =>
  `${[name, version].filter(Boolean).join(' ')} (${license})`;

/** @param {readonly BundledPackage[]} packages */
export function noticesOf(packages) {
  /** @type {Map<string, string[]>} the packages by their text: many share one */
  const groups = new Map();
  const add = (/** @type {BundledPackage} */ one, /** @type {string} */ label) =>
    groups.set(one.text, [...(groups.get(one.text) ?? []), label]);
  for (const one of packages) {
    add(one, labelOf(one));
    for (const inner of one.contains ?? []) add(inner, `${labelOf(inner)}, inside ${one.name}`);
  }
  const head = [
    'Inlet contains code of the following packages, under the licences below.',
    'The source code of a package is in the npm package of that name and version.',
  ].join('\n');
  const sections = [...groups].map(([text, labels]) =>
    [line, ...labels, line, '', text].join('\n'),
  );
  return `${[head, ...sections].join('\n\n')}\n`;
}

/**
 * CycloneDX 1.6. A component has the hash that npm checks, that of the package's archive.
 * @param {readonly BundledPackage[]} packages
 * @param {{ version: string, locked: Record<string, { integrity?: string }> }} build
 */
export function sbomOf(packages, { version, locked }) {
  /** @param {BundledPackage} one @param {string} owner @returns {object} */
  const componentOf = ({ name, version: own, license, path, contains }, owner) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}${own ? `@${own}` : ''}`;
    const [, base64] = /^sha512-(\S+)/.exec(locked[path ?? '']?.integrity ?? '') ?? [];
    const content = base64 && Buffer.from(base64, 'base64').toString('hex');
    return {
      type: 'library',
      'bom-ref': `${owner}${purl}`,
      name,
      ...(own && { version: own }),
      purl,
      licenses: [{ expression: license }],
      ...(content && { hashes: [{ alg: 'SHA-512', content }] }),
      ...(contains && { components: contains.map((inner) => componentOf(inner, `${purl}#`)) }),
    };
  };
  const component = { type: 'application', 'bom-ref': 'inlet', name: 'inlet', version };
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      lifecycles: [{ phase: 'build' }],
      component: { ...component, licenses: [{ expression: 'MIT' }] },
    },
    components: packages.map((one) => componentOf(one, '')),
  };
}

/** @param {string} root @param {readonly BundledPackage[]} packages */
export function writeNotices(root, packages) {
  const read = (/** @type {string} */ file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const { version } = read('package.json');
  const sbom = sbomOf(packages, { version, locked: read('package-lock.json').packages });
  writeFileSync(join(root, 'dist/THIRD_PARTY_NOTICES.txt'), noticesOf(packages));
  writeFileSync(join(root, 'dist/sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
}
