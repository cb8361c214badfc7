// Takes screenshots of every screen in both themes and on a phone, with a seeded Inlet: those that pages show, in English, into
// docs/screenshots/, the others into dist/screenshots/.
// Fails on serious axe-core violations, horizontal scrolling on a phone, and images that are too large.
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../scripts/lib/paths.mjs';
import { shownPictures } from '../../scripts/lib/site/pictures.mjs';
import { waitUntilStable, violationsOf, applyTheme } from '../support/console/accessibility.ts';
import { openConsole, type Visit } from '../support/console/console.ts';
import { waitForDrift, seedConsole } from '../support/console/seed.ts';
import { phone, phoneProblems } from '../support/console/phone.ts';
import { screensOf, type Screen } from '../support/console/screens.ts';

const shown = shownPictures();
const otherFolder = 'dist/screenshots';
const desk = { width: 1280, height: 800 };
const mostBytes = 170_000;

const [only, language = 'en'] = process.argv.slice(2);
const wrong: string[] = [];
const print = (line: string) => void process.stdout.write(`${line}\n`);

function fileOf(name: string, look: string): string {
  const file = `${name}.${look}.png`;
  const picture = `docs/screenshots/${file}`;
  const isShown = language === 'en' && shown.has(picture);
  return join(repository, isShown ? picture : join(otherFolder, file));
}

async function take(visit: Visit, { name, path }: Screen): Promise<void> {
  const { page, open } = visit;
  const shoot = async (look: string): Promise<void> => {
    const file = fileOf(name, look);
    await page.screenshot({ path: file });
    const { size } = statSync(file);
    if (size > mostBytes) wrong.push(`${name}.${look}.png has ${size} bytes`);
  };
  await open(path);
  await waitUntilStable(page);
  for (const line of await violationsOf(page)) wrong.push(`${name}: ${line}`);
  await shoot('light');
  await applyTheme(page, 'dark');
  for (const line of await violationsOf(page, { isThorough: false }))
    wrong.push(`${name}, dark: ${line}`);
  await shoot('dark');
  await applyTheme(page, 'light');
  await page.setViewportSize(phone);
  await waitUntilStable(page);
  for (const problem of await phoneProblems(visit)) wrong.push(`${name}: ${problem}`);
  await shoot('phone');
  await page.setViewportSize(desk);
  print(`  ${name}`);
}

mkdirSync(join(repository, otherFolder), { recursive: true });
const inlet = await openConsole('screenshots', { hasWorker: false });
try {
  print('Seeding …');
  const seeded = await seedConsole(inlet.scenario);
  await waitForDrift(inlet.scenario, seeded);
  const screens = screensOf(seeded).filter(
    ({ name }) => only === undefined || only === 'all' || name === only,
  );
  const isAll = only === undefined || only === 'all';
  if (screens.length === 0) wrong.push(`There is no screen ${only}.`);
  const tongue = language === 'pt-BR' || language === 'es' ? language : 'en';
  await inlet.visit({ language: tongue, ...desk }, async (visit) => {
    if (isAll) await inlet.visit({ token: null }, (door) => takeDoor(door));
    for (const screen of screens) await take(visit, screen);
  });
} finally {
  await inlet.close();
}
for (const line of wrong) print(line);
process.exitCode = wrong.length > 0 ? 1 : 0;

async function takeDoor({ page, field, textOf }: Visit): Promise<void> {
  await field(textOf('signIn.token')).waitFor();
  await page.screenshot({ path: fileOf('sign-in', 'light') });
  await applyTheme(page, 'dark');
  await page.screenshot({ path: fileOf('sign-in', 'dark') });
  await applyTheme(page, 'light');
  await page.setViewportSize(phone);
  await page.screenshot({ path: fileOf('sign-in', 'phone') });
}
