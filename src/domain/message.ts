/** A message of a chat. Its id follows from its event, so that an event can make it only once. */
import { derivedId } from '../base/ids.ts';
import type { MessageDelivery } from './delivery.ts';

export type MessageRecord = {
  readonly _id: string;
  readonly eventId: string;
  readonly webhookId: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly chatId: string;
  readonly typeUser: 'operator' | 'client' | 'bot' | 'system';
  readonly content: { readonly type: 'text'; readonly message: string };
  readonly date: Date;
  readonly createdAt: Date;
  /** Only where its channel leads outside. */
  readonly delivery?: MessageDelivery;
};

export const messageIdOf = (eventId: string): string => derivedId('message', eventId);
