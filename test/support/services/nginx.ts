// A real nginx with deploy/nginx/inlet.conf and a certificate of its own. Only addresses, files and, where a test asks for it,
// single lines differ.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repository } from '../../../scripts/lib/paths.mjs';
import { freePort } from '../../../scripts/lib/process/ports.mjs';
import { waitForValue } from '../processes/client.ts';
import { requiredEnv } from './services.ts';

export type Replacement = readonly [from: string, to: string];
export type Nginx = Awaited<ReturnType<typeof startNginx>>;

const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];

/** What a distribution's nginx.conf does; the log of the process has the default level or more. */
const mainOf = (folder: string) => `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes 1;
pid ${folder}/nginx.pid;
error_log ${folder}/main.log info;
events {
  worker_connections 512;
}
http {
${temporary.map((name) => `  ${name}_temp_path ${folder}/temp-${name};`).join('\n')}
  include ${folder}/inlet.conf;
}
`;

function replaceAll(text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`deploy/nginx/inlet.conf has no ${from}`);
    return changed.replaceAll(from, to);
  }, text);
}

async function makeCertificate(folder: string): Promise<void> {
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const args = ['req', '-x509', '-days', '2', ...key, ...names, ...files];
  await promisify(execFile)(requiredEnv('INLET_TEST_OPENSSL'), args);
}

const isOpen = (port: number): Promise<true | undefined> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    const end = (found?: true) => {
      socket.destroy();
      resolve(found);
    };
    socket.once('connect', () => end(true));
    socket.once('error', () => end());
  });

/** Resolves when its port is open. `ports` are those of the servers, in the order of the file. */
export async function startNginx(
  ports: readonly [number, number],
  replacements: readonly Replacement[] = [],
) {
  const folder = await mkdtemp(join(tmpdir(), 'inlet-test-nginx-'));
  const port = await freePort();
  const shipped = await readFile(join(repository, 'deploy/nginx/inlet.conf'), 'utf8');
  const own: Replacement[] = [
    ['listen 443 ', `listen 127.0.0.1:${port} `],
    ['server-1:8080', `127.0.0.1:${ports[0]}`],
    ['server-2:8080', `127.0.0.1:${ports[1]}`],
    ['/etc/nginx/tls/', `${folder}/`],
    ['/var/log/nginx/', `${folder}/`],
  ];
  await makeCertificate(folder);
  await writeFile(join(folder, 'inlet.conf'), replaceAll(shipped, [...replacements, ...own]));
  await writeFile(join(folder, 'nginx.conf'), mainOf(folder));
  const args = ['-e', `${folder}/start.log`, '-c', `${folder}/nginx.conf`];
  const child = spawn(requiredEnv('INLET_TEST_NGINX'), args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (output += String(chunk)));
  const ended = once(child, 'close');
  await waitForValue('nginx listens', async () => {
    if (child.exitCode !== null) throw new Error(`nginx ended:\n${output}`);
    return isOpen(port);
  });
  const accesses = async () =>
    (await readFile(join(folder, 'access.log'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
  return {
    port,
    url: `https://127.0.0.1:${port}`,
    certificate: await readFile(join(folder, 'tls.crt')),
    /** The lines of its access log. */
    accesses,
    /** Waits for the line with this index, which is written after the answer. */
    access: (index: number) =>
      waitForValue(`line ${index} of the access log`, async () => (await accesses())[index]),
    /** Everything that it wrote: its output and every file, bodies in temporary files included. */
    async written(): Promise<string> {
      const names = await readdir(folder, { recursive: true });
      const texts = [output];
      for (const name of names) {
        const path = join(folder, name);
        const isOurs = /^(?:inlet|nginx)\.conf$|^tls\./.test(name);
        if (!isOurs && (await stat(path)).isFile()) texts.push(await readFile(path, 'latin1'));
      }
      return texts.join('\n');
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
