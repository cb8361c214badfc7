/** A chat: the conversation with one contact in one channel. Each pair has at most one open chat. */

export const chatStatuses = [
  'ura',
  'queue',
  'in_chat',
  'ura_output',
  'ura_schedule',
  'ura_webhook',
  'closed',
  'transmission',
] as const;
export type ChatStatus = (typeof chatStatuses)[number];

/** Data of the event that opened the chat. The smallest (date, id) wins. */
export type Opening = {
  readonly stamp: string;
  readonly date: Date;
  readonly origin: string | null;
  readonly campaign: string | null;
  readonly sectorId: string | null;
  /** A list, because field names may contain characters that document keys may not. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
};

export type ChatRecord = {
  readonly _id: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly status: ChatStatus;
  /** Id of the test event that created it. */
  readonly test?: string;
  readonly open?: true;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
  /** Null until the first message. A chat without a message is not listed, and is reused. */
  readonly lastMessageAt: Date | null;
  readonly startedAt: Date;
  readonly closedAt: Date | null;
  /**
   * Set on a placeholder, not on a chat. It occupies the open chat of a merged contact, so that a worker that
   * does not know of the merge cannot open a chat there.
   */
  readonly forwardsTo?: string;
};
