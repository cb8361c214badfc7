// The channels that send messages out of Inlet, each with a stand-in of its service and a webhook that receives what people write.
import type { MappingDocument } from '../../../../src/domain/mappings/mapping.ts';
import { producers } from '../../../../src/producers/registry.ts';
import type { Client } from '../../../support/processes/client.ts';
import { loopbackRange } from '../../../support/services/destination.ts';
import { requestOf as mailOfService } from '../../../support/destinations/mail-services.ts';
import { secretToken, updateOf } from '../../../support/destinations/telegram-bot.ts';
import {
  appSecret,
  changeOf,
  notificationOf,
} from '../../../support/destinations/whatsapp-cloud.ts';
import { lead, retries } from '../load/webhooks.ts';
import { standIns, type OnArrival, type StandIn } from './stand-ins.ts';

/** `perMinute`: of the channel, where it is not that of the kind. */
type Plan = {
  readonly kind: keyof typeof standIns;
  readonly onUnknown: 'resend' | 'hold';
  readonly perMinute?: number;
};

export const plans = {
  'http resend': { kind: 'http', onUnknown: 'resend', perMinute: 120 },
  'http hold': { kind: 'http', onUnknown: 'hold' },
  smtp: { kind: 'smtp', onUnknown: 'hold' },
  telegram: { kind: 'telegram', onUnknown: 'hold' },
  'whatsapp hold': { kind: 'whatsapp', onUnknown: 'hold' },
  'whatsapp resend': { kind: 'whatsapp', onUnknown: 'resend' },
} as const satisfies Record<string, Plan>;

export type ChannelName = keyof typeof plans;
export const channelNames = Object.keys(plans) as ChannelName[];

/** The least time between two messages to one person, in milliseconds. */
export const recipientMs: Readonly<Partial<Record<Plan['kind'], number>>> = {
  telegram: 1_000,
  whatsapp: 1_000,
};

type OutboundChannel = Plan & {
  readonly name: ChannelName;
  readonly id: string;
  readonly webhookId: string;
  readonly key: string;
  readonly standIn: StandIn;
};
export type OutboundChannels = Readonly<Record<ChannelName, OutboundChannel>>;

/** The retries are as short as those of events, and as many as the product has. */
const settings = { maxRetryDelaySeconds: 2 };
export const maxAttempts = 9;

/** What the processes need to reach the stand-ins. */
export const destinationEnv = { INLET_ALLOWED_DESTINATIONS: loopbackRange.join(',') };

const leadMapping: MappingDocument = { ...lead, eventId: { path: 'id' } };
/** The producer of what people write, where a service posts it. */
const services = { smtp: 'postmark', telegram: 'telegram', whatsapp: 'whatsapp' } as const;
const producerOf = (kind: Plan['kind']) => (kind === 'http' ? 'generic' : services[kind]);

const mappingOf = (kind: Plan['kind']): MappingDocument =>
  kind === 'http' ? leadMapping : producers[producerOf(kind)].starterMapping;

const webhookSettingsOf = (kind: Plan['kind']) => {
  if (kind === 'telegram') return { signature: { secrets: [secretToken] } };
  return kind === 'whatsapp' ? { signature: { secrets: [appSecret] } } : {};
};

/** Creates each channel and its active webhook by a server. `onArrival` is called for each message that a stand-in accepts. */
export async function createOutboundChannels(
  { client, url }: { readonly client: Client; readonly url: string },
  onArrival: (name: ChannelName, ...args: Parameters<OnArrival>) => void,
): Promise<OutboundChannels> {
  const made: Partial<Record<ChannelName, OutboundChannel>> = {};
  for (const name of channelNames) {
    const plan: Plan = plans[name];
    const { kind, onUnknown, perMinute } = plan;
    const standIn = await standIns[kind]((arrival) => onArrival(name, arrival));
    const maxPerMinute = perMinute === undefined ? {} : { maxPerMinute: perMinute };
    const { id } = await client.call('createChannel', {
      body: {
        name,
        kind,
        settings: { ...settings, ...standIn.settings, onUnknown, ...maxPerMinute },
      },
    });
    const producerProfile = producerOf(kind);
    const webhook = await client.call('createWebhook', {
      body: { name, channelId: id, producerProfile },
    });
    const params = { id: webhook.id };
    const own = { retries, ...webhookSettingsOf(kind) };
    await client.call('updateWebhookSettings', { params, body: own });
    await postSample(`${url}/v1/webhook/${webhook.key}`, kind);
    await client.activate(webhook.id, mappingOf(kind));
    made[name] = { ...plan, name, id, webhookId: webhook.id, key: webhook.key, standIn };
  }
  return made as OutboundChannels;
}

export type Person = {
  readonly channel: ChannelName;
  readonly number: number;
  /** Where messages to the person arrive, as the stand-in sees it. */
  readonly address: string;
};

const firstNumber = 60_000_000;

/** No two people share an address, also between channels. */
export function peopleOfChannel(name: ChannelName, count: number): Person[] {
  const first = firstNumber + channelNames.indexOf(name) * 1_000;
  return Array.from({ length: count }, (_, index) => {
    const number = first + index;
    return { channel: name, number, address: addressOf(plans[name].kind, number) };
  });
}

function addressOf(kind: Plan['kind'], number: number): string {
  if (kind === 'smtp') return `${number}@example.com`;
  if (kind === 'telegram') return String(number);
  return `${kind === 'http' ? '+' : ''}55119${number}`;
}

/** A request as the service of the channel posts it. */
export type ServiceRequest = {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
};

const json = { 'content-type': 'application/json' };

/** What a person writes. `messageId` is the service's id of the message. */
export type Written = {
  readonly person: Person;
  readonly text: string;
  readonly messageId: number;
};

export function requestOf(kind: Plan['kind'], written: readonly Written[]): ServiceRequest {
  if (kind === 'whatsapp') {
    const messages = written.map(({ person: { address }, text, messageId }) => ({
      from: address,
      id: `wamid.in-${messageId}`,
      timestamp: String(Math.floor(Date.now() / 1_000)),
      type: 'text',
      text: { body: text },
    }));
    return notificationOf([changeOf({ messages })]);
  }
  const [first] = written;
  if (!first) throw new Error('Nothing was written.');
  const { person, text, messageId } = first;
  if (kind === 'telegram') {
    const update = updateOf(person.number, { message_id: messageId, text });
    const headers = { ...json, 'x-telegram-bot-api-secret-token': secretToken };
    return { body: JSON.stringify(update), headers };
  }
  if (kind === 'smtp') return mailRequestOf(first);
  const body = { id: `in-${messageId}`, text, lead: { name: 'Ana', phone: person.address } };
  return { body: JSON.stringify(body), headers: json };
}

const earlierMail = '<hello@mail.example.com>';

/** An answer to an earlier mail, so that its subject is no part of the message. */
const mailRequestOf = ({ person, text, messageId }: Written): ServiceRequest =>
  mailOfService('postmark', {
    from: `Ana <${person.address}>`,
    subject: 'Re: hello',
    text,
    messageId: `<in-${messageId}@mail.example.com>`,
    headers: [
      ['In-Reply-To', earlierMail],
      ['References', earlierMail],
    ],
  });

export const statusRequest = (statuses: readonly object[]): ServiceRequest =>
  notificationOf([changeOf({ statuses: statuses as never })]);

async function postSample(url: string, kind: Plan['kind']): Promise<void> {
  const person = { channel: 'smtp', number: firstNumber - 1, address: '5511960000000' } as const;
  const request = requestOf(kind, [{ person, text: 'sample', messageId: 1 }]);
  const { status } = await fetch(url, { method: 'POST', ...request });
  if (status !== 200) throw new Error(`The sample of ${kind} was answered ${status}.`);
}
