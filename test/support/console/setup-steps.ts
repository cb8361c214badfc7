// The seven setup steps (chapter 4.2 of the specification) in the console.
import type { Visit } from './console.ts';

type Story = {
  readonly name: string;
  /** The name of the first contact. */
  readonly person: string;
  /** Takes the URL from the page and posts the first event. */
  readonly send: () => Promise<void>;
  /** Called at each step. */
  readonly look?: (step: string) => Promise<void>;
};

/** From sign-in to the first step. */
export async function signInAndBegin({ signIn, follow, sees, say }: Visit, token: string) {
  await signIn(token);
  await follow(say('shell.webhooks'));
  await sees('heading', say('shell.webhooks'));
  await follow(say('webhooks.new'));
}

/** From the first step until the webhook is active. */
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

  // The producer sends, and the page continues automatically.
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

/** Copies the URL with its button. From then on it may only appear on the screen. */
export async function takeUrl({ page, say, pressButton, keepSecret }: Visit): Promise<string> {
  await pressButton(say('setup.urlCopy'));
  const url = String(await page.evaluate('navigator.clipboard.readText()'));
  keepSecret(url.split('/').at(-1) ?? '');
  return url;
}
