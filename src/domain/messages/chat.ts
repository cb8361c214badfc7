/** A chat: the conversation with one contact in one channel. At most one is open for each pair. */

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

/** What the opening event gave: a register that the smallest (date, id) wins. */
export type Opening = {
  readonly stamp: string;
  readonly date: Date;
  readonly origin: string | null;
  readonly campaign: string | null;
  readonly sectorId: string | null;
  /** A list, because a field's name may hold what a document key may not. */
  readonly fields: readonly { readonly name: string; readonly value: string }[];
};

export type ChatRecord = {
  readonly _id: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly status: ChatStatus;
  /** The test event that it is of. */
  readonly test?: string;
  readonly open?: true;
  readonly opening: Opening;
  readonly labelIds: readonly string[];
  /** Null while no message has arrived: such a chat is not listed, and is reused. */
  readonly lastMessageAt: Date | null;
  readonly startedAt: Date;
  readonly closedAt: Date | null;
  /**
   * No chat, but what stands in the place of the open chat of a contact that was merged into this other one, so that a
   * worker that does not know it yet cannot open one there.
   */
  readonly forwardsTo?: string;
};
