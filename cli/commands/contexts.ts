/** login, context ls, context use, version: which Inlet the commands talk to. */
import manifest from '../../package.json' with { type: 'json' };
import { InletError } from '../../client/client.ts';
import { connectTo, type Inlet } from '../connection/connect.ts';
import {
  contextsFile,
  defaultUrl,
  parseUrl,
  readContexts,
  writeContexts,
} from '../connection/contexts.ts';
import { define, table, type Result } from '../terminal/define.ts';
import { misuse } from '../terminal/failure.ts';
import { readSecret } from '../terminal/input.ts';
import { note, print } from '../terminal/output.ts';

const loopback = /^https:|^http:\/\/(?:localhost|127\.[\d.]+|\[::1\])(?:[:/]|$)/;

async function login(address: string | undefined, name: string): Promise<void> {
  const url = parseUrl(address ?? (process.env.INLET_URL || defaultUrl));
  if (!loopback.test(url)) note(`Warning: ${url} is not https, so the token is sent readable.`);
  const token = await readSecret(`Token for ${url}`);
  if (token === '') throw misuse('The token is empty.');
  const current = await connectTo({ url, token, source: 'login' }).call('getCurrentToken', {});
  const { contexts } = readContexts();
  writeContexts({ current: name, contexts: { ...contexts, [name]: { url, token } } });
  print(`Signed in to ${url} as ${current.name} (${current.scopes.join(', ')}).`);
  note(`The token is in ${contextsFile()}.`);
}

function listContexts(): Result {
  const { current, contexts } = readContexts();
  const rows = Object.entries(contexts).map(([name, { url }]) => ({
    name,
    url,
    current: name === current,
  }));
  return table(rows, ['name', ['ADDRESS', ({ url }) => url], 'current']);
}

function useContext(name: string): void {
  const all = readContexts();
  if (!(name in all.contexts)) {
    const names = Object.keys(all.contexts).join(', ') || 'none';
    throw misuse(`There is no context ${name}. There are: ${names}.`);
  }
  writeContexts({ ...all, current: name });
  print(`Commands now use ${all.contexts[name]?.url}.`);
}

/** The release of the servers; a restricted token may not read it. */
async function releaseOf(inlet: Inlet): Promise<string> {
  try {
    const { processes } = await inlet.call('getStatsHealth', {});
    const servers = processes.filter(({ role }) => role === 'server');
    return [...new Set(servers.map(({ release }) => release))].join(', ');
  } catch (error) {
    if (error instanceof InletError && error.status === 403) return 'unknown';
    throw error;
  }
}

async function showVersion(inlet: Inlet): Promise<Result> {
  const { url, source } = inlet.target;
  const [command, server] = [manifest.version, await releaseOf(inlet)];
  return {
    value: { command, server, url, source },
    print: () => print(`Command ${command}\nServer  ${server} at ${url} (${source})`),
  };
}

export const contextCommands = [
  define({
    usage: 'login [url]',
    summary: 'Save the address and token of an installation',
    more: `Asks for the token, or reads it from standard input. Default address: INLET_URL, or ${defaultUrl}.`,
    example: 'inlet login https://inlet.example.com < token.txt',
    options: [['--name <name>', 'The name of the context.', 'default']],
    run: ({ args: [url], options }) => login(url, options.name),
  }),
  define({
    usage: 'context ls',
    summary: 'List the saved installations',
    example: 'inlet context ls',
    run: listContexts,
  }),
  define({
    usage: 'context use <name>',
    summary: 'Use a saved installation from now on',
    example: 'inlet context use production',
    run: ({ args: [name] }) => useContext(name),
  }),
  define({
    usage: 'version',
    summary: 'Print the versions of the command and the server, and the address in use',
    example: 'inlet version --json',
    run: ({ inlet }) => showVersion(inlet),
  }),
];
