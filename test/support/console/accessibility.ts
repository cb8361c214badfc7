// Runs axe-core on a page, finds small text and controls, and waits until a page is stable.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import type { Theme } from './console.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const rules: RunOptions = {
  resultTypes: ['violations'],
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules that a theme can affect. */
const colours: RunOptions = { resultTypes: ['violations'], runOnly: ['color-contrast'] };

/** In the page. */
declare const axe: {
  readonly run: (part: unknown, options: RunOptions) => Promise<AxeResults>;
};

/** One line for each serious or critical violation in the page or a part of it: rule and selectors. */
export async function violationsOf(
  page: Page,
  { part = page.getByRole('document').first(), isThorough = true } = {},
): Promise<string[]> {
  // Half a megabyte, which the page reads once and not at every check.
  if (!(await page.evaluate<boolean>("typeof axe === 'object'"))) await page.evaluate(source);
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

/** In the page. Links within text have the size of the text. */
const findSmall = `() => {
  const isClipped = (element) => {
    if (element === null) return false;
    const { clip, clipPath } = getComputedStyle(element);
    return clip !== 'auto' || clipPath !== 'none' || isClipped(element.parentElement);
  };
  const shown = (element) => element.checkVisibility({ visibilityProperty: true }) && !isClipped(element);
  const nameOf = (element) => (element.getAttribute('aria-label') ?? element.textContent).trim().slice(0, 40) || element.outerHTML.slice(0, 80);
  const problems = [];
  for (const element of document.body.querySelectorAll('*')) {
    const hasText = [...element.childNodes].some((one) => one.nodeType === 3 && one.data.trim() !== '');
    const size = parseFloat(getComputedStyle(element).fontSize);
    if (hasText && size < 11 && shown(element)) problems.push('text of ' + size + ' px: ' + nameOf(element));
  }
  const controls = 'button, [role=button], [role=tab], [role=radio], nav a, summary, input:not([type=hidden], [type=checkbox], [type=radio], [type=file])';
  for (const control of document.body.querySelectorAll(controls)) {
    const { width, height } = control.getBoundingClientRect();
    if (width > 1 && height > 1 && Math.min(width, height) < 31.5 && shown(control)) {
      problems.push('control of ' + Math.round(width) + ' × ' + Math.round(height) + ' px: ' + nameOf(control));
    }
  }
  return [...new Set(problems)].slice(0, 12);
}`;

/** One line for each visible text below 11 px and each control below 32 px. */
export const findSmallParts = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(${findSmall})()`);

export const applyTheme = (page: Page, theme: Theme): Promise<void> =>
  page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });

/** In the page: resolves once the document has not changed for 150 ms and nothing in it is loading. */
const resting = `new Promise((resolve, reject) => {
  const observer = new MutationObserver(wait);
  const limit = setTimeout(() => end(() => reject(new Error('The page does not come to rest.'))), 60_000);
  let timer;
  function wait() {
    clearTimeout(timer);
    timer = setTimeout(look, 150);
  }
  function look() {
    if (document.querySelector('[aria-busy="true"]')) wait();
    else end(resolve);
  }
  function end(settle) {
    observer.disconnect();
    clearTimeout(timer);
    clearTimeout(limit);
    settle();
  }
  observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  wait();
})`;

/** Nothing is loading, and nothing moves. Live streams stay connected, so the network tells nothing. */
export async function waitUntilStable(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.evaluate(resting);
}
