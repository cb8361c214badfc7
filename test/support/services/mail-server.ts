// A mail server on loopback that stores mails and gives the configured replies.
import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

type StoredMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly source: string;
  readonly isEncrypted: boolean;
};
type Stage = 'connect' | 'auth' | 'sender' | 'recipient' | 'data';
type Reply = { readonly at: Stage; readonly status: number };

export type MailServer = Awaited<ReturnType<typeof startMailServer>>;

export const account = { username: 'inlet', password: 'not-for-your-eyes' };

/** Without TLS, as loopback is an allowed range; `security` adds it with a certificate that nobody trusts, or the given one. */
export async function startMailServer(
  security: 'none' | 'tls' | 'starttls' = 'none',
  certificate: Pick<SMTPServerOptions, 'key' | 'cert'> = {},
) {
  const mails: StoredMail[] = [];
  let rejection: Reply | null = null;
  let sessions = 0;
  let onMail = (reply: () => void): void => reply();
  const refusal = (at: Stage): Error | null =>
    rejection?.at === at
      ? Object.assign(new Error('a reply that nobody keeps'), { responseCode: rejection.status })
      : null;
  const server = new SMTPServer({
    ...certificate,
    secure: security === 'tls',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: security === 'none' ? ['STARTTLS'] : [],
    closeTimeout: 100,
    onConnect(_session, done) {
      sessions += 1;
      done(refusal('connect'));
    },
    onAuth({ username, password }, _session, done) {
      const isKnown = username === account.username && password === account.password;
      if (isKnown && !refusal('auth')) return done(null, { user: username });
      return done(Object.assign(new Error('unknown'), { responseCode: 535 }));
    },
    onMailFrom: (_address, _session, done) => done(refusal('sender')),
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData(stream, { envelope, secure }, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = envelope;
        const mail = {
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: String(Buffer.concat(chunks)),
          isEncrypted: secure,
        };
        const refused = refusal('data');
        if (refused) return done(refused);
        mails.push(mail);
        return onMail(() => done());
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    port,
    mails,
    /** Connections so far. */
    sessions: () => sessions,
    rejectWith: (next: Reply | null) => void (rejection = next),
    /** Runs after a mail is stored, in place of its reply. */
    beforeReply: (next: typeof onMail) => void (onMail = next),
    /** Closes all connections. */
    drop: () => {
      for (const { _socket } of server.connections as Set<{ _socket: { destroy(): void } }>)
        _socket.destroy();
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
