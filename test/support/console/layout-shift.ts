// How much of a screen moves by itself while it comes: the cumulative layout shift of https://web.dev/articles/cls, where up to 0.1 is good.
import type { Page } from 'playwright-core';

const most = 0.1;

/** Before the first screen is opened. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** What a page waits for at most, before it shows what is there. */
const longestMs = 3_000;

/** A slow machine's answers come too late for a page to wait for them; then a look tells nothing. */
const lastAnswerMs = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(0, ...performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/v1/'))
    .map(({ responseEnd }) => responseEnd))`);

/** What is wrong with the screen that was opened last; a second look decides. */
export async function layoutShiftProblems(
  page: Page,
  openAgain: () => Promise<void>,
): Promise<string[]> {
  const shifted = () => page.evaluate<number>('shifts');
  if ((await shifted()) <= most) return [];
  await openAgain();
  const again = await shifted();
  const isTold = (await lastAnswerMs(page)) < longestMs;
  return again > most && isTold ? [`moves by itself while it comes: ${again.toFixed(2)}`] : [];
}
