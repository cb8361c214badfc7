/** A message of a chat. Its id follows from its event, so that an event can make it only once. */
import { derivedId } from '../../base/ids.ts';
import type { MessageDelivery } from './delivery.ts';

export type MessageRecord = {
  readonly _id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly chatId: string;
  /** The test event that it is of. */
  readonly test?: string;
  readonly typeUser: 'operator' | 'client' | 'bot' | 'system';
  readonly content: { readonly type: 'text'; readonly message: string };
  readonly date: Date;
  readonly createdAt: Date;
  /** Which generation of its event wrote it last; absent for the first. */
  readonly generation?: number;
  /** Only where its channel leads outside. */
  readonly delivery?: MessageDelivery;
};

/** Nobody takes back what a destination may have seen: such a message is not changed any more. */
export const mayBeKnownOutside = ({ delivery }: Pick<MessageRecord, 'delivery'>): boolean =>
  delivery !== undefined && delivery.fence > 0;

export const messageIdOf = (eventId: string): string => derivedId('message', eventId);
