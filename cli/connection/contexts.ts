/**
 * The contexts of a person: for each installation its address and token, in one file that only its owner can read.
 *
 * Must never: send the token of one context to the address of another.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandFailure, misuse } from '../terminal/failure.ts';

type Context = { readonly url: string; readonly token: string };
type Contexts = {
  readonly current: string | null;
  readonly contexts: Readonly<Record<string, Context>>;
};
export type Target = Context & { readonly source: string };

export const defaultUrl = 'http://127.0.0.1:8080';
const none: Contexts = { current: null, contexts: {} };

export const contextsFile = (): string =>
  join(process.env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'inlet', 'config.json');

export function readContexts(): Contexts {
  let text: string;
  try {
    text = readFileSync(contextsFile(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return none;
    throw error;
  }
  try {
    return { ...none, ...(JSON.parse(text) as Partial<Contexts>) };
  } catch {
    throw misuse(`${contextsFile()} is not JSON. Correct or delete it.`);
  }
}

/** Replaces the file in one step, so that a crash leaves the former one. */
export function writeContexts(contexts: Contexts): void {
  const file = contextsFile();
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, `${JSON.stringify(contexts, null, 2)}\n`, { mode: 0o600 });
  chmodSync(draft, 0o600);
  renameSync(draft, file);
}

/** The address without a trailing slash or /v1. Throws when it is none. */
export function parseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw misuse(`${text} is not an http or https address.`);
  }
  if (url.username || url.password) {
    throw misuse('The address must not contain credentials.');
  }
  return `${url.origin}${url.pathname}`.replace(/\/(?:v1\/?)?$/, '');
}

/** The installation of a context, whatever the environment names. */
export function resolveContext(name: string): Target {
  const context = readContexts().contexts[name];
  if (!context) throw misuse(`There is no context ${name}.`);
  return { ...context, source: `context ${name}` };
}

/** Whether it is a server on the same machine, or in the same container. */
function isOwnMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '127.0.0.1' || hostname === '[::1]';
}

/**
 * INLET_TOKEN and INLET_URL win over the context that `--context`, INLET_CONTEXT or `context use` names. Without a token of these,
 * a server's own INLET_ADMIN_TOKEN is used, and sent to no other machine.
 */
export function resolveTarget(wanted: string | undefined): Target {
  const { INLET_URL, INLET_TOKEN, INLET_CONTEXT, INLET_ADMIN_TOKEN } = process.env;
  const { current, contexts } = readContexts();
  const name = wanted ?? (INLET_CONTEXT || current);
  const context = name ? contexts[name] : undefined;
  const isNamed = wanted !== undefined || Boolean(INLET_CONTEXT);
  if (isNamed && !context) throw misuse(`There is no context ${name}.`);
  const url = INLET_URL ? parseUrl(INLET_URL) : (context?.url ?? defaultUrl);
  if (INLET_TOKEN) return { url, token: INLET_TOKEN, source: 'environment' };
  if (context && context.url === url) return { ...context, source: `context ${name}` };
  if (!isNamed && INLET_ADMIN_TOKEN && isOwnMachine(url)) {
    return { url, token: INLET_ADMIN_TOKEN, source: 'INLET_ADMIN_TOKEN' };
  }
  const reason = context ? `The token of ${name} is not for ${url}. ` : '';
  throw new CommandFailure(`${reason}Sign in with \`inlet login\`, or set INLET_TOKEN.`, 'access');
}
