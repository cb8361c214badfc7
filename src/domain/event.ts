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
};

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
export type Delivery = {
  readonly body: Buffer;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
};

/** An item of a body that splits has no body of its own: it points into its parent's. */
export type EventRecord = {
  readonly _id: string;
  readonly webhookId: string;
  /** Where its effects go, as the webhook said when it was recorded or sent through again. */
  readonly channelId: string;
  readonly externalId: string | null;
  readonly dedupKeys?: readonly string[];
  readonly delivery: Delivery | null;
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
  readonly lastSeenAt: Date;
  readonly finishedAt: Date | null;
  readonly effects: EventEffects | null;
  readonly problems: readonly EventProblem[];
  readonly timeline: readonly TimelineEntry[];
};
