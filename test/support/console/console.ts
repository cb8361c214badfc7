// A complete Inlet with a browser, which is always closed.
//
// Each visit starts in a new page with empty storage and no cookie but that of its session. It fails when the page logs
// an error or warning, throws, gets an unexpected error response, requests another host, or puts a secret into a URL, a
// storage or a cookie that scripts can read.
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { waitForValue } from '../processes/client.ts';
import { adminToken } from '../processes/roles.ts';
import { createPageDriver, type PageDriver } from './page-driver.ts';
import { startScenario } from '../processes/scenario.ts';
import { textsIn, type Language } from './messages.ts';

export type Theme = 'light' | 'dark';

export type VisitOptions = {
  readonly language?: Language;
  readonly width?: number;
  readonly height?: number;
  /** Is signed in with it from the start, as after a reload; null starts on the sign-in screen. */
  readonly token?: string | null;
  readonly path?: string;
  /** Expected error responses: patterns of `GET /v1/…`. */
  readonly refusals?: readonly RegExp[];
  /** Expected console messages. */
  readonly messages?: readonly RegExp[];
};

const defaultSize = { width: 1280, height: 800 };

export type Visit = PageDriver & {
  readonly page: Page;
  /** From now on the secret may only appear on the screen. */
  readonly keepSecret: (secret: string) => void;
  readonly signIn: (token: string) => Promise<void>;
  /** Loads a URL, as if typed. */
  readonly open: (path: string) => Promise<void>;
  /** Navigates to another screen within the page, as a link does. */
  readonly navigate: (path: string) => Promise<void>;
  /** The same. Resolves once the title has changed. */
  readonly go: (path: string) => Promise<void>;
};

export type Console = Awaited<ReturnType<typeof openConsole>>;

function chromiumPath(): string {
  const path = process.env.INLET_TEST_CHROMIUM;
  if (path) return path;
  throw new Error('INLET_TEST_CHROMIUM is not set: run the tests with npm test');
}

export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: chromiumPath(),
    args: [
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--font-render-hinting=none',
      // Pages live for seconds, in which the optimizing compiler costs more than it saves.
      '--js-flags=--no-opt',
    ],
  });

export async function openConsole(name: string, opening: Parameters<typeof startScenario>[1] = {}) {
  const [launched, opened] = await Promise.allSettled([
    launchBrowser(),
    startScenario(name, opening),
  ]);
  if (launched.status === 'rejected' || opened.status === 'rejected') {
    if (launched.status === 'fulfilled') await launched.value.close();
    if (opened.status === 'fulfilled') await opened.value.close();
    throw launched.status === 'rejected'
      ? launched.reason
      : (opened as PromiseRejectedResult).reason;
  }
  const [browser, scenario] = [launched.value, opened.value];
  return {
    ...scenario,
    scenario,
    browser,
    visit: createVisits(browser, scenario.url),
    async close() {
      await Promise.all([browser.close(), scenario.close()]);
    },
  };
}

/** In the page: keeps the text of each toast, which is closed after some seconds, on a busy machine before it is looked for. */
const keepToasts = `
  globalThis.shownToasts = new Map();
  new MutationObserver(() => {
    for (const toast of document.querySelectorAll('[role=alertdialog]')) shownToasts.set(toast, toast.textContent);
  }).observe(document, { childList: true, characterData: true, subtree: true });
`;

/**
 * Contexts of a browser, one for each language and visit at a time. Visits take turns in them: what one page has loaded serves
 * the next one.
 */
function createContexts(browser: Browser, url: string) {
  const free = new Map<Language, BrowserContext[]>();

  async function open(language: Language): Promise<BrowserContext> {
    const context = await browser.newContext({
      baseURL: url,
      locale: language,
      colorScheme: 'light',
      timezoneId: 'America/Sao_Paulo',
      viewport: defaultSize,
      reducedMotion: 'reduce',
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    context.setDefaultTimeout(60_000);
    // Before the first navigation.
    await context.addInitScript(keepToasts);
    return context;
  }

  return {
    take: async (language: Language) => free.get(language)?.pop() ?? open(language),
    /** Its storage is emptied by the next visit. */
    async putBack(language: Language, context: BrowserContext): Promise<void> {
      for (const page of context.pages()) {
        // A handler that still fetches must not fail the file.
        await page.unrouteAll({ behavior: 'ignoreErrors' });
        await page.close();
      }
      await context.clearCookies();
      free.set(language, [...(free.get(language) ?? []), context]);
    },
  };
}

/** Rejects when the scenario or the page fails. */
function createVisits(browser: Browser, url: string) {
  const contexts = createContexts(browser, url);
  return async (options: VisitOptions, story: (visit: Visit) => Promise<void>): Promise<void> => {
    const { language = 'en', token = adminToken, path = '/' } = options;
    const { width = defaultSize.width, height = defaultSize.height } = options;
    const context = await contexts.take(language);
    try {
      const page = await context.newPage();
      await page.setViewportSize({ width, height });
      const checks = watchPage(page, url, options);
      const visit = createVisit(page, { language, keepSecret: checks.keepSecret });
      const session = token === null ? undefined : await startSession(url, token);
      if (token !== null) checks.keepSecret(token);
      if (session) await context.addCookies([session.cookie]);
      try {
        await openWith(page, path, session?.stored);
        if (token !== null) await visit.waitFor('navigation', visit.textOf('shell.places'));
        await story(visit);
      } catch (error) {
        throw await describePage(error, page, checks.problems);
      }
      await checks.check();
    } finally {
      await contexts.putBack(language, context);
    }
  };
}

/** Loads the first page, which finds nothing but the session in its storage. */
async function openWith(page: Page, path: string, session = ''): Promise<void> {
  const storing = `
    localStorage.clear();
    if (${JSON.stringify(session)}) localStorage.setItem('inlet.session', ${JSON.stringify(session)});
  `;
  const before = await page.addInitScript(storing);
  await page.goto(path);
  await before.dispose();
}

/** What a browser keeps that signed in with the token: the session's cookie, and what the console knows of the session. */
async function startSession(url: string, token: string) {
  const request = { method: 'POST', headers: { keyapi: token } };
  const answer = await fetch(`${url}/v1/console/session`, request);
  if (!answer.ok) throw new Error(`The token is refused: ${answer.status}`);
  const { data } = (await answer.json()) as { readonly data: unknown };
  const [, name = '', value = ''] =
    /^(\w+)=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '') ?? [];
  const { hostname: domain } = new URL(url);
  const place = { domain, path: '/v1', httpOnly: true, secure: false };
  return {
    cookie: { name, value, ...place, sameSite: 'Strict' as const },
    stored: JSON.stringify({ session: data, ending: 'none' }),
  };
}

function createVisit(
  page: Page,
  {
    language,
    keepSecret,
  }: { readonly language: Language; readonly keepSecret: Visit['keepSecret'] },
): Visit {
  const textOf = textsIn(language);
  const driver = createPageDriver(page, textOf);
  const navigate = async (path: string): Promise<void> => {
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    );
  };
  return {
    ...driver,
    page,
    keepSecret,
    async signIn(token) {
      keepSecret(token);
      await driver.paste(textOf('signIn.token'), token);
      await driver.pressButton(textOf('signIn.enter'));
      await driver.waitFor('navigation', textOf('shell.places'));
    },
    open: async (path) => void (await page.goto(path)),
    navigate,
    async go(path) {
      const title = await page.title();
      await navigate(path);
      await waitForValue('another screen is shown', async () =>
        (await page.title()) === title ? undefined : true,
      );
    },
  };
}

const secretShape = /inlet_(?:at|wk|cs)_[\w-]+/;

function watchPage(page: Page, url: string, { refusals = [], messages = [] }: VisitOptions) {
  const problems: string[] = [];
  const urls: string[] = [];
  const secrets: string[] = [];
  const host = new URL(url).host;

  page.on('pageerror', (error) => problems.push(`The page broke: ${error.stack ?? error.message}`));
  page.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const text = message.text();
    // Error responses are checked below, with their requests.
    if (text.startsWith('Failed to load resource')) return;
    if (!messages.some((one) => one.test(text))) problems.push(`The page said: ${text}`);
  });
  page.on('request', (request) => {
    const asked = new URL(request.url());
    if (/^https?:$/.test(asked.protocol)) urls.push(asked.href);
    if (!/^(?:data|blob):$/.test(asked.protocol) && asked.host !== host) {
      problems.push(`It asked another host: ${asked.href}`);
    }
  });
  page.on('framenavigated', (frame) => urls.push(frame.url()));
  page.on('response', (response) => {
    if (response.status() < 400) return;
    const what = `${response.request().method()} ${new URL(response.url()).pathname}`;
    if (!refusals.some((one) => one.test(what))) {
      problems.push(`It was refused: ${what} was answered ${response.status()}`);
    }
  });

  /** Checks URLs, storage and cookies at the end. */
  async function check(): Promise<void> {
    const stored = await page.evaluate<string>(
      'JSON.stringify([localStorage, sessionStorage, document.cookie])',
    );
    const left = [stored, ...urls];
    for (const { name, value, httpOnly, sameSite } of await page.context().cookies()) {
      const isSession = name === 'inlet_session' && httpOnly && sameSite === 'Strict';
      if (!isSession) problems.push(`It set a cookie that scripts can read or sites send: ${name}`);
      if (secrets.includes(value)) problems.push(`The cookie ${name} is a secret of the page`);
    }
    for (const text of left) {
      const isOpen = secretShape.test(text) || secrets.some((secret) => text.includes(secret));
      if (isOpen) problems.push(`It keeps a secret where scripts can read it: ${text}`);
    }
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  return { problems, check, keepSecret: (secret: string) => void secrets.push(secret) };
}

/** Adds the accessibility tree of the page to an error. */
async function describePage(
  error: unknown,
  page: Page,
  problems: readonly string[],
): Promise<Error> {
  const shown = await page
    .getByRole('document')
    .first()
    .ariaSnapshot({ timeout: 2_000 })
    .catch(() => '(nothing)');
  const text = [
    error instanceof Error ? error.message : String(error),
    ...problems,
    `At ${page.url()} it shows:`,
    shown.slice(0, 6_000),
  ].join('\n');
  return new Error(text, { cause: error });
}
