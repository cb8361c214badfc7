// The services of the channels: they post what people write, and what became of the messages that they accepted, until Inlet
// answers 200. They post in any order, and some of it twice.
import { setTimeout as pause } from 'node:timers/promises';
import { statusOf, type SentStatus } from '../../../support/destinations/whatsapp-cloud.ts';
import type { Random } from '../load/random.ts';
import {
  plans,
  requestOf,
  statusRequest,
  type ChannelName,
  type OutboundChannels,
  type Person,
  type ServiceRequest,
  type Written,
} from './channels.ts';
import type { DestinationLedger, Incoming } from './ledger.ts';
import type { Arrival } from './stand-ins.ts';

type ServicesDeps = {
  readonly urls: readonly string[];
  readonly channels: () => OutboundChannels;
  readonly ledger: DestinationLedger;
  readonly random: Random;
  /** Answers that no service must get. */
  readonly wrongAnswers: string[];
};

export type Services = ReturnType<typeof createServices>;

const answerWithinMs = 6_000;
const firstBackoffMs = 200;
const maxBackoffMs = 2_500;
const maxStatusDelayMs = 2_500;

/** What becomes of a message, from its acceptance on. */
const courses: readonly (readonly SentStatus[])[] = [
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered', 'read'],
  ['sent', 'delivered'],
  ['sent'],
  ['sent', 'failed'],
];

export function createServices({ urls, channels, ledger, random, wrongAnswers }: ServicesDeps) {
  let isClosed = false;
  let pending = 0;
  let messages = 1;

  async function postOnce(url: string, request: ServiceRequest): Promise<number> {
    ledger.posts += 1;
    try {
      const signal = AbortSignal.timeout(answerWithinMs);
      const response = await fetch(url, { method: 'POST', ...request, signal });
      await response.arrayBuffer();
      return response.status;
    } catch {
      return 0;
    }
  }

  /** Posts until a server answers 200. */
  async function post(name: ChannelName, request: ServiceRequest): Promise<void> {
    const { key } = channels()[name];
    for (let tries = 0; !isClosed; tries += 1) {
      const status = await postOnce(`${random.pick(urls)}/v1/webhook/${key}`, request);
      if (status === 200) return;
      if (![0, 408, 503].includes(status))
        wrongAnswers.push(`a service of ${name} was answered ${status}`);
      await pause(Math.min(maxBackoffMs, firstBackoffMs * 2 ** tries) * (0.5 + random.next()));
    }
  }

  /** Counts the work until it ends. */
  async function inBackground(work: () => Promise<void>): Promise<void> {
    pending += 1;
    try {
      await work();
    } finally {
      pending -= 1;
    }
  }

  type Status = { readonly externalId: string; readonly status: SentStatus };
  type Subject = Pick<Arrival, 'recipient' | 'messageId'> & { readonly isKnown: boolean };

  /** Posts one status after some time, in some cases twice. */
  async function report(
    channel: ChannelName,
    { externalId, status }: Status,
    { recipient: to, messageId, isKnown }: Subject,
  ): Promise<void> {
    const posted = { channel, externalId, status, isKnown, isAcknowledged: false };
    ledger.statuses.push(posted);
    const sent = { id: externalId, to, ...(messageId !== null && { callbackData: messageId }) };
    const request = statusRequest([statusOf(sent, status)]);
    await inBackground(async () => {
      if (random.chance(0.7)) await pause(random.next() * maxStatusDelayMs);
      await post(channel, request);
      posted.isAcknowledged = !isClosed;
      if (random.chance(0.2)) await post(channel, request);
    });
  }

  async function write(written: readonly Written[]): Promise<void> {
    const [{ person } = {}] = written;
    if (!person) return;
    const recorded = written.map((one): Incoming => {
      channels()[one.person.channel].standIn.open(one.person.address);
      const incoming = { person: one.person, text: one.text, isAcknowledged: false };
      ledger.incoming.push(incoming);
      return incoming;
    });
    const { channel } = person;
    const request = requestOf(plans[channel].kind, written);
    await inBackground(async () => {
      const times = random.chance(0.1) ? 2 : 1;
      await Promise.all(Array.from({ length: times }, () => post(channel, request)));
      if (!isClosed) for (const one of recorded) one.isAcknowledged = true;
      if (random.chance(0.15)) await post(channel, request);
    });
  }

  return {
    /** The number of requests that are not answered yet. */
    pending: () => pending,

    /** The people write, in one request where the service gathers messages. Resolves when it is answered. */
    write: (people: readonly Person[]): Promise<void> =>
      write(
        people.map((person) => {
          const messageId = (messages += 1);
          return { person, messageId, text: `in ${messageId}` };
        }),
      ),

    /** What follows from a message that the service accepted: statuses, some of them before its answer. */
    follow(channel: ChannelName, { externalId, recipient, messageId }: Arrival): void {
      if (plans[channel].kind !== 'whatsapp' || externalId === null) return;
      for (const status of random.pick(courses)) {
        void report(channel, { externalId, status }, { recipient, messageId, isKnown: true });
      }
    },

    /** A status without our id of the message, for a message whose answer Inlet has recorded. */
    reportRead: (channel: ChannelName, { externalId, recipient }: Arrival): Promise<void> =>
      report(
        channel,
        { externalId: externalId ?? '', status: 'read' },
        { recipient, messageId: null, isKnown: true },
      ),

    /** A status of a message that another program sent. */
    reportUnknown(channel: ChannelName, recipient: string): Promise<void> {
      const externalId = `wamid.other-${(messages += 1)}`;
      const messageId = random.chance(0.5) ? `other-${messages}` : null;
      const status = random.pick<SentStatus>(['sent', 'failed', 'read']);
      return report(channel, { externalId, status }, { recipient, messageId, isKnown: false });
    },

    close: () => void (isClosed = true),
  };
}
