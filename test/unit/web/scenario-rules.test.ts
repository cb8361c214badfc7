// Scenarios of the console find elements by role and name only, as a screen reader does, and wait for
// conditions instead of times.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const scenarios = ['e2e/console', 'deep/console'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name}`),
);

const drivers = [
  'page-driver',
  'overlays',
  'phone',
  'setup-steps',
  'first-message',
  'mapping-page',
  'inbox-page',
].map((name) => `support/console/${name}.ts`);

test.each([...scenarios, ...drivers])('%s', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const otherQueries =
    /\.locator\(|getByTestId|getByText|querySelector|\.\$\$?(?:eval)?\(|getElement|dispatchEvent/;
  expect(text).not.toMatch(otherQueries);
  expect(text).not.toMatch(/waitForTimeout|setTimeout\(\(?resolve|pause\(|toHaveBeenCalledWithin/);
});
