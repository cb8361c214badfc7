// A stand-in for the destination of each channel kind, with the behaviors that every kind must survive. `accepted`: what a
// kind's API answers to a message that it took.
import type { ServerResponse } from 'node:http';
import type { ChannelKind } from '../../../src/domain/messages/channel.ts';
import { neverRespond, respondWith, startDestination, type Responder } from './destination.ts';
import { account, startMailServer } from './mail-server.ts';
import { accessToken, phoneNumberId } from '../destinations/whatsapp-cloud.ts';
import { botToken } from '../destinations/telegram-bot.ts';

/**
 * `drop` and `hang`: the message arrived, and the connection ends or stays open without an answer. `busy`: the destination takes no
 * more for seven seconds. `endless`: an accepting answer without an end.
 */
type Behavior = 'work' | 'drop' | 'hang' | 'busy' | 'broken' | 'redirect' | 'endless';

export type ChannelDestination = {
  /** With the secret. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly secret: string;
  /** The id that the destination knows each arrived message by; null where it has none. */
  arrived(): readonly (string | null)[];
  behave(how: Behavior): void;
  /** Requests that followed a redirect. */
  followed(): number;
  close(): Promise<void>;
};

type HttpKind = {
  readonly secret: string;
  readonly accepted: object;
  readonly settingsOf: (origin: string) => Readonly<Record<string, unknown>>;
};

const endless = (response: ServerResponse): void => {
  const more = (): unknown => response.write('x'.repeat(2 ** 20));
  response.on('drain', more).writeHead(200);
  more();
};

async function startHttpDestination({
  secret,
  accepted,
  settingsOf,
}: HttpKind): Promise<ChannelDestination> {
  const [destination, elsewhere] = await Promise.all([startDestination(), startDestination()]);
  const origin = `http://127.0.0.1:${destination.port}`;
  const ok: Responder = (response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify(accepted));
  const answers: Readonly<Record<Behavior, Responder>> = {
    work: ok,
    drop: (response) => void response.socket?.destroy(),
    hang: neverRespond,
    busy: respondWith(429, { 'retry-after': '7' }),
    broken: respondWith(503),
    redirect: respondWith(307, { location: elsewhere.url }),
    endless,
  };
  destination.answerWith(ok);
  return {
    settings: settingsOf(origin),
    secret,
    arrived: () =>
      destination.posts
        .filter(({ body }) => Object.keys(body).length > 0)
        .map(({ headers }) => (headers['idempotency-key'] as string | undefined) ?? null),
    behave: (how) => destination.answerWith(answers[how]),
    followed: () => elsewhere.posts.length,
    close: async () => void (await Promise.all([destination.close(), elsewhere.close()])),
  };
}

async function startMailDestination(): Promise<ChannelDestination> {
  const mail = await startMailServer();
  const { username, password } = account;
  return {
    settings: {
      host: '127.0.0.1',
      port: mail.port,
      security: 'none',
      from: 'desk@example.org',
      username,
      password,
    },
    secret: password,
    arrived: () => mail.mails.map(() => null),
    behave(how) {
      mail.rejectWith(null);
      mail.beforeReply((reply) => reply());
      if (how === 'drop') mail.beforeReply(() => mail.drop());
      if (how === 'hang' || how === 'endless') mail.beforeReply(() => {});
      if (how === 'busy') mail.rejectWith({ at: 'recipient', status: 450 });
      if (how === 'broken' || how === 'redirect') mail.rejectWith({ at: 'connect', status: 421 });
    },
    followed: () => 0,
    close: mail.close,
  };
}

const httpSecret = 'Bearer not-for-your-eyes';

export const channelDestinations: Readonly<
  Record<Exclude<ChannelKind, 'inbox'>, () => Promise<ChannelDestination>>
> = {
  http: () =>
    startHttpDestination({
      secret: httpSecret,
      accepted: {},
      settingsOf: (origin) => ({ url: `${origin}/messages`, authorization: httpSecret }),
    }),
  smtp: startMailDestination,
  telegram: () =>
    startHttpDestination({
      secret: botToken,
      accepted: { ok: true, result: { message_id: 7 } },
      settingsOf: (apiUrl) => ({ botToken, apiUrl }),
    }),
  whatsapp: () =>
    startHttpDestination({
      secret: accessToken,
      accepted: { messages: [{ id: 'wamid.7' }] },
      settingsOf: (origin) => ({ phoneNumberId, accessToken, apiUrl: `${origin}/v23.0` }),
    }),
};
