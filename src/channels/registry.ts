/** The kinds of destination that a channel can be. */
import type { ChannelKind } from '../domain/channel.ts';
import type { Channel, Deliverers, OutsideTerms } from './channel.ts';
import { http } from './http/http.ts';
import { inbox } from './inbox/inbox.ts';

export const channelKinds: Readonly<Record<ChannelKind, Channel>> = { inbox, http };

export const goesOutside = (kind: ChannelKind): boolean => channelKinds[kind].outside !== undefined;

export const createDeliverers = (terms: OutsideTerms): Deliverers =>
  Object.fromEntries(
    Object.values(channelKinds).flatMap(({ kind, outside }) =>
      outside ? [[kind, outside.createDeliver(terms)]] : [],
    ),
  );
