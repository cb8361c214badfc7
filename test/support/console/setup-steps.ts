// The seven steps of the specification's chapter 4.2, as a person goes through them in the console.
import type { Visit } from './console.ts';

type Story = {
  readonly name: string;
  /** What the first contact is called. */
  readonly person: string;
  /** Takes the URL from the page, and has the producer send its first event there. */
  readonly send: () => Promise<void>;
  /** At each step, once it is there. */
  readonly look?: (step: string) => Promise<void>;
};

/** From signing in to the first step, by way of the list. */
export async function signInAndBegin({ signIn, follow, sees, say }: Visit, token: string) {
  await signIn(token);
  await follow(say('shell.webhooks'));
  await sees('heading', say('shell.webhooks'));
  await follow(say('webhooks.new'));
}

/** From the first step on, until the integration is active. */
export async function setUp(visit: Visit, { name, person, send, look }: Story): Promise<void> {
  const { page, say, find, sees, pressButton, type } = visit;
  await find('textbox', say('setup.name')).waitFor();
  await look?.('create');
  await type(say('setup.name'), name);
  await pressButton(say('setup.create'));

  await sees('heading', say('setup.step.url'));
  const listening = page.getByRole('status').filter({ hasText: say('setup.listening') });
  await listening.waitFor();
  await look?.('url');

  // The producer sends, and the page goes on by itself.
  await send();
  await sees('region', say('mapping.targets'));
  const card = await sees('region', say('mapping.preview.contact'));
  await card.filter({ hasText: person }).waitFor();
  await look?.('mapping');
  await pressButton(say('setup.saveMapping'));

  await sees('heading', say('setup.step.review'));
  await find('button', say('setup.activate')).waitFor();
  await look?.('review');
  await pressButton(say('setup.activate'));
  const active = page.getByRole('status').filter({ hasText: say('setup.isActive') });
  await active.waitFor();
  await look?.('active');
}

/** By the button beside it. Not to be found anywhere but on the screen from then on. */
export async function takeUrl({ page, say, pressButton, keepSecret }: Visit): Promise<string> {
  await pressButton(say('setup.urlCopy'));
  const url = String(await page.evaluate('navigator.clipboard.readText()'));
  keepSecret(url.split('/').at(-1) ?? '');
  return url;
}
