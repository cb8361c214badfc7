/** A message of a chat. Its id is derived from its event, so that an event creates it only once. */
import { derivedId } from '../../base/ids.ts';
import type { MessageDelivery } from './delivery.ts';

export type MessageRecord = {
  readonly _id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly chatId: string;
  /** Id of the test event that created it. */
  readonly test?: string;
  readonly typeUser: 'operator' | 'client' | 'bot' | 'system';
  readonly content: { readonly type: 'text'; readonly message: string };
  readonly date: Date;
  readonly createdAt: Date;
  /** Generation of the event that wrote it last; absent for the first. */
  readonly generation?: number;
  /** Only for external channels. */
  readonly delivery?: MessageDelivery;
};

/** Whether the destination may have the message. Such a message is not changed any more. */
export const mayBeKnownOutside = ({ delivery }: Pick<MessageRecord, 'delivery'>): boolean =>
  delivery !== undefined && delivery.fence > 0;

export const messageIdOf = (eventId: string): string => derivedId('message', eventId);
