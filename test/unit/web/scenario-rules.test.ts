// Scenarios of the console find elements by role and name only, as a screen reader does, and wait for
// conditions instead of times.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
const stories = readdirSync(join(root, 'e2e/console/scenarios')).map(
  (name) => `e2e/console/scenarios/${name}`,
);

const hands = ['page-driver', 'overlays', 'phone', 'setup-steps'].map(
  (name) => `support/console/${name}.ts`,
);

test.each([...stories, ...hands])('%s', (name) => {
  const text = readFileSync(join(root, name), 'utf8');
  const byOtherMeans =
    /\.locator\(|getByTestId|getByText|querySelector|\.\$\$?(?:eval)?\(|getElement|dispatchEvent/;
  expect(text).not.toMatch(byOtherMeans);
  expect(text).not.toMatch(/waitForTimeout|setTimeout\(\(?resolve|pause\(|toHaveBeenCalledWithin/);
});
