/** A chat: the conversation with one contact in one channel. Each pair has at most one open chat. */
import { latestStampOf } from '../people/stamps.ts';

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

/** A greater number of unread messages is counted as this one, so that a chat of any length costs the same. */
export const maxUnread = 100;

export const openStatuses = chatStatuses.filter((status) => status !== 'closed');

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

/** An agent in a chat, and since when. */
type Attendant = { readonly agentId: string; readonly enteredAt: Date };

export type ChatRecord = {
  readonly _id: string;
  readonly channelId: string;
  readonly contactId: string;
  readonly status: ChatStatus;
  /** The agent who has the chat. `enteredAt` is null after a transfer, until the agent takes the chat. */
  readonly agent?: { readonly agentId: string; readonly enteredAt: Date | null } | null;
  /** Agents who joined the chat beside the agent who has it. */
  readonly joined?: readonly Attendant[];
  /** The sector that a person chose. It replaces that of the opening. */
  readonly sectorId?: string;
  /** Labels that a person removed. Events do not add them again. */
  readonly removedLabelIds?: readonly string[];
  /** The last time at which a message of an event was stored; so that watchers of the chat notice it. */
  readonly messageStoredAt?: Date;
  /** Raised by each event with a message in the chat, so that it conflicts with other changes of it. Absent: 0. */
  readonly rev?: number;
  /** Set when a person started the chat. Such a chat is listed without a message too. */
  readonly isStarted?: true;
  /** The time at which a person last marked the chat as read. */
  readonly readAt?: Date;
  /** The contacts in other channels that had the chat before it was transferred to this channel. */
  readonly formerContactIds?: readonly string[];
  /** The last message of a person; written so that sending conflicts with closing. */
  readonly lastSentId?: string;
  readonly closureComment?: string | null;
  /** The agent, or `token:` and the token's id, that closed it. */
  readonly closedBy?: string;
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

/** Returns the sector of a chat: that of a person, or else that of the opening. */
export const sectorIdOf = ({ sectorId, opening }: Pick<ChatRecord, 'sectorId' | 'opening'>) =>
  sectorId ?? opening.sectorId;

/** Returns an opening that any event of the same moment or earlier replaces. */
export const emptyOpening = (date: Date): Opening => ({
  stamp: latestStampOf(date),
  date,
  origin: null,
  campaign: null,
  sectorId: null,
  fields: [],
});
