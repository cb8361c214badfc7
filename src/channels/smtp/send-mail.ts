/**
 * Sends one mail to one recipient by SMTP.
 *
 * Promises: it ends within its timeout, checks the address of the server at the connection, verifies its certificate, and sends
 * nothing without TLS unless the server is set to `none`. The mail has the given Message-ID, so that each attempt is the same
 * mail. Reads at most 64 KiB of each reply.
 * Must never: read files or URLs, or put a part of the mail, a reply or a credential in a result.
 */
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import MailComposer from 'nodemailer/lib/mail-composer';
import SMTPConnection from 'nodemailer/lib/smtp-connection';
import {
  createDestinationPolicy,
  DestinationNotAllowed,
  guardedLookup,
  ipLiteralOf,
} from '../ssrf-guard.ts';

/** `tls`: from the first byte. `starttls`: required before anything else. `none`: allowed ranges only. */
export const mailSecurities = ['tls', 'starttls', 'none'] as const;

export type MailServer = {
  readonly host: string;
  readonly port: number;
  readonly security: (typeof mailSecurities)[number];
  readonly username?: string | undefined;
  readonly password?: string | undefined;
};

type MailAddress = { readonly name?: string | undefined; readonly address: string };

export type Mail = {
  /** With angle brackets; the same in every attempt. */
  readonly messageId: string;
  readonly from: MailAddress;
  readonly to: MailAddress;
  readonly replyTo?: string | undefined;
  readonly inReplyTo?: string | undefined;
  readonly references?: readonly string[] | undefined;
  readonly subject: string;
  readonly text: string;
  readonly html?: string | undefined;
  readonly date: Date;
  readonly headers?: Readonly<Record<string, string>>;
};

type MailTerms = {
  /** CIDR ranges that are allowed although they are not public. */
  readonly allowedDestinations: readonly string[];
  readonly timeoutMs: number;
};

export type MailResult =
  | { readonly kind: 'accepted' }
  /** The server's reply. `command` is that of SMTP, such as `RCPT TO`; `CONN` for the greeting. */
  | { readonly kind: 'rejected'; readonly status: number; readonly command: string }
  /** An address of the mail is none, or the mail is larger than the server allows. */
  | { readonly kind: 'invalid' }
  /** `isSent`: the whole mail was written, so the server may have it. */
  | { readonly kind: 'failed'; readonly error: Error; readonly isSent: boolean };

const maxReplyBytes = 65_536;
const protocols = { tls: 'smtps:', starttls: 'smtp+starttls:', none: 'smtp:' } as const;

/** Never rejects. */
export async function sendMail(
  mail: Mail,
  server: MailServer,
  terms: MailTerms,
): Promise<MailResult> {
  const bytes = await composeMail(mail);
  const progress = { isSent: false };
  const content = Readable.from([bytes]).once('end', () => (progress.isSent = true));
  return inSession(server, terms, {
    progress,
    run: async (connection) => {
      const envelope = { from: mail.from.address, to: [mail.to.address], size: bytes.length };
      await settle((done) => connection.send(envelope, content, done));
      return { kind: 'accepted' };
    },
  });
}

/** Connects and logs in, and sends nothing. Never rejects. */
export const checkMailServer = (server: MailServer, terms: MailTerms): Promise<MailResult> =>
  inSession(server, terms, {
    progress: { isSent: false },
    run: () => Promise.resolve({ kind: 'accepted' }),
  });

/** Returns whether a server may be connected to, as far as that is known before its name is looked up. */
export function isServerAllowed(
  { host, security }: Pick<MailServer, 'host' | 'security'>,
  allowedDestinations: readonly string[],
): boolean {
  const literal = ipLiteralOf({ hostname: host });
  const isReachable = createDestinationPolicy(allowedDestinations)({
    protocol: protocols[security],
  });
  return literal === null || isReachable(literal);
}

function composeMail({ headers = {}, references, ...mail }: Mail): Promise<Buffer> {
  const composer = new MailComposer({
    ...mail,
    from: { name: mail.from.name ?? '', address: mail.from.address },
    to: { name: mail.to.name ?? '', address: mail.to.address },
    headers,
    ...(references && { references: [...references] }),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

type Session = {
  readonly progress: { readonly isSent: boolean };
  readonly run: (connection: SMTPConnection) => Promise<MailResult>;
};

async function inSession(
  server: MailServer,
  { allowedDestinations, timeoutMs }: MailTerms,
  { progress, run }: Session,
): Promise<MailResult> {
  if (!isServerAllowed(server, allowedDestinations)) {
    const error = new DestinationNotAllowed('The address is not allowed.');
    return { kind: 'failed', error, isSent: false };
  }
  const socket = openSocket(server, allowedDestinations);
  const connection = createConnection(server, socket);
  let timer: NodeJS.Timeout | undefined;
  const broken = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new DOMException('', 'TimeoutError')), timeoutMs);
    socket.once('error', reject);
    connection.on('error', reject);
    connection.once('end', () => reject(new SessionEnded('The server ended the session.')));
  });
  try {
    return await Promise.race([
      broken,
      logIn(server, { socket, connection }).then(() => run(connection)),
    ]);
  } catch (error) {
    return failureOf(error as MailError, progress.isSent);
  } finally {
    clearTimeout(timer);
    connection.close();
    socket.destroy();
  }
}

function openSocket({ host, port, security }: MailServer, allowed: readonly string[]): Socket {
  const isReachable = createDestinationPolicy(allowed)({ protocol: protocols[security] });
  return connect({ host, port, lookup: guardedLookup(isReachable) }).on('error', () => {});
}

const createConnection = ({ host, port, security }: MailServer, socket: Socket): SMTPConnection =>
  new SMTPConnection({
    host,
    port,
    connection: socket,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    name: 'inlet',
    maxResponseSize: maxReplyBytes,
    socketCloseTimeout: 0,
    logger: false,
  });

/** Throws, or never ends where the session breaks. */
async function logIn(
  { username, password }: MailServer,
  { socket, connection }: { readonly socket: Socket; readonly connection: SMTPConnection },
): Promise<void> {
  await new Promise<void>((resolve) => void socket.once('connect', resolve));
  await settle((done) => connection.connect((error) => done(error ?? null)));
  if (username === undefined || password === undefined) return;
  await settle((done) => connection.login({ user: username, pass: password }, done));
}

class SessionEnded extends Error {
  readonly code = 'ECONNECTION';
}

type Done = (error: Error | null, result?: unknown) => void;

const settle = (begin: (done: Done) => void): Promise<void> =>
  new Promise((resolve, reject) => begin((error) => (error ? reject(error) : resolve())));

type MailError = NodeJS.ErrnoException & {
  readonly responseCode?: number;
  readonly command?: string;
  readonly originalCode?: string;
};

function failureOf(error: MailError, isSent: boolean): MailResult {
  const { responseCode, command = 'CONN', code } = error;
  // A refusal after the whole mail was written is a definite reply.
  if (responseCode !== undefined) return { kind: 'rejected', status: responseCode, command };
  const isInvalid = code === 'EENVELOPE' || code === 'EMESSAGE';
  return isInvalid ? { kind: 'invalid' } : { kind: 'failed', error, isSent };
}
