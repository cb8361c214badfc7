// The documentation site, which VitePress makes of the repository's Markdown files.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../paths.mjs';
import { anchorOf } from './anchors.mjs';
import { configureMarkdown } from './markdown.mjs';
import { pageOf, sidebar } from './pages.mjs';

/** What `npm run build` writes. */
const siteFolder = join(repository, 'dist/docs');
const assets = 'assets';
const icon = readFileSync(join(repository, 'web/src/ui/layout/logo.svg'), 'utf8');

/** Folders without pages. Without them the search for pages would read every file of the repository. */
const otherFolders = readdirSync(repository, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'docs' && entry.name !== 'client')
  .map(({ name }) => `${name}/**`);
const otherFiles = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'client/*/**'];

/** @type {import('vitepress').UserConfig} */
export const siteConfig = {
  title: 'Inlet',
  description:
    'Inbound webhooks of any shape, each turned exactly once into a contact, a chat and a message.',
  lang: 'en',
  base: '/docs/',
  srcDir: repository,
  srcExclude: [...otherFolders, ...otherFiles],
  rewrites: (file) => `${pageOf(file)}.md`,
  outDir: siteFolder,
  assetsDir: assets,
  cacheDir: join(repository, 'node_modules/.cache/vitepress'),
  cleanUrls: true,
  // Disabling transitions would need an inline style sheet.
  appearance: { disableTransition: false },
  // Addresses in examples.
  ignoreDeadLinks: 'localhostLinks',
  // A change of one page must not change the other pages' files.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: `data:image/svg+xml,${encodeURIComponent(icon)}` }]],
  markdown: { html: false, anchor: { slugify: anchorOf }, config: configureMarkdown },
  transformHtml: withoutInlineScripts,
  themeConfig: {
    search: { provider: 'local' },
    sidebar: sidebar(),
    outline: [2, 3],
  },
};

/** The policy of the server forbids inline scripts, so each becomes a file. @param {string} html */
function withoutInlineScripts(html) {
  return html.replaceAll(/<script(?: id="[\w-]+")?>([^<]+)<\/script>/g, (_, code) => {
    const name = createHash('sha256').update(code).digest('hex').slice(0, 8);
    const file = `${assets}/inline.${name}.js`;
    mkdirSync(join(siteFolder, assets), { recursive: true });
    writeFileSync(join(siteFolder, file), code);
    return `<script src="/docs/${file}"></script>`;
  });
}
