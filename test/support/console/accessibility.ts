// What axe-core finds wrong with a page for those who have it read to them or see it badly; and when a page has come to rest.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { until } from '../processes/client.ts';
import type { Theme } from './console.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rules: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** All that a theme can change. */
const colours: RunOptions = { resultTypes: ['violations'], runOnly: ['color-contrast'] };

/** In the page. */
declare const axe: {
  readonly run: (part: unknown, options: RunOptions) => Promise<AxeResults>;
};

/** One line for each serious or critical violation in the page, or in a part of it: the rule and where. */
export async function violationsOf(
  page: Page,
  { part = page.getByRole('document').first(), isThorough = true } = {},
): Promise<string[]> {
  await page.evaluate(`typeof axe === 'object' || (() => { ${source} })()`);
  const { violations } = await part.evaluate(
    async (element, options): Promise<AxeResults> => axe.run(element, options),
    isThorough ? rules : colours,
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(
        ({ target, html }) => `${id} (${impact}): ${target.join(' ')} ${html.slice(0, 160)}`,
      ),
    );
}

export const wear = (page: Page, theme: Theme): Promise<void> =>
  page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });

/** Nothing that a reader would hear changes any more. Live parts keep a connection open, so the network tells nothing. */
export async function rested(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  let last = '';
  await until('the page has come to rest', async () => {
    const now = await page.getByRole('main').ariaSnapshot();
    const isSame = now === last;
    last = now;
    if (!isSame) await page.evaluate('new Promise((go) => setTimeout(go, 150))');
    return isSame ? true : undefined;
  });
}
