/** The channel kinds. */
import type { ChannelKind } from '../domain/messages/channel.ts';
import type { Channel, Deliverers, OutboundOptions } from './channel.ts';
import { http } from './http/http.ts';
import { inbox } from './inbox/inbox.ts';
import { smtp } from './smtp/smtp.ts';

export const channelKinds: Readonly<Record<ChannelKind, Channel>> = { inbox, http, smtp };

/** Returns whether messages of this kind leave Inlet. */
export const isOutbound = (kind: ChannelKind): boolean => channelKinds[kind].outbound !== undefined;

export const createDeliverers = (options: OutboundOptions): Deliverers =>
  Object.fromEntries(
    Object.values(channelKinds).flatMap(({ kind, outbound }) =>
      outbound ? [[kind, outbound.createDeliver(options)]] : [],
    ),
  );
