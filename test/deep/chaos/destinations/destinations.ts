// The channels with their stand-ins and services, and what the load and the checker need of them.
import type { Client } from '../../../support/processes/client.ts';
import type { Api } from '../cluster/retrying-api.ts';
import { createRandom } from '../load/random.ts';
import { createOutboundChannels, plans, type ChannelName } from './channels.ts';
import { answerChat, openChats, startConversations } from './conversations.ts';
import { createDestinationLedger } from './ledger.ts';
import { createNoticeTargets } from './notices.ts';
import { createServices } from './services.ts';
import { losesAnswers, type Arrival, type DestinationFault } from './stand-ins.ts';

type DestinationsDeps = {
  readonly api: Api;
  readonly client: Client;
  readonly urls: readonly string[];
  readonly wrongAnswers: string[];
  readonly leaseMs: number;
};

export type Destinations = Awaited<ReturnType<typeof createDestinations>>;

/** Messages that are sent at once when everything else has ended: more than the rates allow, while no fault delays any. */
const bursts: Readonly<Partial<Record<ChannelName, { chats: number; messages: number }>>> = {
  'http resend': { chats: 10, messages: 10 },
  telegram: { chats: 1, messages: 6 },
  'whatsapp hold': { chats: 1, messages: 6 },
};
const lastReads = 5;

export async function createDestinations({
  api,
  client,
  urls,
  wrongAnswers,
  leaseMs,
}: DestinationsDeps) {
  const ledger = createDestinationLedger();
  const services = createServices({
    urls,
    channels: () => channels,
    ledger,
    random: createRandom(3),
    wrongAnswers,
  });
  const channels = await createOutboundChannels({ client, url: urls[0] ?? '' }, (name, arrival) =>
    services.follow(name, arrival),
  );
  const noticeTargets = await createNoticeTargets(client, createRandom(4));
  const deps = { api, channels, services, ledger, wrongAnswers };

  async function sendBurst(
    channel: ChannelName,
    { chats: most, messages }: { chats: number; messages: number },
  ) {
    const chats = (await openChats(api, channels[channel].id)).slice(0, most);
    if (chats.length === 0) return;
    const chatIds = Array.from({ length: messages }, (_, index) => chats[index % chats.length]);
    await Promise.all(chatIds.map((chatId = '') => answerChat(deps, { channel, chatId })));
  }

  /** The people of some messages read them; the service names these by its own ids only. */
  async function readLast(channel: ChannelName): Promise<void> {
    const { arrivals } = channels[channel].standIn;
    const isOnly = ({ text }: Arrival) => arrivals.filter((one) => one.text === text).length === 1;
    const chosen = arrivals.filter(isOnly).slice(-lastReads);
    await Promise.all(chosen.map((arrival) => services.reportRead(channel, arrival)));
  }

  /** The stand-in has the fault until the work ends. Resolves to whether a request met it. */
  async function fail(
    { channel, kind }: { readonly channel: ChannelName; readonly kind: DestinationFault },
    until: (isMet: () => boolean) => Promise<unknown>,
  ): Promise<boolean> {
    const { standIn } = channels[channel];
    const before = standIn.requests();
    const isMet = () => standIn.requests() > before;
    const from = Date.now();
    standIn.behave(kind);
    await until(isMet);
    standIn.behave(null);
    // An attempt that began before the end may end after it.
    const end = Date.now() + (losesAnswers(kind) ? leaseMs : 0);
    ledger.faults.push({ channel, kind, from, until: end });
    return isMet();
  }

  return {
    channels,
    ledger,
    fail,
    noticeTargets,
    services,
    /** An agent sends a message. */
    answer: (to: Parameters<typeof answerChat>[1]) => answerChat(deps, to),
    start(options: { seed: number; people: number; pauseMs: number; say: (line: string) => void }) {
      noticeTargets.fail();
      return startConversations({ ...deps, ...options });
    },

    /** The number of requests of the services that are not answered yet. */
    pending: services.pending,

    /** What happens once all faults and all messages have ended. */
    async finish(): Promise<void> {
      const names = Object.keys(channels) as ChannelName[];
      for (const name of names) {
        if (plans[name].kind === 'whatsapp') await readLast(name);
        const burst = bursts[name];
        if (burst) await sendBurst(name, burst);
      }
    },

    /** Forgets what happened, for another scenario with the same channels. Nothing may be open. */
    forget(): void {
      for (const list of [ledger.incoming, ledger.outgoing, ledger.statuses, ledger.faults])
        list.length = 0;
      for (const { standIn } of Object.values(channels)) {
        standIn.behave(null);
        standIn.arrivals.length = 0;
      }
      noticeTargets.forget();
    },

    async close(): Promise<void> {
      services.close();
      await noticeTargets.close();
      await Promise.all(Object.values(channels).map(({ standIn }) => standIn.close()));
    },
  };
}
