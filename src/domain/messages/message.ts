/**
 * A message of a chat. The message of an event has the id of the event, so that an event creates it only once, and messages of
 * one date sort by receipt. The id of an agent's message is derived from its idempotency key, if there is one.
 */
import type { MessageDelivery } from './delivery.ts';

export const mediaTypes = ['image', 'document', 'video', 'audio'] as const;
export type MediaType = (typeof mediaTypes)[number];

/** A file of a message. Its bytes are stored apart. */
export type MessageFile = {
  readonly fileId: string;
  readonly name: string;
  /** Judged by the bytes, not by what the client says. */
  readonly contentType: string;
  readonly bytes: number;
};

export type MessageContent = {
  /** The type of the first file; `text` without files. */
  readonly type: 'text' | MediaType;
  /** The text; with files, the caption, which may be empty. */
  readonly message: string;
  readonly files?: readonly MessageFile[];
};

export type MessageRecord = {
  readonly _id: string;
  /** Absent for a message that no event created. */
  readonly webhookId?: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly chatId: string;
  /** Id of the test event that created it. */
  readonly test?: string;
  readonly typeUser: 'operator' | 'client' | 'bot' | 'system';
  /** The token that sent it; absent for the message of an event. */
  readonly tokenId?: string;
  /** The agent who sent it; absent for a token without an agent. */
  readonly agentId?: string;
  /** Id of the message of the same chat that it answers. */
  readonly quotedId?: string;
  readonly content: MessageContent;
  readonly date: Date;
  readonly createdAt: Date;
  /** Generation of the event that wrote it last; absent for the first. */
  readonly generation?: number;
  /** Only for external channels. */
  readonly delivery?: MessageDelivery;
};

/** A message that an event created. */
export type EventMessage = MessageRecord & { readonly webhookId: string };

/** Returns the event that created the message. */
export const eventIdOf = ({ _id, webhookId }: Pick<MessageRecord, '_id' | 'webhookId'>) =>
  webhookId === undefined ? null : _id;

/** Whether the destination may have the message. Such a message is not changed any more. */
export const mayBeKnownOutside = ({ delivery }: Pick<MessageRecord, 'delivery'>): boolean =>
  delivery !== undefined && delivery.fence > 0;

/** The path of the API under which the bytes of a file are read. */
export const filePathOf = (chatId: string, fileId: string): string =>
  `/v1/chat/${chatId}/files/${fileId}`;
