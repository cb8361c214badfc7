// The smtp channel against a real mail server: the outcome of each reply, of failures of the connection, and the mail itself.
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createDeliverers } from '../../../src/channels/registry.ts';
import type { DeliveryOutcome } from '../../../src/domain/messages/delivery.ts';
import { outgoingMessage } from '../../support/fixtures/outgoing-message.ts';
import { createAuthority } from '../../support/services/certificates.ts';
import { loopbackRange } from '../../support/services/destination.ts';
import { account, startMailServer, type MailServer } from '../../support/services/mail-server.ts';

let mail: MailServer;
beforeEach(async () => {
  mail = await startMailServer();
});
afterEach(() => mail.close());

const message = {
  ...outgoingMessage,
  contact: { ...outgoingMessage.contact, name: 'Ana' },
  content: { type: 'text', text: 'olá\n.\nsecond line' },
} as const;

const settings = () => ({
  host: '127.0.0.1',
  port: mail.port,
  security: 'none',
  from: 'desk@example.org',
});

type Given = {
  readonly settings?: object;
  readonly message?: object;
  readonly allowed?: readonly string[];
  readonly withinMs?: number;
};

async function deliver(given: Given = {}): Promise<DeliveryOutcome> {
  const { allowed = loopbackRange, withinMs: timeoutMs = 60_000 } = given;
  const { smtp } = createDeliverers({ allowedDestinations: allowed, now: () => new Date() });
  const outcome = await smtp?.(
    { ...message, ...given.message },
    { ...settings(), ...given.settings },
    { timeoutMs },
  );
  if (!outcome) throw new Error('There is no such kind.');
  return outcome;
}

const later = (reason: string | number, isUnknown = false) =>
  expect.objectContaining({
    kind: 'retry',
    reason: `destination_unavailable:${reason}`,
    isUnknown,
  });
const final = (reason: string | number) =>
  expect.objectContaining({ kind: 'dead', reason: `destination_rejected:${reason}` });

/** Accepts connections and never says a word; with `says`, that one. */
async function startSocket(says?: string): Promise<{ server: Server; port: number }> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    if (says !== undefined) socket.write(says);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

test('a message is one mail to the email of its contact, with the same Message-ID in every attempt', async () => {
  expect(await deliver()).toMatchObject({ kind: 'delivered' });
  expect(await deliver()).toMatchObject({ kind: 'delivered' });
  const [first, second] = mail.mails;
  expect(first).toMatchObject({ from: 'desk@example.org', to: ['ana@example.com'] });
  expect(first?.source).toContain(`Message-ID: <inlet.${message.id}@example.org>`);
  expect(first?.source).toContain('From: desk@example.org');
  expect(first?.source).toContain('To: Ana <ana@example.com>');
  expect(first?.source).toMatch(/^Subject: =\?UTF-8\?/m);
  expect(first?.source).toContain('ol=C3=A1');
  expect(first?.source).toMatch(/\r\n\.\r\nsecond line/);
  expect(second?.source.replaceAll(/boundary.*|--.*/g, '')).toBe(
    first?.source.replaceAll(/boundary.*|--.*/g, ''),
  );
});

test('the account logs in, and a wrong password is retried', async () => {
  expect(await deliver({ settings: account })).toMatchObject({ kind: 'delivered' });
  const wrong = { ...account, password: 'wrong' };
  expect(await deliver({ settings: wrong })).toEqual(later(535));
});

test.each([
  ['connect', 421],
  ['connect', 554],
  ['sender', 451],
  ['recipient', 450],
  ['recipient', 452],
  ['data', 451],
] as const)('a reply at %s of %i is retried', async (at, status) => {
  mail.rejectWith({ at, status });
  expect(await deliver()).toEqual(later(status));
  expect(mail.mails).toEqual([]);
});

test.each([
  ['sender', 550],
  ['recipient', 550],
  ['recipient', 553],
  ['data', 552],
  ['data', 554],
] as const)('a reply at %s of %i is final', async (at, status) => {
  mail.rejectWith({ at, status });
  expect(await deliver()).toEqual(final(status));
});

test('a contact without an email is final, and nothing is sent', async () => {
  for (const email of [null, 'nobody', 'a@b.c, d@e.f', 'a@b.c\r\nBcc: d@e.f']) {
    const contact = { ...message.contact, email };
    expect(await deliver({ message: { contact } })).toEqual(final('no_email'));
  }
  expect(mail.mails).toEqual([]);
});

test('a name or a text that looks like a header, a file or a URL is only text', async () => {
  const contact = { ...message.contact, name: 'Ana\r\nBcc: d@e.f' };
  const content = { type: 'text', text: 'file:///etc/passwd\r\nBcc: d@e.f' };
  expect(await deliver({ message: { contact, content } })).toMatchObject({ kind: 'delivered' });
  const [headers = '', body] = mail.mails[0]?.source.split('\r\n\r\n') ?? [];
  expect(headers).not.toMatch(/^Bcc/im);
  expect(headers).toContain('Subject: file:///etc/passwd\r\n');
  expect(body).toContain('file:///etc/passwd\r\nBcc: d@e.f');
});

test('a connection that ends after the mail and before the reply leaves the outcome unknown', async () => {
  mail.beforeReply(() => mail.drop());
  expect(await deliver()).toMatchObject({ kind: 'retry', isUnknown: true });
  expect(mail.mails).toHaveLength(1);
});

test('a server that never replies after the mail leaves the outcome unknown', async () => {
  mail.beforeReply(() => {});
  let outcome: DeliveryOutcome | undefined;
  // On a busy machine a short attempt may end before the mail has arrived.
  for (const withinMs of [700, 7_000, 60_000]) {
    if (mail.mails.length === 0) outcome = await deliver({ withinMs });
  }
  expect(outcome).toEqual(later('timeout', true));
  expect(mail.mails).not.toEqual([]);
});

test('a server that never greets was sent nothing', async () => {
  const { server, port } = await startSocket();
  expect(await deliver({ settings: { port }, withinMs: 300 })).toEqual(later('timeout'));
  server.close();
});

test('a reply without an end is read up to 64 KiB', async () => {
  const { server, port } = await startSocket(`220 ${'x'.repeat(200_000)}`);
  expect(await deliver({ settings: { port } })).toEqual(later('EPROTOCOL'));
  server.close();
});

test('without a connection nothing was sent', async () => {
  await mail.close();
  expect(await deliver()).toEqual(later('ECONNREFUSED'));
  const gone = await deliver({ settings: { host: 'no-such-host.invalid', security: 'tls' } });
  expect(gone).toMatchObject({ kind: 'retry', isUnknown: false });
});

test.each(['tls', 'starttls'] as const)(
  'a server whose certificate nobody signed is sent nothing over %s',
  async (security) => {
    const folder = await mkdtemp(join(tmpdir(), 'inlet-mail-'));
    const paths = await (await createAuthority(folder)).issue('mail', '/CN=localhost');
    const certificate = { cert: await readFile(paths.cert), key: await readFile(paths.key) };
    const other = await startMailServer(security, certificate);
    const given = { ...account, port: other.port, security };
    expect(await deliver({ settings: given })).toMatchObject({ kind: 'retry', isUnknown: false });
    expect(other.mails).toEqual([]);
    await other.close();
    await rm(folder, { recursive: true });
  },
);

/** In a process of its own, because Node reads `NODE_EXTRA_CA_CERTS` when it starts. */
async function deliverTrusting(ca: string, given: object): Promise<DeliveryOutcome> {
  const repository = join(import.meta.dirname, '../../..');
  const urlOf = (path: string) => pathToFileURL(join(repository, path)).href;
  const code = `
    const { createDeliverers } = await import('${urlOf('src/channels/registry.ts')}');
    const { message, settings, allowedDestinations } = JSON.parse(process.argv[1]);
    const { smtp } = createDeliverers({ allowedDestinations, now: () => new Date() });
    console.log(JSON.stringify(await smtp(message, settings, { timeoutMs: 60_000 })));
  `;
  const input = {
    message,
    settings: { ...settings(), ...given },
    allowedDestinations: loopbackRange,
  };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      '--import',
      urlOf('test/support/jest/typescript.mjs'),
      '--input-type=module',
      '-e',
      code,
      JSON.stringify(input),
    ],
    { env: { ...process.env, NODE_OPTIONS: '', NODE_EXTRA_CA_CERTS: ca } },
  );
  return JSON.parse(stdout) as DeliveryOutcome;
}

test.each(['tls', 'starttls'] as const)(
  'a server whose certificate an added authority signed gets the mail over %s',
  async (security) => {
    const folder = await mkdtemp(join(tmpdir(), 'inlet-mail-'));
    const { ca, issue } = await createAuthority(folder);
    const paths = await issue('mail', '/CN=localhost');
    const certificate = { cert: await readFile(paths.cert), key: await readFile(paths.key) };
    const other = await startMailServer(security, certificate);
    const given = { ...account, host: 'localhost', port: other.port, security };
    expect(await deliverTrusting(ca, given)).toMatchObject({ kind: 'delivered' });
    expect(other.mails).toMatchObject([{ to: ['ana@example.com'], isEncrypted: true }]);
    await other.close();
    await rm(folder, { recursive: true });
  },
);

test('a server without STARTTLS is sent nothing, not even the login', async () => {
  const outcome = await deliver({ settings: { ...account, security: 'starttls' } });
  expect(outcome).toMatchObject({ kind: 'retry', isUnknown: false });
  expect(mail.mails).toEqual([]);
});

test.each(['127.0.0.1', '::ffff:127.0.0.1', 'localhost'])(
  'the address %s is not connected to unless it is allowed',
  async (host) => {
    for (const security of ['none', 'tls', 'starttls']) {
      for (const allowed of [[], ['10.0.0.0/8']]) {
        expect(await deliver({ settings: { host, security }, allowed })).toMatchObject({
          kind: 'dead',
          reason: 'destination_refused',
        });
      }
    }
    expect(mail.mails).toEqual([]);
  },
);

test('without TLS only the allowed ranges are reached', async () => {
  const outcome = await deliver({ settings: { host: '8.8.8.8', security: 'none' } });
  expect(outcome).toMatchObject({ kind: 'dead', reason: 'destination_refused' });
});
