// A certificate authority of a test, and certificates of servers on loopback and of clients, by openssl.
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requiredEnv } from './services.ts';

const run = promisify(execFile);

export type Certificate = { readonly cert: string; readonly key: string; readonly both: string };

export async function createAuthority(folder: string) {
  const openssl = (...args: string[]) =>
    run(requiredEnv('INLET_TEST_OPENSSL'), args, { cwd: folder });
  const ca = join(folder, 'ca.pem');
  await openssl(
    'req',
    '-x509',
    '-newkey',
    'rsa:2048',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=Test CA',
    '-keyout',
    'ca.key',
    '-out',
    'ca.pem',
  );

  /** `subject` as openssl takes it: `/O=Inlet/CN=server`. */
  async function issue(name: string, subject: string): Promise<Certificate> {
    await openssl(
      'req',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-subj',
      subject,
      '-keyout',
      `${name}.key`,
      '-out',
      `${name}.csr`,
    );
    const names = join(folder, 'names.txt');
    await writeFile(
      names,
      'subjectAltName=DNS:localhost,IP:127.0.0.1\nextendedKeyUsage=serverAuth,clientAuth\n',
    );
    await openssl(
      'x509',
      '-req',
      '-in',
      `${name}.csr`,
      '-CA',
      'ca.pem',
      '-CAkey',
      'ca.key',
      '-CAcreateserial',
      '-days',
      '2',
      '-extfile',
      names,
      '-out',
      `${name}.pem`,
    );
    const [cert, key, both] = ['.pem', '.key', '-both.pem'].map((end) => join(folder, name + end));
    if (!cert || !key || !both) throw new Error('no path');
    await writeFile(both, `${await readFile(cert, 'utf8')}${await readFile(key, 'utf8')}`);
    return { cert, key, both };
  }

  return { ca, issue };
}
