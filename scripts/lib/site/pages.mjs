// The pages of the documentation site: Markdown files of the repository, at the path of each below /docs, and the sections that list them.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../paths.mjs';

/** Pages outside of docs/, by their path on the site. */
const otherPages = { changelog: 'CHANGELOG.md', client: 'client/README.md' };

/** The files, each by its path on the site. @type {ReadonlyMap<string, string>} */
export const pageFiles = new Map([
  ...readdirSync(join(repository, 'docs'), { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.md') && !name.startsWith('.'))
    .map((name) => /** @type {const} */ ([name.slice(0, -'.md'.length), `docs/${name}`])),
  ...Object.entries(otherPages),
]);

const files = new Map([...pageFiles].map(([path, file]) => [file, path]));
// It says the same as the first page of the site.
files.set('README.md', 'index');

/** The path of a file on the site; undefined of one that is no page. @param {string} file its path in the repository */
export const pageOf = (file) => files.get(file);

/** The paths below a section, in order. `api` is not a page of the site: the server adds it. */
const sections = {
  Start: ['first-steps', 'console', 'answering', 'walk'],
  'Senders and mappings': [
    'senders',
    'mapping',
    'transforms',
    'changing-a-mapping',
    'recipes/send-from-another-tool',
  ],
  'Chats and people': ['channels', 'channel-kinds', 'conversations', 'contacts', 'notices'],
  Interfaces: [
    'api',
    'admin-api',
    'client',
    'cli',
    'recipes/configuration-in-a-repository',
    'errors',
  ],
  Operation: [
    'deployment',
    'settings',
    'databases',
    'upgrading',
    'changelog',
    'monitoring',
    'metrics',
    'operations',
    'performance',
    'reliability',
    'security',
  ],
  Development: [
    'architecture',
    'glossary',
    'recipes/add-a-producer',
    'recipes/add-a-channel',
    'recipes/add-a-route',
    'recipes/change-a-document-format',
  ],
};

/** The first heading of a page, without markup. @param {string} path */
function titleOf(path) {
  const text = readFileSync(join(repository, pageFiles.get(path) ?? ''), 'utf8');
  const [, title] = /^# (.+)$/m.exec(text) ?? [];
  if (title === undefined) throw new Error(`${pageFiles.get(path)} has no heading.`);
  return title.replaceAll('`', '');
}

/** @param {string} path */
const entryOf = (path) =>
  path === 'api'
    ? { text: 'API reference', link: '/api', target: '_self' }
    : { text: titleOf(path), link: `/${path}` };

/** The navigation beside each page. Throws for a page that no section has. */
export function sidebar() {
  const decisions = [...pageFiles.keys()].filter((path) => path.startsWith('decisions/')).sort();
  const listed = new Set([...Object.values(sections).flat(), ...decisions, 'index']);
  const missing = [...pageFiles.keys()].filter((path) => !listed.has(path));
  if (missing.length > 0) {
    throw new Error(`No section of scripts/lib/site/pages.mjs has ${missing.join(', ')}.`);
  }
  return [
    ...Object.entries(sections).map(([text, paths]) => ({ text, items: paths.map(entryOf) })),
    { text: 'Decisions', collapsed: true, items: decisions.map(entryOf) },
  ].map((section) => ({ collapsed: false, ...section }));
}
