/** The Message-ID of a mail that is sent: it names the message, and the domain of the channel's sender. */
import type { ChannelSettings } from '../channel.ts';

/** The prefix tells it from the ids of mail programs at the same domain. */
const own = /^<inlet\.([\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12})@[^<>@\s]{1,255}>$/;

/** With angle brackets; the same in every attempt. */
export const messageIdOf = (messageId: string, { from }: ChannelSettings): string =>
  `<inlet.${messageId}@${String(from).split('@')[1]}>`;

/** Returns null for an id of another program. */
export function ownIdIn(id: string): { readonly messageId: string } | null {
  const messageId = own.exec(id)?.[1];
  return messageId === undefined ? null : { messageId };
}
