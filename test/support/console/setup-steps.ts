// The seven setup steps (chapter 4.2 of the specification) in the console.
import { waitForValue } from '../processes/client.ts';
import type { Visit } from './console.ts';

type Story = {
  readonly name: string;
  /** That of phone numbers, where the setup makes the channel. Default: that of the browser. */
  readonly country?: string;
  /** The name of the first contact. */
  readonly person: string;
  /** Takes the URL from the page and posts the first event. */
  readonly send: () => Promise<void>;
  /** Called at each step. */
  readonly look?: (step: string) => Promise<void>;
};

/** The name of a country in the language of the page. */
export async function countryName({ page }: Visit, region: string): Promise<string> {
  const language = await page.evaluate<string>('document.documentElement.lang');
  return new Intl.DisplayNames(language, { type: 'region' }).of(region) ?? region;
}

/** From sign-in to the first step. */
export async function signInAndStartSetup(
  { signIn, follow, waitFor, textOf }: Visit,
  token: string,
) {
  await signIn(token);
  await follow(textOf('shell.webhooks'));
  await waitFor('heading', textOf('shell.webhooks'));
  await follow(textOf('webhooks.new'));
}

/** From the first step until the webhook is active. */
export async function setUp(
  visit: Visit,
  { name, country, person, send, look }: Story,
): Promise<void> {
  const { page, textOf, find, waitFor, pressButton, type } = visit;
  await find('textbox', textOf('setup.name')).waitFor();
  await look?.('create');
  await type(textOf('setup.name'), name);
  if (country) await visit.search(textOf('setup.country'), await countryName(visit, country));
  await pressButton(textOf('setup.create'));

  await waitFor('heading', textOf('setup.step.url'));
  const listening = page.getByRole('status').filter({ hasText: textOf('setup.listening') });
  await listening.waitFor();
  await look?.('url');

  // The producer sends, and the page continues automatically.
  await send();
  await waitFor('region', textOf('mapping.targets'));
  const preview = await waitFor('region', textOf('mapping.preview'));
  await preview.filter({ hasText: person }).waitFor();
  await look?.('mapping');
  await pressButton(textOf('setup.saveMapping'));

  await waitFor('heading', textOf('setup.step.review'));
  await find('button', textOf('setup.activate')).waitFor();
  await look?.('review');
  await pressButton(textOf('setup.activate'));
  const active = page.getByRole('status').filter({ hasText: textOf('setup.isActive') });
  await active.waitFor();
  await look?.('active');
}

/** Presses the button that copies. Resolves to the text of the clipboard once it is there. */
export async function copyBy({ page, pressButton }: Visit, button: string): Promise<string> {
  await page.evaluate(`navigator.clipboard.writeText('')`);
  await pressButton(button);
  return waitForValue('the text is copied', async () => {
    const text = await page.evaluate<string>('navigator.clipboard.readText()');
    return text === '' ? undefined : text;
  });
}

/** Copies the URL with its button. From then on it may only appear on the screen. */
export async function takeUrl(visit: Visit): Promise<string> {
  const { textOf, keepSecret } = visit;
  const url = await copyBy(visit, textOf('setup.urlCopy'));
  keepSecret(url.split('/').at(-1) ?? '');
  return url;
}
