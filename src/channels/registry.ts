/** The channel kinds. */
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { Channel, Deliverers, Inbound, OutboundOptions, Rates } from './channel.ts';
import { holdsUnknown } from './delivery-settings.ts';
import { http } from './http/http.ts';
import { inbox } from './inbox/inbox.ts';
import { smtp } from './smtp/smtp.ts';
import { telegram } from './telegram/telegram.ts';
import { whatsapp } from './whatsapp/whatsapp.ts';

export const channelKinds: Readonly<Record<ChannelKind, Channel>> = {
  inbox,
  http,
  smtp,
  telegram,
  whatsapp,
};

/** Returns whether messages of this kind leave Inlet. */
export const isOutbound = (kind: ChannelKind): boolean => channelKinds[kind].outbound !== undefined;

/** Returns whether messages of this kind may have files. */
export const takesFiles = (kind: ChannelKind): boolean =>
  channelKinds[kind].outbound?.capabilities.media ?? true;

/** Returns whether the messages of events leave Inlet. */
export const sendsEventMessages = ({
  kind,
  settings,
}: Pick<ChannelRecord, 'kind' | 'settings'>): boolean =>
  channelKinds[kind].outbound?.sendsEventMessages(settings) ?? false;

/** Returns what the webhook receives for its channel's kind; null when its events come from elsewhere. */
export function inboundOf(
  { kind }: Pick<ChannelRecord, 'kind'>,
  { producerProfile }: Pick<Webhook, 'producerProfile'>,
): Inbound | null {
  const { inbound } = channelKinds[kind];
  return inbound?.producers.includes(producerProfile) ? inbound : null;
}

export const ratesOfChannel = ({ kind, settings }: ChannelRecord): Rates =>
  channelKinds[kind].outbound?.ratesOf(settings) ?? {};

/** Whether a message that may have arrived becomes a dead letter, instead of being sent again. */
export const channelHoldsUnknown = ({ kind, settings }: ChannelRecord): boolean =>
  holdsUnknown(settings, channelKinds[kind].outbound?.idempotency ?? 'native');

export const createDeliverers = (options: OutboundOptions): Deliverers =>
  Object.fromEntries(
    Object.values(channelKinds).flatMap(({ kind, outbound }) =>
      outbound ? [[kind, outbound.createDeliver(options)]] : [],
    ),
  );
