/** Notices: conditions that need a person, from the time when they begin until they are resolved. */
import { derivedId } from '../../base/ids.ts';
import type { MessageDelivery } from '../messages/delivery.ts';

export const noticeKinds = [
  'first_dead',
  'dead_rising',
  'rejections_rising',
  'sender_silent',
  'mapping_drift',
  'destination_failing',
  'key_ending',
  'backlog_late',
] as const;
export type NoticeKind = (typeof noticeKinds)[number];

/** Numbers, times and names of configuration. Never a payload, a key or a value of a person. */
export type NoticeFacts = {
  /** Events or requests. */
  readonly count?: number;
  /** Time of the last event, of the first failure, or since when the oldest event is due. */
  readonly since?: Date;
  /** When the key ends. */
  readonly until?: Date;
  /** The name of a channel. */
  readonly name?: string;
  /** Targets of the mapping, such as `contact.phone`. */
  readonly targets?: readonly string[];
};

/** What an evaluation finds. */
export type Condition = {
  readonly kind: NoticeKind;
  /** Null: it concerns the installation. */
  readonly webhookId: string | null;
  /** Distinguishes two conditions of one kind: a reason, or the id of a key or channel. May be empty. */
  readonly subject: string;
  /** A higher level of an open notice is a change, which is sent. */
  readonly level: number;
  readonly facts: NoticeFacts;
};

export const noticeStates = ['open', 'resolved'] as const;
export type NoticeState = (typeof noticeStates)[number];

export type NoticeRecord = Condition & {
  readonly _id: string;
  readonly state: NoticeState;
  readonly openedAt: Date;
  /** The turn of the evaluation in which it was opened, and that of its last change that is sent. */
  readonly openedTurn: number;
  readonly changedTurn: number;
  readonly changedAt: Date;
  /** Since when the condition is not found any more. Null while it is found. */
  readonly absentSince: Date | null;
  readonly resolvedAt: Date | null;
  /** Of a resolved notice. */
  readonly expiresAt?: Date;
};

type Identity = Pick<Condition, 'kind' | 'webhookId' | 'subject'>;

export const noticeIdOf = ({ kind, webhookId, subject }: Identity): string =>
  derivedId('notice', kind, webhookId ?? '', subject);

/** The state of a notice as a target receives it. */
const noticeChanges = ['opened', 'changed', 'open', 'resolved'] as const;
export type NoticeChange = (typeof noticeChanges)[number];

/** One notice in what is sent to a target. */
export type NoticeEntry = Identity & {
  readonly noticeId: string;
  readonly change: NoticeChange;
  readonly webhookName: string | null;
  readonly facts: NoticeFacts;
  readonly openedAt: Date;
  readonly resolvedAt: Date | null;
};

/** What is sent to one target at a time. */
export type NoticeDelivery = {
  readonly _id: string;
  /** The target, in the field by which the delivery queue names a destination. */
  readonly channelId: string;
  readonly createdAt: Date;
  readonly entries: readonly NoticeEntry[];
  /** Further notices, which are not listed. */
  readonly more: number;
  readonly isReminder: boolean;
  readonly delivery: MessageDelivery;
};

/** Entries of one delivery. */
export const maxEntries = 20;
/** How long resolved notices and their deliveries are kept. */
export const noticeKeptDays = 30;
