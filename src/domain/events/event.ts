/**
 * An event: one acknowledged delivery of a producer, and what became of it.
 * The record in MongoDB is the truth; a job in the queue is only a hint to look at it.
 */

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
  /** Of a claim: the process that made it. */
  readonly worker?: string;
  /** Of a retry: when it is due. */
  readonly dueAt?: Date;
};

/** How much of a timeline is kept: how it began, and what was last. A replayed and retried event writes about twenty. */
export const timelineKept = { first: 20, last: 80 } as const;

export type EventEffects = {
  readonly contactId: string;
  readonly chatId: string;
  readonly messageId: string;
};

/** What a mapping could not read, kept beside the event so that a person can mend the mapping. */
export type EventProblem = {
  readonly target: string;
  readonly code: string;
  readonly message: string;
};

/** The delivery as it came, as far as it is kept. Header names are lower-case. */
export type InboundRequest = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** Marks an event that a person made to try a mapping: real in its way, but of nobody real. */
export type EventTest = {
  /** The event that it began with: its own id, or its parent's. */
  readonly id: string;
  /** Whether its message is delivered outside like any other. */
  readonly delivers: boolean;
};

/** A later delivery of the event. */
export type Resend = {
  /** How many deliveries there were with it. */
  readonly n: number;
  readonly at: Date;
  readonly bodySha256: string;
  /** It brought a dead or ignored event back, with its own body. */
  readonly revived: boolean;
};

/** The last ones that an event keeps; older ones are counted only. */
export const maxResends = 50;

/** An item of a body that splits has no body of its own: it points into its parent's. */
export type EventRecord = {
  readonly _id: string;
  readonly webhookId: string;
  readonly test?: EventTest;
  /** Whoever it named was forgotten: it has no body any more, and is never sent through again. */
  readonly erased?: true;
  /** Where its effects go, as the webhook said when it was recorded or sent through again. */
  readonly channelId: string;
  readonly externalId: string | null;
  readonly dedupKeys?: readonly string[];
  readonly delivery: InboundRequest | null;
  /** Its body is gone: nothing can be read from it again. */
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
  /** Its webhook's own limit at the time; absent where the usual one holds. */
  readonly maxAttempts?: number;
  readonly deliveries: number;
  /** How many resends came with another body. */
  readonly differing: number;
  /** The last of them. */
  readonly resends?: readonly Resend[];
  /** Bodies other than its own of which there are copies, by their hashes; the latest is last. */
  readonly resentBodies?: readonly string[];
  /** The first body's, where a resend replaced that. */
  readonly firstSha256?: string;
  readonly generation: number;
  readonly fence: number;
  readonly claimToken?: string;
  /** A lease of it ended once: it is processed by itself until it is terminal. */
  readonly alone?: true;
  /** Leases that ended while it was alone. */
  readonly crashes: number;
  /** The run that sent it through last. */
  readonly runId?: string;
  /** Set while a worker may have it, so neither at its end nor while it is held: all that the sweeper reads. */
  readonly open?: true;
  /** May be claimed from here on: the retry time, or the end of a lease. */
  readonly dueAt: Date | null;
  /** When the sweeper looks at it again. */
  readonly nextAt: Date | null;
  readonly sweeps: number;
  readonly receivedAt: Date;
  /** When a resend or a person sent it through again; absent where nobody has. */
  readonly livesAgainAt?: Date;
  readonly lastSeenAt: Date;
  readonly finishedAt: Date | null;
  readonly effects: EventEffects | null;
  readonly problems: readonly EventProblem[];
  readonly timeline: readonly TimelineEntry[];
};
