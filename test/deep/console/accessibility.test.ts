// Accessibility of every screen and its overlays with seeded data: no serious axe-core violations in either
// theme, no horizontal scrolling or covered controls on a phone, and no layout shifts.
import type { Locator } from 'playwright-core';
import { waitUntilStable, violationsOf, applyTheme } from '../../support/console/accessibility.ts';
import { openConsole, type Console, type Visit } from '../../support/console/console.ts';
import { seedConsole, waitForDrift } from '../../support/console/seed.ts';
import { closeOverlay, overlays, openOverlay } from '../../support/console/overlays.ts';
import { phone, phoneProblems } from '../../support/console/phone.ts';
import { screensOf, type Screen, type Seeded } from '../../support/console/screens.ts';
import { layoutShiftProblems, watchLayoutShift } from '../../support/console/layout-shift.ts';
import { readStyleSources } from '../../support/console/style-sources.ts';

let inlet: Console;
let seeded: Seeded;
/** Of each screen, freshly loaded. */
const styleSources = new Map<string, readonly string[]>();
beforeAll(async () => {
  inlet = await openConsole('console_accessible', { hasWorker: false });
  seeded = await seedConsole(inlet.scenario);
  await waitForDrift(inlet.scenario, seeded);
}, 300_000);
afterAll(() => inlet.close());

/** Everything in the light theme; in the dark theme only what a theme can change. */
async function violationsInBoth({ page }: Visit, part?: Locator): Promise<string[]> {
  const light = await violationsOf(page, { part });
  await applyTheme(page, 'dark');
  const dark = await violationsOf(page, { part, isThorough: false });
  await applyTheme(page, 'light');
  return [...light, ...dark.map((line) => `dark: ${line}`)];
}

async function problemsOf(visit: Visit, { name, path }: Screen): Promise<string[]> {
  const { page, open } = visit;
  const show = async () => {
    await open(path);
    await waitUntilStable(page);
  };
  await show();
  styleSources.set(name, await readStyleSources(page));
  const problems = [...(await layoutShiftProblems(page, show)), ...(await violationsInBoth(visit))];
  await page.setViewportSize(phone);
  problems.push(...(await phoneProblems(visit)));
  await page.setViewportSize({ width: 1280, height: 800 });
  for (const [at, opening] of (overlays[name] ?? []).entries()) {
    const part = await openOverlay(visit, opening);
    const found = await violationsInBoth(visit, part);
    problems.push(...found.map((line) => `${opening.part} ${at}: ${line}`));
    await closeOverlay(visit, opening);
  }
  return problems.map((line) => `${name}, ${line}`);
}

test('no screen or overlay has a serious axe-core violation in either theme, and each fits a phone', async () => {
  const screens = screensOf(seeded);
  const wrong: string[] = [];
  // Two tabs: one loads its screen while the other is checked.
  const looking = [0, 1].map((lane) =>
    inlet.visit({ language: 'pt-BR' }, async (visit) => {
      await watchLayoutShift(visit.page);
      const mine = screens.filter((_, at) => at % 2 === lane);
      for (const screen of mine) wrong.push(...(await problemsOf(visit, screen)));
    }),
  );
  await Promise.all(looking);
  expect(wrong).toEqual([]);
  expect(Object.keys(overlays)).toEqual(
    screens.map(({ name }) => name).filter((name) => name in overlays),
  );
}, 600_000);

test('the styles of a screen change no other: all screens have the same', () => {
  const [first, ...others] = styleSources.values();
  expect(styleSources.size).toBe(screensOf(seeded).length);
  expect(first?.filter((one) => one.startsWith('file '))).toHaveLength(1);
  for (const each of others) expect(each).toEqual(first);
});

test('the sign-in screen is accessible', async () => {
  await inlet.visit({ token: null }, async (visit) => {
    await visit.field(visit.textOf('signIn.token')).waitFor();
    expect(await violationsInBoth(visit)).toEqual([]);
    await visit.press(visit.page.getByRole('button', { name: visit.textOf('signIn.language') }));
    expect(await violationsInBoth(visit, await visit.waitFor('listbox', /^/))).toEqual([]);
  });
});
