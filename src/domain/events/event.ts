/**
 * An event: one acknowledged inbound request of a sender, and its processing.
 * The record in MongoDB is the source of truth; a job in the queue is only a hint.
 */
import type { TraceContext } from '../../base/observability/tracing.ts';
import type { PublicText } from '../../base/texts/texts.ts';

/** `processing` is not stored: an open event is shown in it while a live set has the event. */
export const eventStates = [
  'received',
  'held',
  'processing',
  'waiting',
  'done',
  'ignored',
  'dead',
  'discarded',
] as const;
export type EventState = (typeof eventStates)[number];

export type TimelineEntry = {
  readonly at: Date;
  readonly state: EventState;
  readonly reason: string | null;
  /** For the end of an attempt: the process that made it, and when it took the event. */
  readonly worker?: string;
  readonly startedAt?: Date;
  /** For a retry: when it is due. */
  readonly dueAt?: Date;
};

/**
 * Timeline entries that are kept: the first 20 and the last 80. A replayed and retried event writes about 20.
 */
export const timelineKept = { first: 20, last: 80 } as const;

/** The message has the id of the event. */
export type EventEffects = {
  readonly contactId: string;
  readonly chatId: string;
};

/** A target that the mapping could not read, as stored. */
export type EventProblem = {
  readonly target: string;
  readonly code: string;
  /** In English, for a process that does not know `text`. */
  readonly message: string;
  readonly text?: PublicText;
};

/** The inbound request as stored. Header names are lower-case. */
export type InboundRequest = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** Marks a test event: a person created it to try a mapping. */
type EventTest = {
  /** Id of the root test event: the event itself, or its parent. */
  readonly id: string;
  /** Whether its message is delivered to an external channel. */
  readonly delivers: boolean;
};

/** A later inbound request with the id of a known event. */
export type Resend = {
  /** Number of inbound requests of the event, this one included. */
  readonly n: number;
  readonly at: Date;
  readonly bodySha256: string;
  /** The resend revived a dead or ignored event with its body. */
  readonly revived: boolean;
};

/** Maximum number of resends stored with an event, newest last. Older ones are only counted. */
export const maxResends = 50;

/** An event record. An item of a split body has no body; it refers to its parent. */
export type EventRecord = {
  readonly _id: string;
  readonly webhookId: string;
  readonly test?: EventTest;
  /** The person was erased: the event has no body and cannot be replayed. */
  readonly erased?: true;
  /** Channel of its effects, as configured when it was recorded or replayed. */
  readonly channelId: string;
  readonly externalId: string | null;
  readonly dedupKeys?: readonly string[];
  readonly delivery: InboundRequest | null;
  /** Refers to the span that its processing continues. Only when that span is sampled. */
  readonly trace?: TraceContext | undefined;
  /** Set when the body was deleted. The event cannot be processed again. */
  readonly strippedAt?: Date;
  readonly bodySha256: string;
  readonly bodyBytes: number;
  readonly parentId: string | null;
  readonly itemIndex: number | null;
  readonly items: number | null;
  readonly mappingVersion: number;
  readonly state: EventState;
  readonly reason: string | null;
  readonly eventType: string | null;
  readonly eventDate: Date | null;
  readonly attempts: number;
  /** Attempt limit of the webhook when the event was recorded. Absent: the default. */
  readonly maxAttempts?: number;
  readonly deliveries: number;
  /** Number of resends with a different body. */
  readonly differing: number;
  /** The most recent resends. */
  readonly resends?: readonly Resend[];
  /** Hashes of the stored bodies of resends, newest last. */
  readonly resentBodies?: readonly string[];
  /** Hash of the first body, if a resend replaced it. */
  readonly firstSha256?: string;
  readonly generation: number;
  readonly fence: number;
  /** A set with the event expired: it is processed alone until it has ended. */
  readonly alone?: true;
  /** Sets that expired while it was processed alone. */
  readonly crashes: number;
  /** The last run that replayed it. */
  readonly runId?: string;
  /** Set while a worker may take it: not when it has ended or is held. The index of the sweeper uses it. */
  readonly open?: true;
  /** Earliest time of the next attempt. */
  readonly dueAt: Date | null;
  /** When the sweeper hints it again. */
  readonly nextAt: Date | null;
  readonly sweeps: number;
  readonly receivedAt: Date;
  /** When a resend or a person last started its processing again. */
  readonly livesAgainAt?: Date;
  readonly lastSeenAt: Date;
  readonly finishedAt: Date | null;
  readonly effects: EventEffects | null;
  readonly problems: readonly EventProblem[];
  readonly timeline: readonly TimelineEntry[];
};

export type EffectIds = EventEffects & { readonly messageId: string };

/** The ids of what the event made; null for an event without effects. */
export const effectIdsOf = ({
  _id: messageId,
  effects,
}: Pick<EventRecord, '_id' | 'effects'>): EffectIds | null => effects && { ...effects, messageId };
