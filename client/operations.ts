// Generated from the OpenAPI document by `npm run api`.

export interface Channel {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  kind: 'inbox' | 'http';
  settings: object;
  secretsSet: string[];
  enabled: boolean;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
}

export interface Webhook {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  producerProfile: string;
  status: 'draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived';
  /** The status in the caller’s language, for people. */
  statusLabel: string;
  setup: {
    sample: boolean;
    mapping: boolean;
    active: boolean;
    /** What the set-up waits for; null: nothing. */
    next: 'sample' | 'mapping' | 'activation' | null;
  };
  /** The mapping version that events come under. */
  activeVersion: number | null;
  /** What a rollback leads to. */
  previousVersion: number | null;
  schedule: GetWebhookScheduleAnswer | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
}

export interface WebhookSample {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * UTC.
   * @format date-time
   */
  receivedAt: string;
  source: 'webhook' | 'manual';
  name: string | null;
  pinned: boolean;
  /** A UUID. */
  eventId: string | null;
  contentType: string;
  headers: object;
  query: object;
  body: any;
}

export interface WebhookMapping {
  version: number;
  mapping: MappingDocument;
  status: 'draft' | 'active' | 'retired';
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  createdBy: string;
  /** UTC. */
  activatedAt: string | null;
}

export interface WebhookTestEvent {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId: string;
  version: number;
  /** Whether an outside channel is told of it. */
  deliver: boolean;
  externalId: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  /**
   * UTC.
   * @format date-time
   */
  receivedAt: string;
  /** UTC. */
  finishedAt: string | null;
  effects: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    chatId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    messageId: string;
  } | null;
  problems: {
    target: string;
    code: string;
    message: string;
  }[];
  items: number | null;
}

export interface Replay {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  kind: 'replay' | 'discard' | 'resume';
  state: 'running' | 'done' | 'cancelled' | 'failed';
  filter: {
    /**
     * @maxItems 100
     * @minItems 1
     */
    webhookId?: string[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    state?: (
      'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
    )[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    reason?: string[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    externalId?: string[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    eventType?: string[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    mappingVersion?: number[];
    /**
     * @maxItems 100
     * @minItems 1
     */
    parentId?: string[];
    /** How many ids it was given. */
    ids?: number;
    /**
     * UTC.
     * @format date-time
     */
    from?: string;
    /**
     * UTC.
     * @format date-time
     */
    to?: string;
  };
  remap: boolean;
  /** @min 0 */
  perSecond: number;
  /**
   * How many there were when it began.
   * @min 0
   */
  total: number;
  /** False: there were at least that many. */
  totalExact: boolean;
  /** @min 0 */
  replayed: number;
  /** @min 0 */
  discarded: number;
  /**
   * Changed by somebody else meanwhile.
   * @min 0
   */
  skipped: number;
  /** Why its last step came to nothing; a run that failed ended because of it. */
  reason: 'selection_too_slow' | 'unforeseen' | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  createdBy: string;
  /** UTC. */
  finishedAt: string | null;
}

export interface Event {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  /** Made by a person to try a mapping. */
  test: boolean;
  externalId: string | null;
  eventType: string | null;
  /** UTC. */
  eventDate: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  /** @min 0 */
  attempts: number;
  /** @min 0 */
  deliveries: number;
  mappingVersion: number;
  /**
   * UTC.
   * @format date-time
   */
  receivedAt: string;
  /** UTC. */
  finishedAt: string | null;
  /** UTC. */
  nextAt: string | null;
  payload: any;
  headers: object;
  query: object;
  /** Of more than a hundred changes the first twenty and the last eighty. */
  timeline: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    state:
      'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
    reason: string | null;
  }[];
  attemptHistory: {
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /** The process that had it: machine and number. */
    worker: string | null;
    /** UTC. */
    endedAt: string | null;
    durationMs: number | null;
    /** `lost`: the worker never said. `null`: in hand. */
    outcome: 'done' | 'ignored' | 'waiting' | 'dead' | 'discarded' | 'released' | 'lost' | null;
    reason: string | null;
    /** UTC. */
    retryAt: string | null;
  }[];
  effects: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    chatId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    messageId: string;
  } | null;
  problems: {
    target: string;
    code: string;
    message: string;
  }[];
  /** A UUID. */
  parentId: string | null;
  items: number | null;
}

export interface Delivery {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  contactId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  chatId: string;
  state: 'waiting' | 'sending' | 'delivered' | 'dead';
  reason: string | null;
  /** @min 0 */
  attempts: number;
  /** UTC. */
  nextAt: string | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /** UTC. */
  finishedAt: string | null;
}

export interface Audit {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * Counts from 1 without a gap.
   * @min 1
   */
  seq: number;
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  actor: {
    tokenId: string;
    name: string;
  };
  address: string | null;
  action: string;
  target: {
    type:
      | 'audit'
      | 'block'
      | 'channel'
      | 'conflict'
      | 'contact'
      | 'delivery'
      | 'erasure'
      | 'event'
      | 'key'
      | 'mapping'
      | 'run'
      | 'sample'
      | 'secrets'
      | 'token'
      | 'webhook';
    id: string;
  };
  /** An object, or null where there is none; secrets in it are masked. */
  before: any;
  /** An object, or null where there is none; secrets in it are masked. */
  after: any;
  /**
   * SHA-256, in hex.
   * @pattern ^[0-9a-f]{64}$
   */
  hash: string;
  /** UTC. */
  redactedAt: string | null;
}

export interface Erasure {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  state: 'running' | 'done';
  contactIds: string[];
  block: boolean;
  reason: string | null;
  identifiers: {
    kind: string;
    hash: string;
  }[];
  counts: {
    /** @min 0 */
    events: number;
    /** @min 0 */
    bodies: number;
    /** @min 0 */
    resends: number;
    /** @min 0 */
    samples: number;
    /** @min 0 */
    messages: number;
    /** @min 0 */
    chats: number;
    /** @min 0 */
    contacts: number;
    /** @min 0 */
    identities: number;
    /** @min 0 */
    conflicts: number;
    /** @min 0 */
    auditRows: number;
  };
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  createdBy: string;
  /** UTC. */
  finishedAt: string | null;
  audit: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /** @min 0 */
    seq: number;
    hash: string;
  } | null;
}

export interface Contact {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** Whom it turned out to be. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Which of two values a merge shows: a pinned one before one with a date of its own, that before an undated one; then the later. */
    rank: 'undated' | 'dated' | 'pinned';
    at: string | null;
    /** A UUID. */
    eventId: string | null;
    /** A UUID. */
    contactId: string | null;
    /** What events say, where a pin shows something else. */
    beneath: string | null;
  }[];
  identities: {
    kind: 'externalId' | 'phone' | 'email' | 'document';
    value: string;
    /** A UUID. */
    webhookId: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  chats: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    status: string;
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /** UTC. */
    closedAt: string | null;
    /** UTC. */
    lastMessageAt: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  merges: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    survivorId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    mergedId: string;
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    by: string;
  }[];
  history: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    /** A UUID. */
    eventId: string | null;
    by: string | null;
    /** A UUID. */
    contactId: string | null;
  }[];
}

export interface ContactChat {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  contactId: string;
  status:
    | 'ura'
    | 'queue'
    | 'in_chat'
    | 'ura_output'
    | 'ura_schedule'
    | 'ura_webhook'
    | 'closed'
    | 'transmission';
  test: boolean;
  /**
   * UTC.
   * @format date-time
   */
  startedAt: string;
  /** UTC. */
  closedAt: string | null;
  /** UTC. */
  lastMessageAt: string | null;
  /** @min 0 */
  unread: number;
  sector: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    name: string;
    color: string;
  } | null;
  labels: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    name: string;
    color: string;
  }[];
  origin: string | null;
  campaign: string | null;
  fields: object;
}

export interface Token {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  restriction: {
    webhookIds: string[];
    channelIds: string[];
  } | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /** UTC. */
  expiresAt: string | null;
  /** UTC. */
  revokedAt: string | null;
  /** UTC. */
  lastUsedAt: string | null;
}

export interface ChatContact {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  name: string | null;
  phone: string | null;
  phone_ddi: string | null;
  email: string | null;
  document: string | null;
  external_id: string | null;
  fields: object;
  /**
   * UTC.
   * @format date-time
   */
  created_at: string;
  /**
   * UTC.
   * @format date-time
   */
  updated_at: string;
  /** Only there, and true, where it is of a test event. */
  test?: boolean;
}

export interface WebhookKey {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  lastFour: string;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /** UTC. */
  expiresAt: string | null;
  /** UTC. */
  revokedAt: string | null;
  /**
   * Requests that came with it, seconds late.
   * @min 0
   */
  uses: number;
  /**
   * Of `uses`, those since the webhook’s keys were last rotated.
   * @min 0
   */
  usesSinceRotation: number;
  /** UTC. */
  lastUsedAt: string | null;
}

export interface EventSummary {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  /** Made by a person to try a mapping. */
  test: boolean;
  externalId: string | null;
  eventType: string | null;
  /** UTC. */
  eventDate: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  /** @min 0 */
  attempts: number;
  /** @min 0 */
  deliveries: number;
  mappingVersion: number;
  /**
   * UTC.
   * @format date-time
   */
  receivedAt: string;
  /** UTC. */
  finishedAt: string | null;
  /** UTC. */
  nextAt: string | null;
}

export interface EventDelivery {
  /**
   * The first delivery is 1.
   * @min 1
   */
  number: number;
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  bodySha256: string;
  /** As the body that the event has now. */
  sameBody: boolean;
  /** It brought a dead or ignored event back, with its body. */
  revived: boolean;
  /** From the event’s body to this one, the first 200. Null where they are the same, or where no copy is kept: of the last five other bodies, each of 256 KiB at most, there is one. */
  changes:
    | {
        /** A JSON pointer. */
        path: string;
        kind: 'added' | 'removed' | 'changed';
        before: any;
        after: any;
      }[]
    | null;
}

export interface DeadLetter {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  reason: string;
  action: {
    code:
      | 'mend_mapping'
      | 'mend_sender'
      | 'mend_webhook'
      | 'find_cause'
      | 'mend_destination'
      | 'enable_channel'
      | 'mend_keys'
      | 'look_there'
      | 'accept'
      | 'wait';
    /** What a person can do, in the caller’s language. */
    text: string;
  };
  /** @min 0 */
  count: number;
  /**
   * UTC.
   * @format date-time
   */
  firstFinishedAt: string;
  /**
   * UTC.
   * @format date-time
   */
  lastFinishedAt: string;
  mappingVersions: number[];
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  exampleEventId: string;
}

export interface ContactsConflict {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  state: 'open' | 'resolved';
  resolution: 'merged' | 'dismissed' | 'erased' | null;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId: string;
  /** Side by side; the one that the event was given to comes first. */
  contacts: ContactSummary[];
  /** Which identity of the event was whose; empty where that was not kept. */
  named: {
    kind: 'externalId' | 'phone' | 'email' | 'document';
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /** UTC. */
  resolvedAt: string | null;
}

export interface Block {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  kind: string;
  /**
   * UTC.
   * @format date-time
   */
  blockedAt: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  erasureId: string;
}

export interface ContactSummary {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** Whom it turned out to be. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
}

export interface ContactChatMessage {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  from: 'operator' | 'client' | 'bot' | 'system';
  text: string;
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  /** Null where its channel does not lead outside. */
  delivery: {
    state: 'waiting' | 'sending' | 'delivered' | 'dead';
    reason: string | null;
  } | null;
}

export interface StatsWebhook {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  webhookId: string;
  name: string;
  /** UTC. */
  lastEventAt: string | null;
  /** @min 0 */
  receivedEver: number;
  totals: {
    /** @min 0 */
    received: number;
    /** @min 0 */
    duplicates: number;
    /** @min 0 */
    held: number;
    /** @min 0 */
    done: number;
    /** @min 0 */
    ignored: number;
    /** @min 0 */
    dead: number;
    /** @min 0 */
    discarded: number;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p50Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p95Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p99Ms: number | null;
  };
  received: number[];
  dead: number[];
}

export interface Chat {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  chat_id: string;
  worker: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    name: string;
  };
  sector: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    name: string;
    color: string;
  } | null;
  user: null;
  contact: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    name: string | null;
    phone: string | null;
    phone_ddi: string | null;
  } | null;
  name: string | null;
  phone: string | null;
  status:
    | 'ura'
    | 'queue'
    | 'in_chat'
    | 'ura_output'
    | 'ura_schedule'
    | 'ura_webhook'
    | 'closed'
    | 'transmission';
  /**
   * UTC.
   * @format date-time
   */
  date: string;
  /**
   * UTC.
   * @format date-time
   */
  started_at: string;
  /** UTC. */
  closed_at: string | null;
  labels: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    label_template_id: string;
    label: string;
    color: string;
  }[];
  /** @min 0 */
  unread_count: number;
  context: {
    origin: string | null;
    campaign: string | null;
    fields: object;
  };
  /** Only there, and true, where it is of a test event. */
  test?: boolean;
}

export interface ChatSummary {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  message_id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  chat_id: string;
  type_user: 'operator' | 'client' | 'bot' | 'system';
  content: {
    type: string;
    message: string;
  };
  summary: {
    is_sent: boolean;
    is_delivered: boolean;
    is_seen: boolean;
  };
  /**
   * UTC.
   * @format date-time
   */
  date: string;
  has_quoted: boolean;
}

export type CreateChannelBody = {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  kind: 'inbox' | 'http';
  settings?: object;
};

export interface ListChannelKindsAnswer {
  kinds: {
    kind: 'inbox' | 'http';
    goesOutside: boolean;
    settingsSchema: object;
    secrets: string[];
  }[];
}

export interface UpdateChannelBody {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name?: string;
  enabled?: boolean;
  settings?: object;
}

export interface TestChannelAnswer {
  outcome: 'delivered' | 'failed';
  reason: string | null;
}

export interface CountWebhooksAnswer {
  /** @min 0 */
  total: number;
  byStatus: {
    /** @min 0 */
    draft: number;
    /** @min 0 */
    sampled: number;
    /** @min 0 */
    mapped: number;
    /** @min 0 */
    active: number;
    /** @min 0 */
    paused: number;
    /** @min 0 */
    archived: number;
  };
}

export interface CreateWebhookAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  producerProfile: string;
  status: 'draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived';
  /** The status in the caller’s language, for people. */
  statusLabel: string;
  setup: {
    sample: boolean;
    mapping: boolean;
    active: boolean;
    /** What the set-up waits for; null: nothing. */
    next: 'sample' | 'mapping' | 'activation' | null;
  };
  /** The mapping version that events come under. */
  activeVersion: number | null;
  /** What a rollback leads to. */
  previousVersion: number | null;
  schedule: GetWebhookScheduleAnswer | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
  /** The whole secret URL, shown this once. */
  url: string;
  /** The path key, shown this once. */
  key: string;
}

export interface CreateWebhookBody {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  producerProfile?:
    | 'generic'
    | 'calendly'
    | 'hotmart'
    | 'hubspot'
    | 'intercom'
    | 'kommo'
    | 'mailchimp'
    | 'meta'
    | 'pipedrive'
    | 'shopify'
    | 'slack'
    | 'standard-webhooks'
    | 'stripe'
    | 'twilio'
    | 'typeform'
    | 'zendesk';
}

export interface UpdateWebhookBody {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name?: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId?: string;
}

export interface RestoreWebhookBody {
  /**
   * Another channel, such as where its own was deleted.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId?: string;
}

export interface ActivateWebhookBody {
  /** @min 1 */
  version?: number;
  /** Turn the kept samples into events; asking twice does it once. */
  processSamples?: boolean;
  /**
   * Not now, but then; another activation or archiving takes this away.
   * @format date-time
   */
  at?: string;
  /**
   * How long resends are still known as the version before knew them, where that differs; 0 if it was wrong. As the settings say, unless it is given.
   * @min 0
   * @max 2160
   */
  dedupOverlapHours?: number;
}

export interface RollbackWebhookBody {
  /**
   * How long resends are still known as the version before knew them, where that differs; 0 if it was wrong. As the settings say, unless it is given.
   * @min 0
   * @max 2160
   */
  dedupOverlapHours?: number;
}

export interface GetWebhookScheduleAnswer {
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  version: number;
  dedupOverlapHours: number | null;
  by: string;
}

export interface RotateWebhookKeysAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  url: string;
  key: string;
  /** When the keys before end. */
  previousExpiresAt: string | null;
}

export interface RotateWebhookKeysBody {
  /**
   * 0: the ones before are revoked at once.
   * @min 0
   * @max 168
   * @default 48
   */
  overlapHours?: number;
  /** UTC. */
  expiresAt?: string | null;
}

export interface WatchWebhookSamplesAnswer {
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  sample?: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * UTC.
     * @format date-time
     */
    receivedAt: string;
    source: 'webhook' | 'manual';
  };
}

export interface CreateWebhookSampleBody {
  /** As JSON; either this or `rawBody`. */
  body?: object | any[];
  /** The body as UTF-8 text. */
  rawBody?: string;
  /**
   * `application/json` where it is left out.
   * @maxLength 256
   */
  contentType?: string;
  headers?: object;
  query?: object;
  payload?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /**
     * `application/json` where it is left out.
     * @maxLength 256
     */
    contentType?: string;
    headers?: object;
    query?: object;
  };
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId?: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name?: string;
}

export interface UpdateWebhookSampleBody {
  pinned?: boolean;
  name?: string | null;
}

export interface CreateWebhookMappingBody {
  mapping: MappingDocument;
}

export interface PreviewWebhookMappingsAnswer {
  items: {
    ignored: string | null;
    eventId: string | null;
    eventType: string | null;
    /** UTC. */
    eventDate: string | null;
    contact: {
      externalId: string | null;
      name: string | null;
      phone: string | null;
      email: string | null;
      document: string | null;
      fields: object;
    };
    message: {
      text: string | null;
    };
    context: {
      origin: string | null;
      campaign: string | null;
      labels: string[];
      sector: string | null;
      fields: object;
    };
    problems: {
      target: string;
      code: string;
      message: string;
    }[];
    failure: string | null;
    sources: object;
  }[];
}

export interface PreviewWebhookMappingsBody {
  /** A mapping document. */
  mapping?: any;
  /** @min 1 */
  version?: number;
  payload: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /**
     * `application/json` where it is left out.
     * @maxLength 256
     */
    contentType?: string;
    headers?: object;
    query?: object;
  };
}

export interface DiffWebhookMappingsAnswer {
  counts: {
    same: number;
    changed: number;
    newlyFailing: number;
    newlyPassing: number;
  };
  items: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    eventId: string;
    externalId: string | null;
    item: number | null;
    kind: 'same' | 'changed' | 'newlyFailing' | 'newlyPassing';
    changes: {
      target: string;
      before: string | null;
      after: string | null;
    }[];
    failure: {
      before: string | null;
      after: string | null;
    };
  }[];
}

export interface DiffWebhookMappingsBody {
  mapping: MappingDocument;
  /**
   * @min 1
   * @max 1000
   */
  last?: number;
}

export interface SuggestWebhookMappingsAnswer {
  mapping: MappingDocument;
  confidence: object;
  alternatives: object;
  evidence: object;
  producers: {
    name: string;
    confidence: number;
  }[];
}

export interface SuggestWebhookMappingsBody {
  /**
   * @maxItems 20
   * @minItems 1
   */
  payloads?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /**
     * `application/json` where it is left out.
     * @maxLength 256
     */
    contentType?: string;
    headers?: object;
    query?: object;
  }[];
  /**
   * @maxItems 20
   * @minItems 1
   */
  sampleIds?: string[];
}

export interface GetWebhookMappingsHealthAnswer {
  /** Counts older than this are gone. */
  keptDays: number;
  versions: {
    version: number;
    status: 'draft' | 'active' | 'retired';
    /** UTC. */
    activatedAt: string | null;
    /** @min 0 */
    ended: number;
    /** @min 0 */
    done: number;
    /** @min 0 */
    ignored: number;
    /** @min 0 */
    dead: number;
    /** @min 0 */
    retried: number;
    reasons: {
      reason: string;
      /** @min 0 */
      count: number;
    }[];
    problems: {
      target: string;
      code: string;
      /** @min 0 */
      count: number;
    }[];
  }[];
}

export interface ActivateWebhookMappingBody {
  /** Turn the kept samples into events; asking twice does it once. */
  processSamples?: boolean;
  /**
   * Not now, but then; another activation or archiving takes this away.
   * @format date-time
   */
  at?: string;
  /**
   * How long resends are still known as the version before knew them, where that differs; 0 if it was wrong. As the settings say, unless it is given.
   * @min 0
   * @max 2160
   */
  dedupOverlapHours?: number;
}

export interface CreateWebhookTestEventBody {
  payload?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /**
     * `application/json` where it is left out.
     * @maxLength 256
     */
    contentType?: string;
    headers?: object;
    query?: object;
  };
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  sampleId?: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  eventId?: string;
  /** @min 1 */
  version?: number;
  /** Tell the outside channel too, marked as a test; false. */
  deliver?: boolean;
}

export interface DeleteWebhookTestEventsAnswer {
  /** @min 0 */
  deleted: number;
  /** @min 0 */
  left: number;
}

export interface GetWebhookDriftAnswer {
  /** UTC. */
  observedSince: string | null;
  /** @min 0 */
  events: number;
  /** @min 0 */
  ignored: number;
  /** False where there are more paths than are kept. */
  complete: boolean;
  paths: {
    path: string;
    types: {
      type: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'empty';
      /**
       * Of the events.
       * @min 0
       * @max 1
       */
      share: number;
    }[];
    /**
     * Of the events.
     * @min 0
     * @max 1
     */
    presence: number;
    /**
     * UTC.
     * @format date-time
     */
    lastSeenAt: string;
    /** Whether the active mapping reads it. */
    mapped: boolean;
  }[];
  warnings: {
    kind: 'missing' | 'type_changed' | 'rarer' | 'new_path';
    target: string | null;
    path: string | null;
    /**
     * UTC.
     * @format date-time
     */
    since: string;
    /**
     * Of the events.
     * @min 0
     * @max 1
     */
    before: number;
    /**
     * Of the events.
     * @min 0
     * @max 1
     */
    after: number;
    /** @min 0 */
    events: number;
    types: {
      before: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'empty';
      after: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'empty';
    } | null;
    message: string;
  }[];
}

export interface GetWebhookSettingsAnswer {
  producerProfile: string;
  signature: {
    scheme:
      | (
          | string
          | (
              | {
                  kind: 'hmac';
                  /**
                   * The name of a header, in any case.
                   * @minLength 1
                   * @maxLength 128
                   * @pattern ^[\w!#$%&'*+.^`|~-]+$
                   */
                  header: string;
                  algorithm: 'sha1' | 'sha256' | 'sha512';
                  encoding: 'hex' | 'base64';
                  /**
                   * Before each signature, such as `sha256=`.
                   * @maxLength 64
                   */
                  prefix?: string;
                  /** Between several signatures in the header. */
                  separator?: ',' | ' ';
                  /**
                   * The header holds `name=value` pairs, and this is the name of the signature.
                   * @minLength 1
                   * @maxLength 64
                   */
                  field?: string;
                  /** Where the time of sending is: in a header, or in a pair of the signature’s. */
                  timestamp?:
                    | {
                        /**
                         * The name of a header, in any case.
                         * @minLength 1
                         * @maxLength 128
                         * @pattern ^[\w!#$%&'*+.^`|~-]+$
                         */
                        header: string;
                      }
                    | {
                        /**
                         * @minLength 1
                         * @maxLength 128
                         */
                        field: string;
                      };
                  id?: {
                    /**
                     * The name of a header, in any case.
                     * @minLength 1
                     * @maxLength 128
                     * @pattern ^[\w!#$%&'*+.^`|~-]+$
                     */
                    header: string;
                  };
                  /**
                   * What is signed: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}.
                   * @minLength 1
                   * @maxLength 256
                   * @pattern \{(?:body|params)\}
                   */
                  signed?: string;
                  secretEncoding?: 'text' | 'base64' | 'hex';
                  /**
                   * Left out of the secret, such as `whsec_`.
                   * @maxLength 32
                   */
                  secretPrefix?: string;
                }
              | {
                  kind: 'hash';
                  /**
                   * The name of a header, in any case.
                   * @minLength 1
                   * @maxLength 128
                   * @pattern ^[\w!#$%&'*+.^`|~-]+$
                   */
                  header: string;
                  algorithm: 'sha1' | 'sha256' | 'sha512';
                  encoding: 'hex' | 'base64';
                  /**
                   * Before each signature, such as `sha256=`.
                   * @maxLength 64
                   */
                  prefix?: string;
                  /** Between several signatures in the header. */
                  separator?: ',' | ' ';
                  /**
                   * The header holds `name=value` pairs, and this is the name of the signature.
                   * @minLength 1
                   * @maxLength 64
                   */
                  field?: string;
                  /** Where the time of sending is: in a header, or in a pair of the signature’s. */
                  timestamp?:
                    | {
                        /**
                         * The name of a header, in any case.
                         * @minLength 1
                         * @maxLength 128
                         * @pattern ^[\w!#$%&'*+.^`|~-]+$
                         */
                        header: string;
                      }
                    | {
                        /**
                         * @minLength 1
                         * @maxLength 128
                         */
                        field: string;
                      };
                  id?: {
                    /**
                     * The name of a header, in any case.
                     * @minLength 1
                     * @maxLength 128
                     * @pattern ^[\w!#$%&'*+.^`|~-]+$
                     */
                    header: string;
                  };
                  /**
                   * What is signed: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}.
                   * @minLength 1
                   * @maxLength 256
                   * @pattern \{(?:body|params)\}
                   */
                  signed?: string;
                }
              | {
                  kind: 'token';
                  from:
                    | {
                        /**
                         * The name of a header, in any case.
                         * @minLength 1
                         * @maxLength 128
                         * @pattern ^[\w!#$%&'*+.^`|~-]+$
                         */
                        header: string;
                      }
                    | {
                        /**
                         * @minLength 1
                         * @maxLength 128
                         */
                        query: string;
                      }
                    | {
                        /**
                         * @minLength 1
                         * @maxLength 128
                         */
                        field: string;
                      };
                  /**
                   * Such as `Bearer `.
                   * @maxLength 64
                   */
                  prefix?: string;
                }
            )
        )
      | null;
    toleranceSeconds: number | null;
    /** @min 0 */
    secretsSet: number;
  } | null;
  handshake: {
    challenge:
      | (
          | string
          | {
              from:
                | {
                    /**
                     * @minLength 1
                     * @maxLength 128
                     */
                    query: string;
                  }
                | {
                    /**
                     * @minLength 1
                     * @maxLength 128
                     */
                    field: string;
                  }
                | {
                    /**
                     * The name of a header, in any case.
                     * @minLength 1
                     * @maxLength 128
                     * @pattern ^[\w!#$%&'*+.^`|~-]+$
                     */
                    header: string;
                  };
              when?: {
                at:
                  | {
                      /**
                       * @minLength 1
                       * @maxLength 128
                       */
                      query: string;
                    }
                  | {
                      /**
                       * @minLength 1
                       * @maxLength 128
                       */
                      field: string;
                    }
                  | {
                      /**
                       * The name of a header, in any case.
                       * @minLength 1
                       * @maxLength 128
                       * @pattern ^[\w!#$%&'*+.^`|~-]+$
                       */
                      header: string;
                    };
                /** @maxLength 128 */
                equals: string;
              };
              as: 'text' | 'json' | 'header';
              /**
               * In the answer; else as it came.
               * @minLength 1
               * @maxLength 128
               */
              name?: string;
              /** Where the sender repeats the verify token. */
              token?:
                | {
                    /**
                     * @minLength 1
                     * @maxLength 128
                     */
                    query: string;
                  }
                | {
                    /**
                     * The name of a header, in any case.
                     * @minLength 1
                     * @maxLength 128
                     * @pattern ^[\w!#$%&'*+.^`|~-]+$
                     */
                    header: string;
                  };
              hmac?: {
                /**
                 * @minLength 1
                 * @maxLength 128
                 */
                name: string;
                encoding: 'hex' | 'base64';
                /** @maxLength 32 */
                prefix?: string;
              };
            }
        )
      | null;
    verifyTokenSet: boolean;
  } | null;
  answer: {
    /**
     * @min 200
     * @max 299
     */
    status: number;
    /**
     * @maxLength 128
     * @pattern ^[\w.+-]+/[\w.+-]+(?:; ?charset=[\w-]+)?$
     */
    contentType: string;
    /** @maxLength 8192 */
    body: string;
  } | null;
  retries: {
    maxAttempts: number | null;
    delaysSeconds: number[] | null;
  } | null;
  rateLimit: {
    perSecond: number | null;
    perMinute: number | null;
    burst: number | null;
  } | null;
  allowlist: string[] | null;
  dedup: {
    windowDays: number | null;
    overlapHours: number | null;
  } | null;
  retention: {
    bodiesDays: number | null;
    samplesDays: number | null;
    eventsDays: number | null;
  } | null;
  /** UTC. */
  updatedAt: string | null;
}

export interface UpdateWebhookSettingsBody {
  producerProfile?:
    | 'generic'
    | 'calendly'
    | 'hotmart'
    | 'hubspot'
    | 'intercom'
    | 'kommo'
    | 'mailchimp'
    | 'meta'
    | 'pipedrive'
    | 'shopify'
    | 'slack'
    | 'standard-webhooks'
    | 'stripe'
    | 'twilio'
    | 'typeform'
    | 'zendesk'
    | null;
  signature?: {
    scheme?:
      | string
      | {
          kind?: 'hmac' | 'hash' | 'token' | null;
          /** The name of a header, in any case. */
          header?: string | null;
          algorithm?: 'sha1' | 'sha256' | 'sha512' | null;
          encoding?: 'hex' | 'base64' | null;
          /** Before each signature, such as `sha256=`. */
          prefix?: string | null;
          /** Between several signatures in the header. */
          separator?: ',' | ' ' | null;
          /** The header holds `name=value` pairs, and this is the name of the signature. */
          field?: string | null;
          timestamp?: {
            /** The name of a header, in any case. */
            header?: string | null;
            field?: string | null;
          } | null;
          id?: {
            /** The name of a header, in any case. */
            header?: string | null;
          } | null;
          /** What is signed: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}. */
          signed?: string | null;
          secretEncoding?: 'text' | 'base64' | 'hex' | null;
          /** Left out of the secret, such as `whsec_`. */
          secretPrefix?: string | null;
          from?: {
            /** The name of a header, in any case. */
            header?: string | null;
            query?: string | null;
            field?: string | null;
          } | null;
        }
      | null;
    /** Any of them may have signed, so that a secret can be changed without a gap. */
    secrets?: string[] | null;
    toleranceSeconds?: number | null;
  } | null;
  handshake?: {
    verifyToken?: string | null;
    challenge?:
      | string
      | {
          from?: {
            query?: string | null;
            field?: string | null;
            /** The name of a header, in any case. */
            header?: string | null;
          } | null;
          when?: {
            at?: {
              query?: string | null;
              field?: string | null;
              /** The name of a header, in any case. */
              header?: string | null;
            } | null;
            equals?: string | null;
          } | null;
          as?: 'text' | 'json' | 'header' | null;
          /** In the answer; else as it came. */
          name?: string | null;
          token?: {
            query?: string | null;
            /** The name of a header, in any case. */
            header?: string | null;
          } | null;
          hmac?: {
            name?: string | null;
            encoding?: 'hex' | 'base64' | null;
            prefix?: string | null;
          } | null;
        }
      | null;
  } | null;
  answer?: {
    status?: number | null;
    contentType?: string | null;
    body?: string | null;
  } | null;
  retries?: {
    /** Attempts in all, the first included; 9 unless set. Events keep the number that they were stored with. */
    maxAttempts?: number | null;
    /** The longest wait after the first attempt, the second, and so on; the last one goes on. Each wait is a random part of it. */
    delaysSeconds?: number[] | null;
  } | null;
  rateLimit?: {
    perSecond?: number | null;
    /** How many may come at once after a pause; unless set, what the rate says. */
    burst?: number | null;
    perMinute?: number | null;
  } | null;
  /** Addresses and CIDR ranges; whoever comes from anywhere else is refused. */
  allowlist?: string[] | null;
  dedup?: {
    /** How long, at least, an event that has ended is known by its id, so that a resend of it repeats nothing; 400 unless set. */
    windowDays?: number | null;
    /** How long resends are still known the old way after an activation that reads event ids otherwise; 72 unless set. */
    overlapHours?: number | null;
  } | null;
  retention?: {
    /** How long the body, headers and query of an event are kept after its end; INLET_RETENTION_DAYS unless set. */
    bodiesDays?: number | null;
    /** How long samples that are not pinned are kept; INLET_RETENTION_DAYS unless set. */
    samplesDays?: number | null;
    /** How long events are kept after their end, at least as long as they must be known by their ids (dedup.windowDays), which is the default. */
    eventsDays?: number | null;
  } | null;
}

export interface GetProducersAnswer {
  producers: {
    name: string;
    title: string;
    delivers: string;
    instructions: string;
    signature: {
      preset: string;
      scheme: object;
    } | null;
    handshake: boolean;
    challenge: object | null;
    answer: object | null;
    eventId: object | null;
    starterMapping: MappingDocument;
  }[];
  settings: object;
}

export interface GetTransformsAnswer {
  transforms: {
    name: string;
    description: string;
    options: object;
    standsAlone: boolean;
    examples: {
      use: string | object;
      item: any;
      from: any;
      to: any;
    }[];
  }[];
}

export interface ReplayEventsPreview {
  /** @min 0 */
  count: number;
  /** False: there are at least that many. */
  exact: boolean;
  byState: {
    state:
      'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
    /** @min 0 */
    count: number;
  }[];
  byReason: {
    reason: string | null;
    /** @min 0 */
    count: number;
  }[];
}

export interface ReplayEventsBody {
  /** As the search of events takes them. Without `state`: all that may be taken. */
  filter?: {
    /** A UUID. */
    webhookId?: string | string[];
    state?:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded'
      | (
          'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
        )[];
    reason?: string | string[];
    externalId?: string | string[];
    eventType?: string | string[];
    mappingVersion?: number | number[];
    /** A UUID. */
    parentId?: string | string[];
    from?: any;
    to?: any;
  };
  /**
   * @maxItems 1000
   * @minItems 1
   */
  ids?: string[];
  /** Only count; the answer is 200. */
  preview?: boolean;
  /**
   * @min 1
   * @max 1000
   * @default 100
   */
  perSecond?: number;
  /** Also done events: what they made is updated. */
  remap?: boolean;
}

export interface DiscardEventsBody {
  /** As the search of events takes them. Without `state`: all that may be taken. */
  filter?: {
    /** A UUID. */
    webhookId?: string | string[];
    state?:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded'
      | (
          'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
        )[];
    reason?: string | string[];
    externalId?: string | string[];
    eventType?: string | string[];
    mappingVersion?: number | number[];
    /** A UUID. */
    parentId?: string | string[];
    from?: any;
    to?: any;
  };
  /**
   * @maxItems 1000
   * @minItems 1
   */
  ids?: string[];
  /** Only count; the answer is 200. */
  preview?: boolean;
  /**
   * @min 1
   * @max 1000
   * @default 100
   */
  perSecond?: number;
}

export interface WatchEventsAnswer {
  /**
   * UTC.
   * @format date-time
   */
  at: string;
  event?: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    webhookId: string;
    /** Made by a person to try a mapping. */
    test: boolean;
    externalId: string | null;
    eventType: string | null;
    /** UTC. */
    eventDate: string | null;
    state:
      'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
    reason: string | null;
    /** @min 0 */
    attempts: number;
    /** @min 0 */
    deliveries: number;
    mappingVersion: number;
    /**
     * UTC.
     * @format date-time
     */
    receivedAt: string;
    /** UTC. */
    finishedAt: string | null;
    /** UTC. */
    nextAt: string | null;
  };
}

export interface ExportEventsAnswer {
  /** For `cursor`: what comes behind this line. */
  cursor: string;
  event: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    webhookId: string;
    /** Made by a person to try a mapping. */
    test: boolean;
    externalId: string | null;
    eventType: string | null;
    /** UTC. */
    eventDate: string | null;
    state:
      'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
    reason: string | null;
    /** @min 0 */
    attempts: number;
    /** @min 0 */
    deliveries: number;
    mappingVersion: number;
    /**
     * UTC.
     * @format date-time
     */
    receivedAt: string;
    /** UTC. */
    finishedAt: string | null;
    /** UTC. */
    nextAt: string | null;
    payload?: any;
  };
}

export interface ReplayEventBody {
  /** Takes done events too, and updates what they made. */
  remap?: boolean;
}

export interface VerifyAuditAnswer {
  ok: boolean;
  /** @min 0 */
  checked: number;
  /** @min 0 */
  redacted: number;
  broken: {
    /**
     * Where the row is, or should be.
     * @min 0
     */
    seq: number;
    reason:
      | 'row_missing'
      | 'row_repeated'
      | 'row_altered'
      | 'details_altered'
      | 'redaction_unknown'
      | 'anchor_altered'
      | 'end_missing'
      | 'head_altered'
      | 'row_unchained'
      | 'head_differs';
  } | null;
  anchor: {
    /**
     * Counts from 1 without a gap.
     * @min 1
     */
    seq: number;
    /**
     * SHA-256, in hex.
     * @pattern ^[0-9a-f]{64}$
     */
    hash: string;
  } | null;
  head: {
    /**
     * Counts from 1 without a gap.
     * @min 1
     */
    seq: number;
    /**
     * SHA-256, in hex.
     * @pattern ^[0-9a-f]{64}$
     */
    hash: string;
  } | null;
  matches: boolean | null;
}

export type EraseContactsBody = (
  | {
      phone: any;
    }
  | {
      email: any;
    }
  | {
      document: any;
    }
) & {
  /**
   * @minLength 1
   * @maxLength 500
   */
  phone?: string;
  /**
   * @minLength 1
   * @maxLength 500
   */
  email?: string;
  /**
   * @minLength 1
   * @maxLength 500
   */
  document?: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId?: string;
  block?: boolean;
  /**
   * @minLength 1
   * @maxLength 200
   */
  reason?: string;
};

export interface EraseContactBody {
  block?: boolean;
  /**
   * @minLength 1
   * @maxLength 200
   */
  reason?: string;
}

export interface UpdateContactAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** Whom it turned out to be. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Which of two values a merge shows: a pinned one before one with a date of its own, that before an undated one; then the later. */
    rank: 'undated' | 'dated' | 'pinned';
    at: string | null;
    /** A UUID. */
    eventId: string | null;
    /** A UUID. */
    contactId: string | null;
    /** What events say, where a pin shows something else. */
    beneath: string | null;
  }[];
  identities: {
    kind: 'externalId' | 'phone' | 'email' | 'document';
    value: string;
    /** A UUID. */
    webhookId: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  chats: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    status: string;
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /** UTC. */
    closedAt: string | null;
    /** UTC. */
    lastMessageAt: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  merges: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    survivorId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    mergedId: string;
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    by: string;
  }[];
  history: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    /** A UUID. */
    eventId: string | null;
    by: string | null;
    /** A UUID. */
    contactId: string | null;
  }[];
}

export interface UpdateContactBody {
  /**
   * @minLength 1
   * @maxLength 1000
   * @pattern \S
   */
  name?: string;
  /**
   * @minLength 1
   * @maxLength 1000
   * @pattern \S
   */
  phone?: string;
  /**
   * @minLength 1
   * @maxLength 1000
   * @pattern \S
   */
  email?: string;
  /**
   * @minLength 1
   * @maxLength 1000
   * @pattern \S
   */
  document?: string;
  fields?: Partial<Record<any, string>>;
  /** @maxItems 100 */
  pins?: string[];
}

export interface MergeContactAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  mergeId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** Whom it turned out to be. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Which of two values a merge shows: a pinned one before one with a date of its own, that before an undated one; then the later. */
    rank: 'undated' | 'dated' | 'pinned';
    at: string | null;
    /** A UUID. */
    eventId: string | null;
    /** A UUID. */
    contactId: string | null;
    /** What events say, where a pin shows something else. */
    beneath: string | null;
  }[];
  identities: {
    kind: 'externalId' | 'phone' | 'email' | 'document';
    value: string;
    /** A UUID. */
    webhookId: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  chats: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    status: string;
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /** UTC. */
    closedAt: string | null;
    /** UTC. */
    lastMessageAt: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  merges: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    survivorId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    mergedId: string;
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    by: string;
  }[];
  history: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    /** A UUID. */
    eventId: string | null;
    by: string | null;
    /** A UUID. */
    contactId: string | null;
  }[];
}

export interface MergeContactBody {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  contactId: string;
}

export interface UnmergeContactAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  mergeId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  unmergedId: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** Whom it turned out to be. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /**
   * UTC.
   * @format date-time
   */
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Which of two values a merge shows: a pinned one before one with a date of its own, that before an undated one; then the later. */
    rank: 'undated' | 'dated' | 'pinned';
    at: string | null;
    /** A UUID. */
    eventId: string | null;
    /** A UUID. */
    contactId: string | null;
    /** What events say, where a pin shows something else. */
    beneath: string | null;
  }[];
  identities: {
    kind: 'externalId' | 'phone' | 'email' | 'document';
    value: string;
    /** A UUID. */
    webhookId: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  chats: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    status: string;
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /** UTC. */
    closedAt: string | null;
    /** UTC. */
    lastMessageAt: string | null;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    contactId: string;
  }[];
  merges: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    survivorId: string;
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    mergedId: string;
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    by: string;
  }[];
  history: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    /** A UUID. */
    eventId: string | null;
    by: string | null;
    /** A UUID. */
    contactId: string | null;
  }[];
}

export interface UnmergeContactBody {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  mergeId?: string;
}

export interface CreateTokenAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  restriction: {
    webhookIds: string[];
    channelIds: string[];
  } | null;
  /**
   * UTC.
   * @format date-time
   */
  createdAt: string;
  /** UTC. */
  expiresAt: string | null;
  /** UTC. */
  revokedAt: string | null;
  /** UTC. */
  lastUsedAt: string | null;
  /** The token itself, shown this once. */
  token: string;
}

export interface CreateTokenBody {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  /**
   * @maxItems 4
   * @minItems 1
   * @uniqueItems true
   */
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  /** UTC. */
  expiresAt?: string | null;
  /**
   * @maxItems 100
   * @minItems 1
   * @uniqueItems true
   */
  webhookIds?: string[];
  /**
   * @maxItems 100
   * @minItems 1
   * @uniqueItems true
   */
  channelIds?: string[];
}

export interface GetCurrentTokenAnswer {
  /**
   * A UUID.
   * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
   */
  id: string;
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  /** Whether it is for some webhooks or channels alone. */
  restricted: boolean;
}

export interface UpdateTokenBody {
  /**
   * @minLength 1
   * @maxLength 100
   * @pattern \S
   */
  name?: string;
  /** UTC. */
  expiresAt?: string | null;
}

export interface GetStatsAnswer {
  by: 'minute' | 'hour' | 'day';
  /**
   * UTC.
   * @format date-time
   */
  from: string;
  /**
   * UTC.
   * @format date-time
   */
  to: string;
  totals: {
    /** @min 0 */
    received: number;
    /** @min 0 */
    duplicates: number;
    /** @min 0 */
    held: number;
    /** @min 0 */
    done: number;
    /** @min 0 */
    ignored: number;
    /** @min 0 */
    dead: number;
    /** @min 0 */
    discarded: number;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p50Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p95Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p99Ms: number | null;
  };
  series: {
    /**
     * UTC.
     * @format date-time
     */
    at: string;
    /** @min 0 */
    received: number;
    /** @min 0 */
    duplicates: number;
    /** @min 0 */
    held: number;
    /** @min 0 */
    done: number;
    /** @min 0 */
    ignored: number;
    /** @min 0 */
    dead: number;
    /** @min 0 */
    discarded: number;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p50Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p95Ms: number | null;
    /** Milliseconds, right to 9 %; null: nothing was done. */
    p99Ms: number | null;
  }[];
}

export interface GetStatsHealthAnswer {
  mongodb: {
    isUp: boolean;
  };
  redis: {
    isUp: boolean;
    queueDepth: number | null;
  };
  /** @min 0 */
  servers: number;
  /** @min 0 */
  workers: number;
  processes: {
    /**
     * A UUID.
     * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
     */
    id: string;
    role: 'server' | 'worker';
    /**
     * UTC.
     * @format date-time
     */
    startedAt: string;
    /**
     * UTC.
     * @format date-time
     */
    seenAt: string;
  }[];
  backlog: {
    /** @min 0 */
    open: number;
    /** @min 0 */
    held: number;
    /** @min 0 */
    dead: number;
    /** @min 0 */
    upTo: number;
  } | null;
  /** UTC. */
  oldestOpenAt: string | null;
}

export interface Receipt {
  externalId: string | null;
  eventId: string;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  /**
   * The first counts.
   * @min 1
   */
  deliveries: number;
  /** @format date-time */
  firstSeenAt: string;
  /** @format date-time */
  lastSeenAt: string;
  contactId: string | null;
  chatId: string | null;
  messageId: string | null;
}

export interface BodyReceipt {
  externalId: string | null;
  eventId: string;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  /**
   * The first counts.
   * @min 1
   */
  deliveries: number;
  /** @format date-time */
  firstSeenAt: string;
  /** @format date-time */
  lastSeenAt: string;
  contactId: string | null;
  chatId: string | null;
  messageId: string | null;
  /**
   * How many events came with this body; this is the newest of them.
   * @min 1
   * @max 100
   */
  count: number;
}

export interface MappingDocument {
  /**
   * @minLength 1
   * @maxLength 512
   */
  split?: string;
  /**
   * @minLength 1
   * @maxLength 512
   */
  filter?: string;
  eventId?: IdSource;
  eventType?: Source;
  eventDate?: Source;
  contact?: {
    externalId?: Source;
    name?: Source;
    phone?: Source;
    email?: Source;
    document?: Source;
    fields?: Partial<Record<string, Source>>;
  };
  message?: {
    text?: Source;
  };
  context?: {
    origin?: Source;
    campaign?: Source;
    /** @maxItems 50 */
    labels?: Source[];
    sector?: Source;
    fields?: Partial<Record<string, Source>>;
  };
}

export type Source = (
  | {
      path: any;
    }
  | {
      header: any;
    }
  | {
      query: any;
    }
  | {
      const: any;
    }
  | {
      first: any;
    }
  | {
      join: any;
    }
) & {
  /**
   * @minLength 1
   * @maxLength 512
   */
  path?: string;
  root?: boolean;
  /**
   * @minLength 1
   * @maxLength 200
   */
  header?: string;
  /**
   * @minLength 1
   * @maxLength 200
   */
  query?: string;
  /** @maxLength 4096 */
  const?: string | number | boolean;
  /**
   * @maxItems 20
   * @minItems 1
   */
  first?: Source[];
  /**
   * @maxItems 20
   * @minItems 1
   */
  join?: Source[];
  /** @maxLength 32 */
  with?: string;
  /** @maxItems 20 */
  transforms?: Transform[];
  /** @maxLength 4096 */
  default?: string | number | boolean;
  required?: boolean;
};

export type IdSource = (
  | {
      path: any;
    }
  | {
      header: any;
    }
  | {
      query: any;
    }
  | {
      const: any;
    }
  | {
      first: any;
    }
  | {
      join: any;
    }
) & {
  /**
   * @minLength 1
   * @maxLength 512
   */
  path?: string;
  root?: boolean;
  /**
   * @minLength 1
   * @maxLength 200
   */
  header?: string;
  /**
   * @minLength 1
   * @maxLength 200
   */
  query?: string;
  /** @maxLength 4096 */
  const?: string | number | boolean;
  /**
   * @maxItems 20
   * @minItems 1
   */
  first?: IdSource[];
  /**
   * @maxItems 20
   * @minItems 1
   */
  join?: IdSource[];
  /** @maxLength 32 */
  with?: string;
  /** @maxItems 20 */
  transforms?: Transform[];
  required?: boolean;
};

/** @pattern ^(?:trim|lower|upper|title|digits|stripHtml|pick|json|number|boolean|phone|email|document|date)$ */
export interface Transform {
  trim?: object;
  lower?: object;
  upper?: object;
  title?: object;
  digits?: object;
  truncate?: {
    /**
     * @min 1
     * @max 65536
     */
    length: number;
    /** @maxLength 16 */
    ellipsis?: string;
  };
  replace?: {
    /**
     * @minLength 1
     * @maxLength 256
     */
    find?: string;
    /**
     * @minLength 1
     * @maxLength 256
     */
    pattern?: string;
    /** @maxLength 1024 */
    with?: string;
    ignoreCase?: boolean;
  };
  template?: {
    /**
     * @minLength 1
     * @maxLength 4096
     */
    text: string;
  };
  stripHtml?: object;
  split?: {
    /**
     * @minLength 1
     * @maxLength 32
     */
    by: string;
    /**
     * @min -1000
     * @max 1000
     */
    pick?: number;
    /**
     * @min -1000
     * @max 1000
     */
    from?: number;
    /**
     * @min -1000
     * @max 1000
     */
    to?: number;
    /** @maxLength 32 */
    join?: string;
  };
  pick?: {
    /**
     * @min -1000
     * @max 1000
     */
    index?: number;
  };
  json?: {
    /**
     * @minLength 1
     * @maxLength 512
     */
    path?: string;
  };
  lookup?: {
    table: Partial<Record<string, string | number | boolean>>;
    /** @maxLength 1024 */
    default?: string | number | boolean;
    ignoreCase?: boolean;
  };
  number?: {
    decimal?: ',' | '.';
  };
  boolean?: object;
  phone?: {
    /** @pattern ^[A-Z]{2}$ */
    region?: string;
    /**
     * @minLength 1
     * @maxLength 512
     */
    regionPath?: string;
  };
  email?: object;
  document?: {
    kind?: 'cpf' | 'cnpj';
  };
  date?: {
    /**
     * @minLength 1
     * @maxLength 64
     */
    zone?: string;
    /**
     * @minLength 1
     * @maxLength 64
     */
    format?: string;
    order?: 'dmy' | 'mdy';
  };
}

/** By operationId: what goes in and what the whole answer is. */
export interface Operations {
  activateWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: ActivateWebhookBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  activateWebhookMapping: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * @pattern ^[1-9][0-9]{0,8}$
       * @example "1"
       */
      version: string;
    };
    query: undefined;
    body: ActivateWebhookMappingBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  archiveWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  cancelReplay: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Replay;
    };
  };
  countWebhooks: {
    params: undefined;
    query: {
      /**
       * Words, or parts of them, that the name has; case and accents do not matter.
       * @minLength 1
       * @maxLength 100
       * @pattern \S
       */
      search?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      name?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      channelId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      status?: ('draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived')[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      producerProfile?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: CountWebhooksAnswer;
    };
  };
  createChannel: {
    params: undefined;
    query: undefined;
    body: CreateChannelBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Channel;
    };
  };
  createToken: {
    params: undefined;
    query: undefined;
    body: CreateTokenBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: CreateTokenAnswer;
    };
  };
  createWebhook: {
    params: undefined;
    query: undefined;
    body: CreateWebhookBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: CreateWebhookAnswer;
    };
  };
  createWebhookMapping: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: CreateWebhookMappingBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookMapping;
    };
  };
  createWebhookSample: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: CreateWebhookSampleBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookSample;
    };
  };
  createWebhookTestEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: CreateWebhookTestEventBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookTestEvent;
    };
  };
  deleteBlock: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: object;
    };
  };
  deleteChannel: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: object;
    };
  };
  deleteToken: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Token;
    };
  };
  deleteWebhookKey: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      keyId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookKey;
    };
  };
  deleteWebhookSample: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      sampleId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: object;
    };
  };
  deleteWebhookSchedule: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  deleteWebhookTestEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70"
       */
      eventId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: object;
    };
  };
  deleteWebhookTestEvents: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: DeleteWebhookTestEventsAnswer;
    };
  };
  diffWebhookMappings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: DiffWebhookMappingsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: DiffWebhookMappingsAnswer;
    };
  };
  discardEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Event;
    };
  };
  discardEvents: {
    params: undefined;
    query: undefined;
    body: DiscardEventsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ReplayEventsPreview;
    };
  };
  dismissContactConflict: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ContactsConflict;
    };
  };
  eraseContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: EraseContactBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Erasure;
    };
  };
  eraseContacts: {
    params: undefined;
    query: undefined;
    body: EraseContactsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Erasure;
    };
  };
  exportAudit: {
    params: undefined;
    query: {
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'at' | '-at';
      /**
       * @maxItems 100
       * @minItems 1
       */
      actor?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      action?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      targetType?: (
        | 'audit'
        | 'block'
        | 'channel'
        | 'conflict'
        | 'contact'
        | 'delivery'
        | 'erasure'
        | 'event'
        | 'key'
        | 'mapping'
        | 'run'
        | 'sample'
        | 'secrets'
        | 'token'
        | 'webhook'
      )[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      targetId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      address?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: Audit;
  };
  exportEvents: {
    params: undefined;
    query: {
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: (
        'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
      )[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      externalId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      eventType?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      reason?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      mappingVersion?: number[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      contactId?: string[];
      /**
       * Of the person it went to.
       * @minLength 1
       * @maxLength 64
       */
      phone?: string;
      /**
       * Of the person it went to.
       * @minLength 3
       * @maxLength 254
       */
      email?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      parentId?: string[];
      /** Also the bodies that were split, beside their items. */
      parents?: boolean;
      /**
       * How the external id begins; refused where more than a hundred do.
       * @minLength 3
       * @maxLength 500
       */
      externalIdPrefix?: string;
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
      eventFrom?: any;
      eventTo?: any;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?:
        'receivedAt' | '-receivedAt' | 'finishedAt' | '-finishedAt' | 'eventDate' | '-eventDate';
      /**
       * What `next_cursor` said: the page behind it, in the same order.
       * @minLength 1
       * @maxLength 300
       * @pattern ^[A-Za-z0-9_-]+$
       */
      cursor?: string;
      /** With payloads; this is written into the audit log. */
      payload?: boolean;
    };
    body: undefined;
    answer: ExportEventsAnswer;
  };
  findChatContactByPhone: {
    params: undefined;
    query: {
      /**
       * The country’s digits, without a plus.
       * @pattern ^[1-9][0-9]{0,2}$
       */
      phone_ddi: string;
      /**
       * The national digits; a Brazilian mobile’s ninth digit may be missing.
       * @maxLength 40
       * @pattern [0-9]
       */
      phone: string;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ChatContact;
    };
  };
  getAuditRow: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Audit;
    };
  };
  getChannel: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Channel;
    };
  };
  getChat: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      chatId: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'date' | '-date';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: ChatSummary[];
      };
    };
  };
  getChatContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ChatContact;
    };
  };
  getContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Contact;
    };
  };
  getContactChat: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      chatId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ContactChat;
    };
  };
  getCurrentToken: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetCurrentTokenAnswer;
    };
  };
  getDelivery: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Delivery;
    };
  };
  getErasure: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Erasure;
    };
  };
  getEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /** Unmasked; takes the scope `operator`, and is written into the audit log. */
      reveal?: boolean;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Event;
    };
  };
  getProducers: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetProducersAnswer;
    };
  };
  getReceipt: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
      /**
       * The sender’s event id.
       * @minLength 1
       */
      externalId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Receipt;
    };
  };
  getReceiptByBody: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
      /**
       * Of the raw body as it was sent, in hex.
       * @pattern ^[0-9a-fA-F]{64}$
       */
      sha256: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: BodyReceipt;
    };
  };
  getReplay: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Replay;
    };
  };
  getStats: {
    params: undefined;
    query: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       */
      webhookId?: string;
      by?: 'minute' | 'hour' | 'day';
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetStatsAnswer;
    };
  };
  getStatsHealth: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetStatsHealthAnswer;
    };
  };
  getToken: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Token;
    };
  };
  getTransforms: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetTransformsAnswer;
    };
  };
  getWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  getWebhookDrift: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetWebhookDriftAnswer;
    };
  };
  getWebhookMapping: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * @pattern ^[1-9][0-9]{0,8}$
       * @example "1"
       */
      version: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookMapping;
    };
  };
  getWebhookMappingsHealth: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetWebhookMappingsHealthAnswer;
    };
  };
  getWebhookSample: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      sampleId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookSample;
    };
  };
  getWebhookSchedule: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetWebhookScheduleAnswer;
    };
  };
  getWebhookSettings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetWebhookSettingsAnswer;
    };
  };
  getWebhookTestEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70"
       */
      eventId: string;
    };
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookTestEvent;
    };
  };
  listAudit: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'at' | '-at';
      /**
       * @maxItems 100
       * @minItems 1
       */
      actor?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      action?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      targetType?: (
        | 'audit'
        | 'block'
        | 'channel'
        | 'conflict'
        | 'contact'
        | 'delivery'
        | 'erasure'
        | 'event'
        | 'key'
        | 'mapping'
        | 'run'
        | 'sample'
        | 'secrets'
        | 'token'
        | 'webhook'
      )[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      targetId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      address?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Audit[];
      };
    };
  };
  listBlocks: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'blockedAt' | '-blockedAt';
      /**
       * @minLength 1
       * @maxLength 500
       */
      phone?: string;
      /**
       * @minLength 1
       * @maxLength 500
       */
      email?: string;
      /**
       * @minLength 1
       * @maxLength 500
       */
      document?: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       */
      channelId?: string;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Block[];
      };
    };
  };
  listChannelKinds: {
    params: undefined;
    query: undefined;
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ListChannelKindsAnswer;
    };
  };
  listChannels: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      name?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      kind?: ('inbox' | 'http')[];
      enabled?: boolean;
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Channel[];
      };
    };
  };
  listChatContacts: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'created_at' | '-created_at';
      /** `true`: those of test events, which are left out otherwise. */
      test?: boolean;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: ChatContact[];
      };
    };
  };
  listChats: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'date' | '-date' | 'started_at' | '-started_at' | 'closed_at' | '-closed_at';
      /**
       * @maxItems 100
       * @minItems 1
       */
      filter_label_template_id?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      filter_worker_id?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      filter_user_id?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      filter_sector_id?: string[];
      /**
       * A part of the contact’s name, in any case. By how a name begins, and by a whole number, all chats are found; otherwise the first 1,000 are looked through that the other filters leave. Where `total_exact` is false, dates lead further.
       * @minLength 1
       * @maxLength 500
       */
      filter_name?: string;
      /**
       * A part of the contact’s number. By how a name begins, and by a whole number, all chats are found; otherwise the first 1,000 are looked through that the other filters leave. Where `total_exact` is false, dates lead further.
       * @maxLength 40
       * @pattern [0-9]
       */
      filter_phone?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      filter_protocol?: string[];
      filter_date_start?: any;
      filter_date_end?: any;
      /** `true`: only chats with unread messages. By how a name begins, and by a whole number, all chats are found; otherwise the first 1,000 are looked through that the other filters leave. Where `total_exact` is false, dates lead further. */
      filter_unread_conversations?: boolean;
      /** `true`: those of test events, which are left out otherwise. */
      test?: boolean;
      /**
       * `my_chats` alone (every chat that is not closed), or one or several states.
       * @maxItems 20
       * @minItems 1
       */
      status: (
        | 'my_chats'
        | 'ura'
        | 'queue'
        | 'in_chat'
        | 'ura_output'
        | 'ura_schedule'
        | 'ura_webhook'
        | 'closed'
        | 'transmission'
      )[];
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Chat[];
      };
    };
  };
  listContactChatMessages: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      chatId: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'at' | '-at';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: ContactChatMessage[];
      };
    };
  };
  listContactConflicts: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt';
      state?: 'open' | 'resolved';
      /**
       * @maxItems 100
       * @minItems 1
       */
      channelId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      contactId?: string[];
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: ContactsConflict[];
      };
    };
  };
  listContacts: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt';
      /**
       * @minLength 1
       * @maxLength 500
       */
      search?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      channelId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      phone?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      email?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      document?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      externalId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: ContactSummary[];
      };
    };
  };
  listDeadLetters: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?:
        | 'count'
        | '-count'
        | 'firstFinishedAt'
        | '-firstFinishedAt'
        | 'lastFinishedAt'
        | '-lastFinishedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      reason?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: DeadLetter[];
      };
    };
  };
  listDeliveries: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt' | 'finishedAt' | '-finishedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: ('waiting' | 'sending' | 'delivered' | 'dead')[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      channelId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      reason?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Delivery[];
      };
    };
  };
  listErasures: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Erasure[];
      };
    };
  };
  listEventDeliveries: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'number' | '-number';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: EventDelivery[];
      };
    };
  };
  listEvents: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?:
        'receivedAt' | '-receivedAt' | 'finishedAt' | '-finishedAt' | 'eventDate' | '-eventDate';
      /**
       * What `next_cursor` said: the page behind it, in the same order.
       * @minLength 1
       * @maxLength 300
       * @pattern ^[A-Za-z0-9_-]+$
       */
      cursor?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: (
        'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
      )[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      externalId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      eventType?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      reason?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      mappingVersion?: number[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      contactId?: string[];
      /**
       * Of the person it went to.
       * @minLength 1
       * @maxLength 64
       */
      phone?: string;
      /**
       * Of the person it went to.
       * @minLength 3
       * @maxLength 254
       */
      email?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      parentId?: string[];
      /** Also the bodies that were split, beside their items. */
      parents?: boolean;
      /**
       * How the external id begins; refused where more than a hundred do.
       * @minLength 3
       * @maxLength 500
       */
      externalIdPrefix?: string;
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
      eventFrom?: any;
      eventTo?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
          /** For `cursor`; null on the last page. */
          next_cursor: string | null;
        };
        results: EventSummary[];
      };
    };
  };
  listReplays: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt' | 'finishedAt' | '-finishedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      kind?: ('replay' | 'discard' | 'resume')[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: ('running' | 'done' | 'cancelled' | 'failed')[];
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Replay[];
      };
    };
  };
  listStatsWebhooks: {
    params: undefined;
    query: {
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
      by?: 'minute' | 'hour' | 'day';
      /**
       * How many on a page.
       * @min 1
       * @max 100
       * @default 10
       */
      per_page?: number;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        by: 'minute' | 'hour' | 'day';
        /**
         * UTC.
         * @format date-time
         */
        from: string;
        /**
         * UTC.
         * @format date-time
         */
        to: string;
        results: StatsWebhook[];
      };
    };
  };
  listTokens: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'lastUsedAt' | '-lastUsedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      name?: string[];
      /**
       * A part of the name, in any case.
       * @minLength 1
       * @maxLength 100
       */
      search?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      scope?: ('admin' | 'operator' | 'viewer' | 'inbox')[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: ('active' | 'expired' | 'revoked')[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Token[];
      };
    };
  };
  listWebhookKeys: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'createdAt' | '-createdAt';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: WebhookKey[];
      };
    };
  };
  listWebhookMappings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'version' | '-version' | 'createdAt' | '-createdAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      status?: ('draft' | 'active' | 'retired')[];
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: WebhookMapping[];
      };
    };
  };
  listWebhookSamples: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'receivedAt' | '-receivedAt';
      /**
       * @maxItems 100
       * @minItems 1
       */
      source?: ('webhook' | 'manual')[];
      pinned?: boolean;
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: WebhookSample[];
      };
    };
  };
  listWebhookTestEvents: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?: 'receivedAt' | '-receivedAt';
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: WebhookTestEvent[];
      };
    };
  };
  listWebhooks: {
    params: undefined;
    query: {
      /**
       * From 1.
       * @min 1
       * @max 2147483647
       * @default 1
       */
      current_page?: number;
      /**
       * How many on a page.
       * @min 1
       * @max 200
       * @default 10
       */
      per_page?: number;
      /** A field; a minus turns the order. Ties are broken by the id. */
      sort_by?:
        | 'name'
        | '-name'
        | 'status'
        | '-status'
        | 'createdAt'
        | '-createdAt'
        | 'updatedAt'
        | '-updatedAt';
      /**
       * Words, or parts of them, that the name has; case and accents do not matter.
       * @minLength 1
       * @maxLength 100
       * @pattern \S
       */
      search?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      name?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      channelId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      status?: ('draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived')[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      producerProfile?: string[];
      /** A moment, or a day from its beginning (UTC); included. */
      from?: any;
      /** A moment, or a day until its end (UTC); included. */
      to?: any;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        pagings: {
          current_page: number;
          total_pages: number;
          per_page: number;
          /** On this page. */
          count: number;
          /** On all pages. */
          total: number;
          /** False: there are at least that many. */
          total_exact: boolean;
        };
        results: Webhook[];
      };
    };
  };
  mergeContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: MergeContactBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: MergeContactAnswer;
    };
  };
  pauseWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  previewWebhookMappings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: PreviewWebhookMappingsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: PreviewWebhookMappingsAnswer;
    };
  };
  receiveEvent: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
    };
    query: undefined;
    body: object | any[];
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: {
        success: true;
        mode?: 'sample' | 'held';
        /** Absent for a sample. */
        eventId?: string;
        /** Whether the event id was known before. */
        duplicate?: boolean;
      };
    };
  };
  replayEvent: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: ReplayEventBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Event;
    };
  };
  replayEvents: {
    params: undefined;
    query: undefined;
    body: ReplayEventsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: ReplayEventsPreview;
    };
  };
  restoreWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: RestoreWebhookBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  resumeWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  retryDelivery: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Delivery;
    };
  };
  rollbackWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: RollbackWebhookBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  rotateWebhookKeys: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: RotateWebhookKeysBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: RotateWebhookKeysAnswer;
    };
  };
  suggestWebhookMappings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: SuggestWebhookMappingsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: SuggestWebhookMappingsAnswer;
    };
  };
  testChannel: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: object;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: TestChannelAnswer;
    };
  };
  unmergeContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UnmergeContactBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: UnmergeContactAnswer;
    };
  };
  updateChannel: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UpdateChannelBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Channel;
    };
  };
  updateContact: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UpdateContactBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: UpdateContactAnswer;
    };
  };
  updateToken: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UpdateTokenBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Token;
    };
  };
  updateWebhook: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UpdateWebhookBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: Webhook;
    };
  };
  updateWebhookSample: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      sampleId: string;
    };
    query: undefined;
    body: UpdateWebhookSampleBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookSample;
    };
  };
  updateWebhookSettings: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: UpdateWebhookSettingsBody;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: GetWebhookSettingsAnswer;
    };
  };
  uploadWebhookSamples: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: {
      /**
       * @minLength 1
       * @maxLength 100
       * @pattern \S
       */
      name?: string;
    };
    body: any;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: WebhookSample;
    };
  };
  verifyAudit: {
    params: undefined;
    query: {
      /**
       * SHA-256, in hex.
       * @pattern ^[0-9a-f]{64}$
       */
      head?: string;
      /**
       * Counts from 1 without a gap.
       * @min 1
       */
      seq?: number;
    };
    body: undefined;
    answer: {
      status: true;
      /** For people, in the language asked for. */
      message: string;
      data: VerifyAuditAnswer;
    };
  };
  watchEvents: {
    params: undefined;
    query: {
      /**
       * @maxItems 100
       * @minItems 1
       */
      webhookId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      state?: (
        'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded'
      )[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      externalId?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      eventType?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      reason?: string[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      mappingVersion?: number[];
      /**
       * @maxItems 100
       * @minItems 1
       */
      contactId?: string[];
      /**
       * Of the person it went to.
       * @minLength 1
       * @maxLength 64
       */
      phone?: string;
      /**
       * Of the person it went to.
       * @minLength 3
       * @maxLength 254
       */
      email?: string;
      /**
       * @maxItems 100
       * @minItems 1
       */
      parentId?: string[];
      /** Also the bodies that were split, beside their items. */
      parents?: boolean;
    };
    body: undefined;
    answer: WatchEventsAnswer;
  };
  watchWebhookSamples: {
    params: {
      /**
       * A UUID.
       * @pattern ^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$
       * @example "0198c2f4-7d1a-7c3e-9b52-3f6a1c0d8e21"
       */
      id: string;
    };
    query: undefined;
    body: undefined;
    answer: WatchWebhookSamplesAnswer;
  };
}

/** Where each operation is. */
export const operations = {
  activateWebhook: ['POST', '/v1/admin/webhooks/{id}/activate'],
  activateWebhookMapping: ['POST', '/v1/admin/webhooks/{id}/mappings/{version}/activate'],
  archiveWebhook: ['POST', '/v1/admin/webhooks/{id}/archive'],
  cancelReplay: ['POST', '/v1/admin/replays/{id}/cancel'],
  countWebhooks: ['GET', '/v1/admin/webhooks/counts'],
  createChannel: ['POST', '/v1/admin/channels'],
  createToken: ['POST', '/v1/admin/tokens'],
  createWebhook: ['POST', '/v1/admin/webhooks'],
  createWebhookMapping: ['POST', '/v1/admin/webhooks/{id}/mappings'],
  createWebhookSample: ['POST', '/v1/admin/webhooks/{id}/samples'],
  createWebhookTestEvent: ['POST', '/v1/admin/webhooks/{id}/test-events'],
  deleteBlock: ['DELETE', '/v1/admin/blocks/{id}'],
  deleteChannel: ['DELETE', '/v1/admin/channels/{id}'],
  deleteToken: ['DELETE', '/v1/admin/tokens/{id}'],
  deleteWebhookKey: ['DELETE', '/v1/admin/webhooks/{id}/keys/{keyId}'],
  deleteWebhookSample: ['DELETE', '/v1/admin/webhooks/{id}/samples/{sampleId}'],
  deleteWebhookSchedule: ['DELETE', '/v1/admin/webhooks/{id}/schedule'],
  deleteWebhookTestEvent: ['DELETE', '/v1/admin/webhooks/{id}/test-events/{eventId}'],
  deleteWebhookTestEvents: ['DELETE', '/v1/admin/webhooks/{id}/test-events'],
  diffWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/diff'],
  discardEvent: ['POST', '/v1/admin/events/{id}/discard'],
  discardEvents: ['POST', '/v1/admin/events/discard'],
  dismissContactConflict: ['POST', '/v1/admin/contacts/conflicts/{id}/dismiss'],
  eraseContact: ['POST', '/v1/admin/contacts/{id}/erase'],
  eraseContacts: ['POST', '/v1/admin/contacts/erase'],
  exportAudit: ['GET', '/v1/admin/audit/export'],
  exportEvents: ['GET', '/v1/admin/events/export'],
  findChatContactByPhone: ['GET', '/v1/chat/contacts/by-phone'],
  getAuditRow: ['GET', '/v1/admin/audit/{id}'],
  getChannel: ['GET', '/v1/admin/channels/{id}'],
  getChat: ['GET', '/v1/chat/{chatId}'],
  getChatContact: ['GET', '/v1/chat/contacts/{id}'],
  getContact: ['GET', '/v1/admin/contacts/{id}'],
  getContactChat: ['GET', '/v1/admin/contacts/{id}/chats/{chatId}'],
  getCurrentToken: ['GET', '/v1/admin/tokens/current'],
  getDelivery: ['GET', '/v1/admin/deliveries/{id}'],
  getErasure: ['GET', '/v1/admin/erasures/{id}'],
  getEvent: ['GET', '/v1/admin/events/{id}'],
  getProducers: ['GET', '/v1/admin/producers'],
  getReceipt: ['GET', '/v1/webhook/{keyapi}/receipts/{externalId}'],
  getReceiptByBody: ['GET', '/v1/webhook/{keyapi}/receipts/by-body/{sha256}'],
  getReplay: ['GET', '/v1/admin/replays/{id}'],
  getStats: ['GET', '/v1/admin/stats'],
  getStatsHealth: ['GET', '/v1/admin/stats/health'],
  getToken: ['GET', '/v1/admin/tokens/{id}'],
  getTransforms: ['GET', '/v1/admin/transforms'],
  getWebhook: ['GET', '/v1/admin/webhooks/{id}'],
  getWebhookDrift: ['GET', '/v1/admin/webhooks/{id}/drift'],
  getWebhookMapping: ['GET', '/v1/admin/webhooks/{id}/mappings/{version}'],
  getWebhookMappingsHealth: ['GET', '/v1/admin/webhooks/{id}/mappings/health'],
  getWebhookSample: ['GET', '/v1/admin/webhooks/{id}/samples/{sampleId}'],
  getWebhookSchedule: ['GET', '/v1/admin/webhooks/{id}/schedule'],
  getWebhookSettings: ['GET', '/v1/admin/webhooks/{id}/settings'],
  getWebhookTestEvent: ['GET', '/v1/admin/webhooks/{id}/test-events/{eventId}'],
  listAudit: ['GET', '/v1/admin/audit'],
  listBlocks: ['GET', '/v1/admin/blocks'],
  listChannelKinds: ['GET', '/v1/admin/channels/kinds'],
  listChannels: ['GET', '/v1/admin/channels'],
  listChatContacts: ['GET', '/v1/chat/contacts'],
  listChats: ['GET', '/v1/chat'],
  listContactChatMessages: ['GET', '/v1/admin/contacts/{id}/chats/{chatId}/messages'],
  listContactConflicts: ['GET', '/v1/admin/contacts/conflicts'],
  listContacts: ['GET', '/v1/admin/contacts'],
  listDeadLetters: ['GET', '/v1/admin/dead-letters'],
  listDeliveries: ['GET', '/v1/admin/deliveries'],
  listErasures: ['GET', '/v1/admin/erasures'],
  listEventDeliveries: ['GET', '/v1/admin/events/{id}/deliveries'],
  listEvents: ['GET', '/v1/admin/events'],
  listReplays: ['GET', '/v1/admin/replays'],
  listStatsWebhooks: ['GET', '/v1/admin/stats/webhooks'],
  listTokens: ['GET', '/v1/admin/tokens'],
  listWebhookKeys: ['GET', '/v1/admin/webhooks/{id}/keys'],
  listWebhookMappings: ['GET', '/v1/admin/webhooks/{id}/mappings'],
  listWebhookSamples: ['GET', '/v1/admin/webhooks/{id}/samples'],
  listWebhookTestEvents: ['GET', '/v1/admin/webhooks/{id}/test-events'],
  listWebhooks: ['GET', '/v1/admin/webhooks'],
  mergeContact: ['POST', '/v1/admin/contacts/{id}/merge'],
  pauseWebhook: ['POST', '/v1/admin/webhooks/{id}/pause'],
  previewWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/preview'],
  receiveEvent: ['POST', '/v1/webhook/{keyapi}'],
  replayEvent: ['POST', '/v1/admin/events/{id}/replay'],
  replayEvents: ['POST', '/v1/admin/events/replay'],
  restoreWebhook: ['POST', '/v1/admin/webhooks/{id}/restore'],
  resumeWebhook: ['POST', '/v1/admin/webhooks/{id}/resume'],
  retryDelivery: ['POST', '/v1/admin/deliveries/{id}/retry'],
  rollbackWebhook: ['POST', '/v1/admin/webhooks/{id}/rollback'],
  rotateWebhookKeys: ['POST', '/v1/admin/webhooks/{id}/keys/rotate'],
  suggestWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/suggest'],
  testChannel: ['POST', '/v1/admin/channels/{id}/test'],
  unmergeContact: ['POST', '/v1/admin/contacts/{id}/unmerge'],
  updateChannel: ['PATCH', '/v1/admin/channels/{id}'],
  updateContact: ['PATCH', '/v1/admin/contacts/{id}'],
  updateToken: ['PATCH', '/v1/admin/tokens/{id}'],
  updateWebhook: ['PATCH', '/v1/admin/webhooks/{id}'],
  updateWebhookSample: ['PATCH', '/v1/admin/webhooks/{id}/samples/{sampleId}'],
  updateWebhookSettings: ['PATCH', '/v1/admin/webhooks/{id}/settings'],
  uploadWebhookSamples: ['POST', '/v1/admin/webhooks/{id}/samples/file'],
  verifyAudit: ['GET', '/v1/admin/audit/verify'],
  watchEvents: ['GET', '/v1/admin/events/live'],
  watchWebhookSamples: ['GET', '/v1/admin/webhooks/{id}/samples/live'],
} as const;
