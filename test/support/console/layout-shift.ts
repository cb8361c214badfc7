// Measures the cumulative layout shift of a screen (https://web.dev/articles/cls); up to 0.1 is good.
import type { Page } from 'playwright-core';

const most = 0.1;

/** Call it before the first navigation. */
export async function watchLayoutShift(page: Page): Promise<void> {
  await page.addInitScript(`
    globalThis.shifts = 0;
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) shifts += value;
    }).observe({ type: 'layout-shift', buffered: true });
  `);
}

/** The maximum wait of a page before it shows partial data. */
const maxWaitMs = 3_000;

/** On a slow machine responses can come after that wait; then the measurement is meaningless. */
const lastAnswerMs = (page: Page): Promise<number> =>
  page.evaluate<number>(`Math.max(0, ...performance.getEntriesByType('resource')
    .filter(({ name }) => name.includes('/v1/'))
    .map(({ responseEnd }) => responseEnd))`);

/** The shifts of the current screen; a second measurement decides. */
export async function layoutShiftProblems(
  page: Page,
  openAgain: () => Promise<void>,
): Promise<string[]> {
  const shifted = () => page.evaluate<number>('shifts');
  if ((await shifted()) <= most) return [];
  await openAgain();
  const again = await shifted();
  const isTold = (await lastAnswerMs(page)) < maxWaitMs;
  return again > most && isTold ? [`moves by itself while it comes: ${again.toFixed(2)}`] : [];
}
