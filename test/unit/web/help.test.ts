/** Every screen leads to a page of the documentation that exists. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../../scripts/lib/paths.mjs';
import { anchorOf } from '../../../scripts/lib/site/anchors.mjs';
import { pageFiles } from '../../../scripts/lib/site/pages.mjs';
import { helpAddress, helpOfSignIn, helpPages } from '../../../web/src/ui/help.ts';

const read = (path: string) => readFileSync(join(repository, path), 'utf8');

test('every screen has a page of help, and every page of help a screen', () => {
  const routes = [...read('web/src/screens.tsx').matchAll(/\{ path: (?:'([^']+)'|webhookPath), /g)];
  const paths = routes.map(([, path = '/webhooks/:id']) => path);
  expect(paths.length).toBeGreaterThan(25);
  expect(paths.toSorted()).toEqual(Object.keys(helpPages).toSorted());
});

test.each([...new Set([...Object.values(helpPages), helpOfSignIn.replace('/docs/', '')])])(
  '%s is a page with that heading',
  (target) => {
    const [page = '', anchor] = target.split('#');
    const file = pageFiles.get(page);
    expect(file).toBeDefined();
    const headings = [...read(file ?? '').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) => text);
    if (anchor !== undefined) expect(headings.map(anchorOf)).toContain(anchor);
  },
);

test.each([
  ['/', '/docs/console#overview'],
  ['/inbox', '/docs/answering'],
  ['/webhooks/new', '/docs/first-steps#create-a-webhook'],
  ['/webhooks/01a2', '/docs/console#webhooks'],
  ['/webhooks/01a2/mapping', '/docs/mapping'],
  ['/contacts/conflicts', '/docs/contacts#merge'],
  ['/contacts/01a2', '/docs/contacts'],
  ['/nothing/here', '/docs/'],
])('the help of %s is %s', (path, address) => {
  expect(helpAddress(path)).toBe(address);
});
