/** The documentation site: its links, and what makes its build fail. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sources } from '../../../scripts/lib/build/build.mjs';
import { hashOf } from '../../../scripts/lib/build/source-hash.mjs';
import { repository } from '../../../scripts/lib/paths.mjs';
import { runCommand } from '../../../scripts/lib/process/run-command.mjs';
import { siteFiles, siteSources } from '../../../scripts/lib/site/build-site.mjs';
import { targetOf } from '../../../scripts/lib/site/markdown.mjs';
import { pageFiles, sidebar } from '../../../scripts/lib/site/pages.mjs';

jest.setTimeout(120_000);

test('every page is listed once beside each page, each decision in its section', () => {
  const links = sidebar().flatMap(({ items }) => items.map(({ link }) => link));
  const pages = [...pageFiles.keys()].filter((path) => path !== 'index').map((path) => `/${path}`);
  expect(links.toSorted()).toEqual([...pages, '/api'].toSorted());
  const decisions = sidebar().at(-1);
  expect(decisions?.text).toBe('Decisions');
  expect(decisions?.items.length).toBeGreaterThan(40);
});

test.each([
  ['docs/upgrading.md', '../CHANGELOG.md', { page: '/changelog' }],
  ['docs/recipes/add-a-route.md', '../mapping.md#bounds', { page: '/mapping#bounds' }],
  ['CHANGELOG.md', 'docs/cli.md', { page: '/cli' }],
  ['client/README.md', '../README.md', { page: '/index' }],
  ['docs/errors.md', '../src/server.ts', { source: 'src/server.ts' }],
  ['docs/errors.md', 'https://example.com/x.md', undefined],
  ['docs/errors.md', '#reasons', undefined],
  ['docs/errors.md', 'nothing.md', undefined],
])('in %s, %s leads to %j', (file, href, expected) => {
  expect(targetOf(href, join(repository, file))).toEqual(expected);
});

describe('the build', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(repository, 'node_modules/.site-'));
    mkdirSync(join(folder, '.vitepress'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Builds one page with the configuration of the site. */
  function buildPage(text: string) {
    const config = join(repository, 'scripts/lib/site/config.mjs');
    writeFileSync(
      join(folder, '.vitepress/config.mjs'),
      `import { siteConfig } from ${JSON.stringify(config)};
       const { transformHtml: _, rewrites: _r, srcExclude: _e, ...config } = siteConfig;
       export default { ...config, srcDir: ${JSON.stringify(folder)}, outDir: ${JSON.stringify(join(folder, 'out'))} };`,
    );
    writeFileSync(join(folder, 'index.md'), text);
    const command = join(repository, 'node_modules/vitepress/bin/vitepress.js');
    return runCommand(process.execPath, [command, 'build', folder], { cwd: repository });
  }

  test('fails for a link to a page that does not exist', async () => {
    const { code, output } = await buildPage('# A\n\n[Gone](gone.md)\n');
    expect([code, output]).toEqual([1, expect.stringMatching(/dead link .*gone/)]);
  });
});

test('a changed page needs a build of the site, not one of the code', () => {
  expect([siteSources.includes('docs'), sources.includes('docs')]).toEqual([true, false]);
  const root = mkdtempSync(join(repository, 'node_modules/.site-'));
  try {
    for (const name of siteFiles) {
      mkdirSync(join(root, name, '..'), { recursive: true });
      writeFileSync(join(root, name), '');
    }
    mkdirSync(join(root, 'docs'));
    const before = hashOf(root, siteSources, siteFiles);
    writeFileSync(join(root, 'docs/a.md'), '# A');
    expect(hashOf(root, siteSources, siteFiles)).not.toBe(before);
  } finally {
    rmSync(root, { recursive: true });
  }
});
