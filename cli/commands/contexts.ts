/** login, context ls, context use, version: which Inlet the commands talk to. */
import type { Command } from 'commander';
import { connectTo } from '../connection/connect.ts';
import {
  contextsFile,
  defaultUrl,
  parseUrl,
  readContexts,
  resolveTarget,
  writeContexts,
} from '../connection/contexts.ts';
import { define, globalsOf } from '../terminal/define.ts';
import { CommandFailure } from '../terminal/failure.ts';
import { readSecret } from '../terminal/input.ts';
import { note, print, printJson, printTable } from '../terminal/output.ts';

const loopback = /^https:|^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/;

async function login(address: string | undefined, { name }: { readonly name: string }) {
  const url = parseUrl(address ?? (process.env.INLET_URL || defaultUrl));
  if (!loopback.test(url)) note(`Warning: ${url} is not https, so the token is sent readable.`);
  const token = await readSecret(`Token for ${url}`);
  if (token === '') throw new CommandFailure('The token is empty.', 'usage');
  const current = await connectTo({ url, token, source: 'login' }).call('getCurrentToken', {});
  const { contexts } = readContexts();
  writeContexts({ current: name, contexts: { ...contexts, [name]: { url, token } } });
  print(`Signed in to ${url} as ${current.name} (${current.scopes.join(', ')}).`);
  note(`The token is in ${contextsFile()}.`);
}

function listContexts(command: Command): void {
  const { current, contexts } = readContexts();
  const rows = Object.entries(contexts).map(([name, { url }]) => ({
    name,
    url,
    current: name === current,
  }));
  if (globalsOf(command).json) return printJson(rows);
  printTable(rows, [
    ['NAME', (one) => one.name],
    ['ADDRESS', (one) => one.url],
    ['CURRENT', (one) => (one.current ? 'yes' : '')],
  ]);
}

function useContext(name: string): void {
  const all = readContexts();
  if (!(name in all.contexts)) {
    const names = Object.keys(all.contexts).join(', ') || 'none';
    throw new CommandFailure(`There is no context ${name}. There are: ${names}.`, 'usage');
  }
  writeContexts({ ...all, current: name });
  print(`Commands now use ${all.contexts[name]?.url}.`);
}

async function printVersion(command: Command, version: string): Promise<void> {
  const { json, context } = globalsOf(command);
  const target = resolveTarget(context);
  const document = await fetch(`${target.url}/v1/openapi.json`, {
    signal: AbortSignal.timeout(10_000),
  });
  const { info } = (await document.json()) as { info: { version: string } };
  const { url, source } = target;
  if (json) return printJson({ command: version, server: info.version, url, source });
  print(`Command ${version}\nServer  ${info.version} at ${url} (${source})`);
}

export function addContextCommands(program: Command, version: string): void {
  define(program, 'login [url]', {
    summary: 'Save the address and token of an installation',
    more: `Asks for the token, or reads it from standard input. Default address: INLET_URL, or ${defaultUrl}.`,
    example: 'inlet login https://inlet.example.com < token.txt',
  })
    .option('--name <name>', 'The name of the context.', 'default')
    .action(login);
  const context = program
    .command('context')
    .description('Choose the installation that commands use');
  define(context, 'ls', {
    summary: 'List the saved installations',
    example: 'inlet context ls',
  }).action((_options, command: Command) => listContexts(command));
  define(context, 'use <name>', {
    summary: 'Use a saved installation from now on',
    example: 'inlet context use production',
  }).action(useContext);
  define(program, 'version', {
    summary: 'Print the versions of the command and the server, and the address in use',
    example: 'inlet version --json',
  }).action((_options, command: Command) => printVersion(command, version));
}
