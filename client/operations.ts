// Generated from the OpenAPI document by `npm run api`.

export interface Channel {
  id: string;
  name: string;
  kind: 'inbox' | 'http' | 'smtp' | 'telegram' | 'whatsapp';
  settings: object;
  secretsSet: string[];
  enabled: boolean;
  health: {
    state: 'healthy' | 'failing' | 'off';
    failures: number;
    reason: string | null;
    since: string | null;
    failingSince: string | null;
    nextProbeAt: string | null;
    /** When the pause ends that the destination asked for by 429; null without one. */
    pausedUntil: string | null;
  };
  createdAt: string;
  updatedAt: string;
}

export interface Webhook {
  id: string;
  name: string;
  channelId: string;
  producerProfile: string;
  status: 'draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived';
  /** The status as text in the caller’s language. */
  statusLabel: string;
  setup: {
    sample: boolean;
    mapping: boolean;
    active: boolean;
    /** The next setup step; null if setup is complete. */
    next: 'sample' | 'mapping' | 'activation' | null;
  };
  /** The mapping version applied to new events. */
  activeVersion: number | null;
  /** The version that a rollback activates. */
  previousVersion: number | null;
  schedule: GetWebhookScheduleAnswer | null;
  createdAt: string;
  updatedAt: string;
}

export interface WebhookSample {
  id: string;
  receivedAt: string;
  source: 'webhook' | 'manual';
  name: string | null;
  pinned: boolean;
  eventId: string | null;
  contentType: string;
  headers: object;
  query: object;
  body: any;
}

export interface WebhookRejection {
  id: string;
  receivedAt: string;
  code:
    | 'malformed_json'
    | 'invalid_body'
    | 'unsupported_media_type'
    | 'body_too_large'
    | 'request_timeout'
    | 'invalid_signature'
    | 'source_not_allowed'
    | 'rate_limited';
  message: string;
  /** What exactly was wrong, in English; null if `code` says it. */
  detail: string | null;
  address: string;
  contentType: string;
  headers: object;
  query: object;
  /** Length of the body; null if it is unknown. */
  bytes: number | null;
  /** The first 4 kB as text; null if nothing of it is kept. */
  body: string | null;
  /** Whether `body` is the whole body. Only then the request can become a sample or an event. */
  complete: boolean;
  sampleId: string | null;
  eventId: string | null;
}

export interface WebhookMapping {
  version: number;
  mapping: MappingDocument;
  status: 'draft' | 'active' | 'retired';
  createdAt: string;
  createdBy: string;
  activatedAt: string | null;
}

export interface WebhookTestEvent {
  eventId: string;
  version: number;
  /** Whether it is delivered to an external channel. */
  deliver: boolean;
  externalId: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  receivedAt: string;
  finishedAt: string | null;
  effects: { contactId: string; chatId: string; messageId: string } | null;
  problems: { target: string; code: string; message: string }[];
  items: number | null;
}

export interface Replay {
  id: string;
  kind: 'replay' | 'discard' | 'resume';
  state: 'running' | 'done' | 'cancelled' | 'failed';
  filter: {
    webhookId?: string[];
    state?: (
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded'
    )[];
    reason?: string[];
    externalId?: string[];
    eventType?: string[];
    mappingVersion?: number[];
    parentId?: string[];
    /** Number of ids in the request. */
    ids?: number;
    from?: string;
    to?: string;
  };
  remap: boolean;
  perSecond: number;
  /** Number of events at the start of the run. */
  total: number;
  /** False: `total` is a lower bound. */
  totalExact: boolean;
  replayed: number;
  discarded: number;
  /** Events that another request or process changed first. */
  skipped: number;
  /** Why the last step failed. A failed run ended for this reason. */
  reason: 'selection_too_slow' | 'internal_error' | null;
  createdAt: string;
  createdBy: string;
  finishedAt: string | null;
}

export interface Event {
  id: string;
  webhookId: string;
  /** Whether it is a test event. */
  test: boolean;
  externalId: string | null;
  eventType: string | null;
  eventDate: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  attempts: number;
  deliveries: number;
  mappingVersion: number;
  receivedAt: string;
  finishedAt: string | null;
  nextAt: string | null;
  payload: any;
  headers: object;
  query: object;
  /** The changes of state, with the begin of each attempt. Of more than 100 changes, the first 20 and the last 80. */
  timeline: {
    at: string;
    state:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded';
    reason: string | null;
  }[];
  attemptHistory: {
    startedAt: string;
    /** The process that made the attempt: host and number. */
    worker: string | null;
    endedAt: string | null;
    durationMs: number | null;
    /** `lost`: the worker reported no outcome. `null`: in progress. */
    outcome: 'done' | 'ignored' | 'waiting' | 'dead' | 'lost' | null;
    reason: string | null;
    retryAt: string | null;
  }[];
  effects: { contactId: string; chatId: string; messageId: string } | null;
  problems: { target: string; code: string; message: string }[];
  parentId: string | null;
  items: number | null;
}

export interface Delivery {
  id: string;
  channelId: string;
  webhookId: string | null;
  eventId: string | null;
  contactId: string;
  chatId: string;
  state: 'waiting' | 'sending' | 'delivered' | 'dead';
  /** What the destination said last, if it is one that reports: `accepted` and `sent` have not reached the person yet. */
  reported: 'accepted' | 'sent' | 'failed' | 'delivered' | 'read' | null;
  reason: string | null;
  attempts: number;
  nextAt: string | null;
  createdAt: string;
  finishedAt: string | null;
}

export interface NoticesTarget {
  id: string;
  name: string;
  kind: 'webhook' | 'slack' | 'email';
  webhookId: string | null;
  /** The kinds of notice that are sent; null: all. */
  kinds:
    | (
        | 'first_dead'
        | 'dead_rising'
        | 'rejections_rising'
        | 'sender_silent'
        | 'mapping_drift'
        | 'destination_failing'
        | 'key_ending'
        | 'backlog_late'
      )[]
    | null;
  settings: object;
  secretsSet: string[];
  language: 'en' | 'pt-BR' | 'es';
  quietHours: {
    /** A zone of the IANA database. */
    zone: string;
    /** When they begin. */
    from: string;
    /** When they end. Earlier than `from`: on the next day. */
    to: string;
    /** Whether Saturday and Sunday are quiet too; default false. */
    weekend?: boolean;
  } | null;
  /** Open notices are sent again after so many hours; null: never. */
  reminderHours: number | null;
  enabled: boolean;
  createdAt: string;
  updatedAt: string;
  sentAt: string | null;
}

export interface Agent {
  id: string;
  name: string;
  lastName: string | null;
  email: string | null;
  status: 'active' | 'disabled';
  sectorIds: string[];
  createdAt: string;
  updatedAt: string;
}

export interface Audit {
  id: string;
  at: string;
  actor: { tokenId: string; name: string };
  address: string | null;
  action: string;
  target: {
    type:
      | 'agent'
      | 'audit'
      | 'backup'
      | 'block'
      | 'channel'
      | 'chat'
      | 'conflict'
      | 'contact'
      | 'delivery'
      | 'drill'
      | 'erasure'
      | 'event'
      | 'key'
      | 'label'
      | 'mapping'
      | 'rejection'
      | 'rules'
      | 'run'
      | 'sample'
      | 'secrets'
      | 'sector'
      | 'target'
      | 'token'
      | 'webhook';
    id: string;
  };
  /** An object or null; secrets are masked. */
  before: any;
  /** An object or null; secrets are masked. */
  after: any;
  redactedAt: string | null;
}

export interface Erasure {
  id: string;
  state: 'running' | 'done';
  contactIds: string[];
  block: boolean;
  reason: string | null;
  identifiers: { kind: string; hash: string }[];
  /** Also of those that are not listed. Up to 1000 of the contacts are listed. */
  identifiersTotal: number;
  counts: {
    events: number;
    bodies: number;
    resends: number;
    samples: number;
    rejections: number;
    messages: number;
    chats: number;
    contacts: number;
    identities: number;
    conflicts: number;
    auditRows: number;
  };
  createdAt: string;
  createdBy: string;
  finishedAt: string | null;
  audit: { id: string } | null;
}

export interface Contact {
  id: string;
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** The contact that it was merged into. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  createdAt: string;
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Precedence in a merge: pinned, then written, then fallback values; within a rank the later value. */
    rank: 'fallback' | 'written' | 'pinned';
    at: string | null;
    eventId: string | null;
    contactId: string | null;
    /** The value from events, if a pinned value hides it. */
    beneath: string | null;
  }[];
  identities: ContactIdentity[];
  /** Also of those that are not shown. At most 300 are shown; 10,000 stands for 10,000 or more. */
  identitiesTotal: number;
  chats: {
    id: string;
    status: string;
    startedAt: string;
    closedAt: string | null;
    lastMessageAt: string | null;
    contactId: string;
  }[];
  merges: { id: string; survivorId: string; mergedId: string; at: string; by: string }[];
  history: {
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    eventId: string | null;
    by: string | null;
    contactId: string | null;
  }[];
}

export interface ContactChat {
  id: string;
  channelId: string;
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
  startedAt: string;
  closedAt: string | null;
  lastMessageAt: string | null;
  /** Unread messages. 100 stands for 100 or more. */
  unread: number;
  sector: { id: string; name: string; color: string } | null;
  labels: { id: string; name: string; color: string }[];
  origin: string | null;
  campaign: string | null;
  fields: object;
}

export interface Token {
  id: string;
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  restriction: { webhookIds: string[]; channelIds: string[] } | null;
  maskContacts: boolean;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export interface ChatContact {
  id: string;
  contact_id: string;
  name: string | null;
  phone: string | null;
  phone_ddi: string | null;
  email: string | null;
  document: string | null;
  external_id: string | null;
  fields: object;
  created_at: string;
  updated_at: string;
  /** Present and true if it belongs to a test event. */
  test?: boolean;
}

export interface LabelTemplate {
  label_template_id: string;
  label: string;
  color: string;
  label_status: { label_status_id: 'active' | 'disabled' };
  created_at: string;
}

export interface Sector {
  sector_id: string;
  name: string;
  color: string;
  /** An installation is one account. */
  account: null;
  sector_status: { sector_status_id: 'active' | 'disabled' };
  created_at: string;
}

export interface WebhooksConfiguration {
  webhook: Webhook;
  settings: GetWebhookSettingsAnswer;
  noticeRules: {
    first_dead?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    dead_rising?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** Dead events of a webhook in this hour and the last; default 10. */
      count?: number;
    };
    rejections_rising?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** Rejections in this hour and the last; default 20. */
      count?: number;
      /** Their least share of the requests in that time; default 10. */
      percent?: number;
    };
    sender_silent?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** A silence is unusual when it happens by chance once in so many times; default 10000. */
      oneIn?: number;
      /** The shortest silence; default 2. */
      hours?: number;
    };
    mapping_drift?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    destination_failing?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    key_ending?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** How long before the end of the key; default 24. */
      hours?: number;
    };
    backlog_late?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** How long the oldest due event may wait; default 5. */
      minutes?: number;
    };
  };
  active: WebhookMapping | null;
  newest: WebhookMapping | null;
}

export interface WebhookKey {
  id: string;
  lastFour: string;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  /** Requests with this key, delayed by seconds. */
  uses: number;
  /** Of `uses`, those since the webhook’s keys were last rotated. */
  usesSinceRotation: number;
  lastUsedAt: string | null;
}

export interface EventsEffect {
  eventId: string;
  contact: { id: string; name: string | null; phone: string | null; email: string | null } | null;
  /** The first 200 characters. */
  message: string | null;
}

export interface EventSummary {
  id: string;
  webhookId: string;
  /** Whether it is a test event. */
  test: boolean;
  externalId: string | null;
  eventType: string | null;
  eventDate: string | null;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  reason: string | null;
  attempts: number;
  deliveries: number;
  mappingVersion: number;
  receivedAt: string;
  finishedAt: string | null;
  nextAt: string | null;
}

export interface EventDelivery {
  /** 1 for the first delivery. */
  number: number;
  at: string;
  bodySha256: string;
  /** Whether the body equals the current body of the event. */
  sameBody: boolean;
  /** Whether it revived a dead or ignored event and replaced its body. */
  revived: boolean;
  /** The first 200 changes from the event’s body to this one. Null if the bodies are equal or no copy is kept. Copies are kept of the last five differing bodies of at most 256 KiB. */
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
  webhookId: string;
  reason: string;
  action: {
    code:
      | 'fix_mapping'
      | 'fix_sender'
      | 'fix_webhook'
      | 'inspect_logs'
      | 'fix_destination'
      | 'enable_channel'
      | 'fix_keys'
      | 'await_reply'
      | 'check_destination'
      | 'accept'
      | 'erase_person'
      | 'wait';
    /** What to do about it, in the caller’s language. */
    text: string;
  };
  count: number;
  firstFinishedAt: string;
  lastFinishedAt: string;
  mappingVersions: number[];
  exampleEventId: string;
}

export interface NoticesDelivery {
  id: string;
  targetId: string;
  createdAt: string;
  notices: number;
  reminder: boolean;
  state: 'waiting' | 'sending' | 'delivered' | 'dead';
  attempts: number;
  reason: string | null;
  nextAt: string | null;
  finishedAt: string | null;
}

export interface Notice {
  id: string;
  kind:
    | 'first_dead'
    | 'dead_rising'
    | 'rejections_rising'
    | 'sender_silent'
    | 'mapping_drift'
    | 'destination_failing'
    | 'key_ending'
    | 'backlog_late';
  webhookId: string | null;
  subject: string | null;
  state: 'open' | 'resolved';
  facts: {
    count: number | null;
    since: string | null;
    until: string | null;
    name: string | null;
    targets: string[] | null;
  };
  text: string;
  openedAt: string;
  changedAt: string;
  resolvedAt: string | null;
}

export interface ContactsConflict {
  id: string;
  channelId: string;
  state: 'open' | 'resolved';
  resolution: 'merged' | 'dismissed' | 'erased' | null;
  eventId: string;
  /** The contacts; the one that the event was assigned to comes first. */
  contacts: ContactSummary[];
  /** The contact of each identity of the event. */
  named: { kind: 'externalId' | 'phone' | 'email' | 'document'; contactId: string }[];
  createdAt: string;
  resolvedAt: string | null;
}

export interface Block {
  id: string;
  channelId: string;
  kind: string;
  blockedAt: string;
  erasureId: string;
}

export interface ContactSummary {
  id: string;
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** The contact that it was merged into. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  createdAt: string;
  updatedAt: string;
}

export interface ContactIdentity {
  kind: 'externalId' | 'phone' | 'email' | 'document';
  value: string;
  webhookId: string | null;
  contactId: string;
}

export interface ContactChatMessage {
  id: string;
  from: 'operator' | 'client' | 'bot' | 'system';
  agent: { id: string; name: string; lastName: string | null } | null;
  type: 'text' | 'image' | 'document' | 'video' | 'audio';
  text: string;
  files: { id: string; name: string; contentType: string; bytes: number }[];
  quotedId: string | null;
  at: string;
  eventId: string | null;
  webhookId: string | null;
  /** Null if the channel is not external. */
  delivery: {
    state: 'waiting' | 'sending' | 'delivered' | 'dead';
    /** What the destination said last, if it is one that reports: `accepted` and `sent` have not reached the person yet. */
    reported: 'accepted' | 'sent' | 'failed' | 'delivered' | 'read' | null;
    reason: string | null;
  } | null;
}

export interface StatsWebhook {
  webhookId: string;
  name: string;
  lastEventAt: string | null;
  receivedEver: number;
  totals: {
    received: number;
    duplicates: number;
    held: number;
    done: number;
    ignored: number;
    dead: number;
    discarded: number;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p50Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p95Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p99Ms: number | null;
  };
  received: number[];
  dead: number[];
}

export interface StatsRejection {
  webhookId: string;
  name: string;
  count: number;
}

export interface User {
  user_id: string;
  name: string;
  last_name: string | null;
  email: string | null;
  status: 'active' | 'disabled';
  sector_ids: string[];
}

export interface Chat {
  chat_id: string;
  worker: { id: string; name: string };
  sector: { id: string; name: string; color: string } | null;
  user: { user_id: string; name: string; last_name: string | null } | null;
  contact: {
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
  date: string;
  started_at: string;
  closed_at: string | null;
  labels: { label_template_id: string; label: string; color: string }[];
  /** Unread messages. 100 stands for 100 or more. */
  unread_count: number;
  context: { origin: string | null; campaign: string | null; fields: object };
  /** Present and true if it belongs to a test event. */
  test?: boolean;
}

export interface ChatSearch {
  message_id: string;
  chat_id: string;
  type_user: 'operator' | 'client' | 'bot' | 'system';
  content: {
    type: 'text' | 'image' | 'document' | 'video' | 'audio';
    message: string;
    files?: {
      file_id: string;
      name: string;
      content_type: string;
      bytes: number;
      /** Where its bytes are read, with a token. */
      path: string;
    }[];
  };
  summary: { is_sent: boolean; is_delivered: boolean; is_seen: boolean };
  date: string;
  has_quoted: boolean;
  message_quoted_id: string | null;
  user: { user_id: string; name: string; last_name: string | null } | null;
}

export type CreateChannelBody = {
  name: string;
  kind: 'inbox' | 'http' | 'smtp' | 'telegram' | 'whatsapp';
  settings?: object;
};

export interface ListChannelKindsAnswer {
  kinds: {
    kind: 'inbox' | 'http' | 'smtp' | 'telegram' | 'whatsapp';
    goesOutside: boolean;
    capabilities: {
      reaches: 'system' | 'person';
      media: boolean;
      templates: boolean;
      windowHours: number | null;
      replies: boolean;
    } | null;
    idempotency: 'native' | 'reconcile' | 'none' | null;
    inbound: { producers: string[]; registers: boolean } | null;
    settingsSchema: object;
    secrets: string[];
  }[];
}

export interface UpdateChannelBody {
  name?: string;
  enabled?: boolean;
  settings?: object;
}

export interface TestChannelAnswer {
  outcome: 'delivered' | 'failed';
  reason: string | null;
}

export interface ProbeChannelAnswer {
  outcome: 'works' | 'failed';
  reason: string | null;
  receives: {
    state: 'here' | 'elsewhere' | 'nowhere';
    webhookId: string | null;
    pending: number;
    lastErrorAt: string | null;
    lastError: string | null;
  } | null;
}

export interface CountWebhooksAnswer {
  total: number;
  byStatus: {
    draft: number;
    sampled: number;
    mapped: number;
    active: number;
    paused: number;
    archived: number;
  };
}

export interface CreateWebhookAnswer {
  id: string;
  name: string;
  channelId: string;
  producerProfile: string;
  status: 'draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived';
  /** The status as text in the caller’s language. */
  statusLabel: string;
  setup: {
    sample: boolean;
    mapping: boolean;
    active: boolean;
    /** The next setup step; null if setup is complete. */
    next: 'sample' | 'mapping' | 'activation' | null;
  };
  /** The mapping version applied to new events. */
  activeVersion: number | null;
  /** The version that a rollback activates. */
  previousVersion: number | null;
  schedule: GetWebhookScheduleAnswer | null;
  createdAt: string;
  updatedAt: string;
  /** The secret URL, shown only once. */
  url: string;
  /** The path key, shown only once. */
  key: string;
}

export interface CreateWebhookBody {
  name: string;
  channelId: string;
  producerProfile?:
    | 'generic'
    | 'activecampaign'
    | 'bitrix24'
    | 'calendly'
    | 'cloudflare-email'
    | 'evolution'
    | 'hotmart'
    | 'hubspot'
    | 'intercom'
    | 'kommo'
    | 'mailchimp'
    | 'mailgun'
    | 'meta'
    | 'nuvemshop'
    | 'pipedrive'
    | 'postmark'
    | 'rd-station'
    | 'sendgrid'
    | 'shopify'
    | 'slack'
    | 'standard-webhooks'
    | 'stripe'
    | 'telegram'
    | 'twilio'
    | 'typeform'
    | 'waha'
    | 'whatsapp'
    | 'wordpress-forms'
    | 'zendesk';
}

export interface UpdateWebhookBody {
  name?: string;
  channelId?: string;
}

export interface RestoreWebhookBody {
  /** Another channel, for example if the former one was deleted. */
  channelId?: string;
}

export interface ActivateWebhookBody {
  version?: number;
  /** Turns the kept samples into events; repeats have no effect. */
  processSamples?: boolean;
  /** Activates at this time; another activation or archiving cancels it. */
  at?: string;
  /** Hours in which the event id recipe of the previous version still recognises resends, if the recipes differ; 0 if the previous recipe was wrong. Default: the settings. */
  dedupOverlapHours?: number;
}

export interface RollbackWebhookBody {
  /** Hours in which the event id recipe of the previous version still recognises resends, if the recipes differ; 0 if the previous recipe was wrong. Default: the settings. */
  dedupOverlapHours?: number;
}

export interface GetWebhookScheduleAnswer {
  at: string;
  version: number;
  dedupOverlapHours: number | null;
  by: string;
}

export interface GetWebhookKeyHashesAnswer {
  /** The newest first. */
  keys: {
    /** The SHA-256 of the key, in hexadecimal. */
    hash: string;
    lastFour: string;
    expiresAt: string | null;
  }[];
}

export interface ImportWebhookKeyBody {
  /** The SHA-256 of the key, in hexadecimal. */
  hash: string;
  /** The last four characters of the key, for people. */
  lastFour: string;
  expiresAt?: string | null;
}

export interface RotateWebhookKeysAnswer {
  id: string;
  url: string;
  key: string;
  /** When the older keys expire. */
  previousExpiresAt: string | null;
}

export interface RotateWebhookKeysBody {
  /** 0: older keys are revoked at once. */
  overlapHours?: number;
  expiresAt?: string | null;
}

export interface RegisterWebhookAnswer {
  outcome: 'registered' | 'failed';
  reason: string | null;
  said: string | null;
}

export interface WatchWebhookSamplesAnswer {
  at: string;
  sample?: { id: string; receivedAt: string; source: 'webhook' | 'manual' };
}

export interface CreateWebhookSampleBody {
  /** As JSON; either this or `rawBody`. */
  body?: object | any[];
  /** The body as UTF-8 text. */
  rawBody?: string;
  /** Default: `application/json`. */
  contentType?: string;
  headers?: object;
  query?: object;
  payload?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /** Default: `application/json`. */
    contentType?: string;
    headers?: object;
    query?: object;
  };
  eventId?: string;
  name?: string;
}

export interface UpdateWebhookSampleBody {
  pinned?: boolean;
  name?: string | null;
}

export interface CountWebhookRejectionsAnswer {
  from: string;
  to: string;
  total: number;
  codes: {
    code:
      | 'malformed_json'
      | 'invalid_body'
      | 'unsupported_media_type'
      | 'body_too_large'
      | 'request_timeout'
      | 'invalid_signature'
      | 'source_not_allowed'
      | 'rate_limited';
    count: number;
  }[];
  series: { at: string; total: number; codes: object }[];
}

export interface RecordWebhookRejectionAnswer {
  eventId: string;
  /** Whether the event was known before. */
  duplicate: boolean;
  mode: 'event' | 'held';
}

export interface CreateWebhookMappingBody {
  mapping: MappingDocument;
}

export interface PreviewWebhookMappingsAnswer {
  items: {
    ignored: string | null;
    eventId: string | null;
    eventType: string | null;
    eventDate: string | null;
    contact: {
      externalId: string | null;
      name: string | null;
      phone: string | null;
      email: string | null;
      document: string | null;
      fields: object;
      former?: { kind: 'externalId' | 'phone' | 'email' | 'document'; value: string }[];
    };
    message: { text: string | null };
    context: {
      origin: string | null;
      campaign: string | null;
      labels: string[];
      sector: string | null;
      fields: object;
    };
    problems: { target: string; code: string; message: string }[];
    failure: string | null;
    sources: object;
  }[];
}

export interface PreviewWebhookMappingsBody {
  /** A mapping document. */
  mapping?: any;
  version?: number;
  payload: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /** Default: `application/json`. */
    contentType?: string;
    headers?: object;
    query?: object;
  };
}

export interface DiffWebhookMappingsAnswer {
  counts: { same: number; changed: number; newlyFailing: number; newlyPassing: number };
  items: {
    eventId: string;
    externalId: string | null;
    item: number | null;
    kind: 'same' | 'changed' | 'newlyFailing' | 'newlyPassing';
    changes: { target: string; before: string | null; after: string | null }[];
    failure: { before: string | null; after: string | null };
  }[];
}

export interface DiffWebhookMappingsBody {
  mapping: MappingDocument;
  last?: number;
}

export interface SuggestWebhookMappingsAnswer {
  mapping: MappingDocument;
  confidence: object;
  alternatives: object;
  evidence: object;
  /** A `template` for `message.text` with the facts of an order or the answers of a form. Null for other payloads. */
  messageTemplate: string | null;
  producers: { name: string; confidence: number }[];
}

export interface SuggestWebhookMappingsBody {
  payloads?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /** Default: `application/json`. */
    contentType?: string;
    headers?: object;
    query?: object;
  }[];
  sampleIds?: string[];
}

export interface RepairWebhookMappingsAnswer {
  version: number;
  workedEventId: string | null;
  replacements: {
    targets: string[];
    from: string;
    path: string;
    example: string | number | boolean;
    similarity: number;
    because: ('name' | 'value' | 'place')[];
  }[];
  /** Targets without a path that looks like theirs. */
  unresolved: string[];
  /** At most 50. */
  gone: string[];
  /** At most 50. */
  added: string[];
  /** The version with the new paths; the old ones stay as fallbacks. */
  mapping: any;
}

export interface RepairWebhookMappingsBody {
  eventId: string;
  /** Default: the active one. */
  version?: number;
}

export interface GetWebhookMappingsHealthAnswer {
  /** Older counts are deleted. */
  keptDays: number;
  versions: {
    version: number;
    status: 'draft' | 'active' | 'retired';
    activatedAt: string | null;
    ended: number;
    done: number;
    ignored: number;
    dead: number;
    retried: number;
    reasons: { reason: string; count: number }[];
    problems: { target: string; code: string; count: number }[];
  }[];
}

export interface ActivateWebhookMappingBody {
  /** Turns the kept samples into events; repeats have no effect. */
  processSamples?: boolean;
  /** Activates at this time; another activation or archiving cancels it. */
  at?: string;
  /** Hours in which the event id recipe of the previous version still recognises resends, if the recipes differ; 0 if the previous recipe was wrong. Default: the settings. */
  dedupOverlapHours?: number;
}

export interface CreateWebhookTestEventBody {
  payload?: {
    /** As JSON; either this or `rawBody`. */
    body?: object | any[];
    /** The body as UTF-8 text. */
    rawBody?: string;
    /** Default: `application/json`. */
    contentType?: string;
    headers?: object;
    query?: object;
  };
  sampleId?: string;
  eventId?: string;
  version?: number;
  /** Also delivers it to the external channel, marked as a test; default: false. */
  deliver?: boolean;
}

export interface DeleteWebhookTestEventsAnswer {
  deleted: number;
  left: number;
}

export interface GetWebhookDriftAnswer {
  observedSince: string | null;
  events: number;
  ignored: number;
  /** False if there are more paths than are recorded. */
  complete: boolean;
  paths: {
    path: string;
    types: {
      type: 'string' | 'number' | 'boolean' | 'object' | 'array' | 'empty';
      /** Share of the events. */
      share: number;
    }[];
    /** Share of the events. */
    presence: number;
    lastSeenAt: string;
    /** Whether the active mapping reads it. */
    mapped: boolean;
  }[];
  warnings: {
    kind: 'missing' | 'type_changed' | 'rarer' | 'new_path';
    target: string | null;
    path: string | null;
    since: string;
    /** Share of the events. */
    before: number;
    /** Share of the events. */
    after: number;
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
                  /** The name of a header, in any case. */
                  header: string;
                  algorithm: 'sha1' | 'sha256' | 'sha512';
                  encoding: 'hex' | 'base64';
                  /** Prefix of each signature, such as `sha256=`. */
                  prefix?: string;
                  /** Separator of several signatures in the header, or of its `name=value` pairs. */
                  separator?: ',' | ' ' | ';';
                  /** Name of the signature if the header has `name=value` pairs. */
                  field?: string;
                  /** Location of the timestamp: a header, or a pair in the signature header. */
                  timestamp?:
                    | {
                        /** The name of a header, in any case. */
                        header: string;
                      }
                    | { field: string };
                  id?: {
                    /** The name of a header, in any case. */
                    header: string;
                  };
                  /** The signed content: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}. */
                  signed?: string;
                  secretEncoding?: 'text' | 'base64' | 'hex';
                  /** Prefix to remove from the secret, such as `whsec_`. */
                  secretPrefix?: string;
                }
              | {
                  kind: 'hash';
                  /** The name of a header, in any case. */
                  header: string;
                  algorithm: 'sha1' | 'sha256' | 'sha512';
                  encoding: 'hex' | 'base64';
                  /** Prefix of each signature, such as `sha256=`. */
                  prefix?: string;
                  /** Separator of several signatures in the header, or of its `name=value` pairs. */
                  separator?: ',' | ' ' | ';';
                  /** Name of the signature if the header has `name=value` pairs. */
                  field?: string;
                  /** Location of the timestamp: a header, or a pair in the signature header. */
                  timestamp?:
                    | {
                        /** The name of a header, in any case. */
                        header: string;
                      }
                    | { field: string };
                  id?: {
                    /** The name of a header, in any case. */
                    header: string;
                  };
                  /** The signed content: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}. */
                  signed?: string;
                }
              | {
                  kind: 'token';
                  from:
                    | {
                        /** The name of a header, in any case. */
                        header: string;
                      }
                    | { query: string }
                    | { field: string };
                  /** Such as `Bearer `. */
                  prefix?: string;
                }
              | {
                  kind: 'fields';
                  algorithm: 'sha1' | 'sha256' | 'sha512';
                  encoding: 'hex' | 'base64';
                  signature: string;
                  timestamp: string;
                  token: string;
                }
            )
        )
      | null;
    toleranceSeconds: number | null;
    secretsSet: number;
  } | null;
  handshake: {
    challenge:
      | (
          | string
          | {
              from:
                | { query: string }
                | { field: string }
                | {
                    /** The name of a header, in any case. */
                    header: string;
                  };
              when?: {
                at:
                  | { query: string }
                  | { field: string }
                  | {
                      /** The name of a header, in any case. */
                      header: string;
                    };
                equals: string;
              };
              as: 'text' | 'json' | 'header';
              /** Name in the response; default: the name in the request. */
              name?: string;
              /** Location of the verify token in the request. */
              token?:
                | { query: string }
                | {
                    /** The name of a header, in any case. */
                    header: string;
                  };
              hmac?: { name: string; encoding: 'hex' | 'base64'; prefix?: string };
            }
        )
      | null;
    verifyTokenSet: boolean;
  } | null;
  answer: {
    status: number;
    contentType:
      | 'application/json'
      | 'text/plain'
      | 'text/xml'
      | 'application/xml'
      | 'application/x-www-form-urlencoded'
      | 'application/json; charset=utf-8'
      | 'text/plain; charset=utf-8'
      | 'text/xml; charset=utf-8'
      | 'application/xml; charset=utf-8'
      | 'application/x-www-form-urlencoded; charset=utf-8';
    body: string;
  } | null;
  answersGet: boolean | null;
  retries: { maxAttempts: number | null; delaysSeconds: number[] | null } | null;
  rateLimit: { perSecond: number | null; perMinute: number | null; burst: number | null } | null;
  allowlist: string[] | null;
  dedup: { windowDays: number | null; overlapHours: number | null } | null;
  retention: {
    bodiesDays: number | null;
    samplesDays: number | null;
    eventsDays: number | null;
  } | null;
  allowEmptyPerson: boolean | null;
  /** The setting `allowEmptyPerson`, or the default of the producer. */
  emptyPersonAllowed: boolean;
  updatedAt: string | null;
}

export interface UpdateWebhookSettingsBody {
  producerProfile?:
    | 'generic'
    | 'activecampaign'
    | 'bitrix24'
    | 'calendly'
    | 'cloudflare-email'
    | 'evolution'
    | 'hotmart'
    | 'hubspot'
    | 'intercom'
    | 'kommo'
    | 'mailchimp'
    | 'mailgun'
    | 'meta'
    | 'nuvemshop'
    | 'pipedrive'
    | 'postmark'
    | 'rd-station'
    | 'sendgrid'
    | 'shopify'
    | 'slack'
    | 'standard-webhooks'
    | 'stripe'
    | 'telegram'
    | 'twilio'
    | 'typeform'
    | 'waha'
    | 'whatsapp'
    | 'wordpress-forms'
    | 'zendesk'
    | null;
  signature?: {
    scheme?:
      | string
      | {
          kind?: 'hmac' | 'hash' | 'token' | 'fields' | null;
          /** The name of a header, in any case. */
          header?: string | null;
          algorithm?: 'sha1' | 'sha256' | 'sha512' | null;
          encoding?: 'hex' | 'base64' | null;
          /** Prefix of each signature, such as `sha256=`. */
          prefix?: string | null;
          /** Separator of several signatures in the header, or of its `name=value` pairs. */
          separator?: ',' | ' ' | ';' | null;
          /** Name of the signature if the header has `name=value` pairs. */
          field?: string | null;
          timestamp?:
            | {
                /** The name of a header, in any case. */
                header?: string | null;
                field?: string | null;
              }
            | string
            | null;
          id?: {
            /** The name of a header, in any case. */
            header?: string | null;
          } | null;
          /** The signed content: text with {body}, {timestamp}, {id}, {url}, {method}, {params} and, for plain hashes, {secret}. */
          signed?: string | null;
          secretEncoding?: 'text' | 'base64' | 'hex' | null;
          /** Prefix to remove from the secret, such as `whsec_`. */
          secretPrefix?: string | null;
          from?: {
            /** The name of a header, in any case. */
            header?: string | null;
            query?: string | null;
            field?: string | null;
          } | null;
          signature?: string | null;
          token?: string | null;
        }
      | null;
    /** A signature with any of them is valid, so that secrets can be rotated without downtime. */
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
          /** Name in the response; default: the name in the request. */
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
    contentType?:
      | 'application/json'
      | 'text/plain'
      | 'text/xml'
      | 'application/xml'
      | 'application/x-www-form-urlencoded'
      | 'application/json; charset=utf-8'
      | 'text/plain; charset=utf-8'
      | 'text/xml; charset=utf-8'
      | 'application/xml; charset=utf-8'
      | 'application/x-www-form-urlencoded; charset=utf-8'
      | null;
    body?: string | null;
  } | null;
  /** Answer a GET with 200, which some senders send before they accept a URL. It stores nothing. A HEAD is always answered. */
  answersGet?: boolean | null;
  retries?: {
    /** Number of attempts, the first included; default 9. Events keep the number that they were recorded with. */
    maxAttempts?: number | null;
    /** The maximum wait after the first attempt, the second, and so on; the last value repeats. Each wait is a random part of it. */
    delaysSeconds?: number[] | null;
  } | null;
  rateLimit?: {
    perSecond?: number | null;
    /** Number of requests allowed at once after a pause; default: the rate. */
    burst?: number | null;
    perMinute?: number | null;
  } | null;
  /** Addresses and CIDR ranges. Requests from other addresses are rejected. */
  allowlist?: string[] | null;
  dedup?: {
    /** How long a finished event is known by its id at least, so that a resend has no effects; default 400. */
    windowDays?: number | null;
    /** How long the former event id recipe still recognises resends after an activation changes it; default 72. */
    overlapHours?: number | null;
  } | null;
  retention?: {
    /** How long the body, headers and query of an event are kept after its end; default: INLET_RETENTION_DAYS. */
    bodiesDays?: number | null;
    /** How long unpinned samples and rejections are kept; default: INLET_RETENTION_DAYS. */
    samplesDays?: number | null;
    /** How long events are kept after their end: at least dedup.windowDays, which is the default. */
    eventsDays?: number | null;
  } | null;
  /** Whether an event makes a contact when name, phone and e-mail are mapped and empty; default true for `hubspot`, which sends the fields of a person one by one, otherwise false: the event is dead with `person_empty`. */
  allowEmptyPerson?: boolean | null;
}

export interface GetProducersAnswer {
  producers: {
    name: string;
    title: string;
    delivers: string;
    instructions: string;
    signature: { preset: string; scheme: object } | null;
    handshake: boolean;
    challenge: object | null;
    answer: object | null;
    eventId: object | null;
    starterMapping: MappingDocument;
    sample: { contentType: string; headers: object; rawBody: string };
  }[];
  settings: object;
}

export interface GetTransformsAnswer {
  transforms: {
    name: string;
    description: string;
    options: object;
    standsAlone: boolean;
    examples: { use: string | object; item: any; from: any; to: any }[];
  }[];
}

export interface ReplayEventsPreview {
  count: number;
  /** False: `count` is a lower bound. */
  exact: boolean;
  byState: {
    state:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded';
    count: number;
  }[];
  byReason: { reason: string | null; count: number }[];
}

export interface ReplayEventsBody {
  /** The filters of the event search. Without `state`: all states that the run accepts. A run over done events needs `webhookId`, `from`, `externalId`, `reason` or `parentId`. */
  filter?: {
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
          | 'received'
          | 'held'
          | 'processing'
          | 'waiting'
          | 'done'
          | 'ignored'
          | 'dead'
          | 'discarded'
        )[];
    reason?: string | string[];
    externalId?: string | string[];
    eventType?: string | string[];
    mappingVersion?: number | number[];
    parentId?: string | string[];
    from?: string;
    to?: string;
  };
  ids?: string[];
  /** Only counts the events; the response is 200. */
  preview?: boolean;
  perSecond?: number;
  /** Also replays done events and updates their effects. */
  remap?: boolean;
}

export interface DiscardEventsBody {
  /** The filters of the event search. Without `state`: all states that the run accepts. A run over done events needs `webhookId`, `from`, `externalId`, `reason` or `parentId`. */
  filter?: {
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
          | 'received'
          | 'held'
          | 'processing'
          | 'waiting'
          | 'done'
          | 'ignored'
          | 'dead'
          | 'discarded'
        )[];
    reason?: string | string[];
    externalId?: string | string[];
    eventType?: string | string[];
    mappingVersion?: number | number[];
    parentId?: string | string[];
    from?: string;
    to?: string;
  };
  ids?: string[];
  /** Only counts the events; the response is 200. */
  preview?: boolean;
  perSecond?: number;
}

export interface WatchEventsAnswer {
  at: string;
  event?: {
    id: string;
    webhookId: string;
    /** Whether it is a test event. */
    test: boolean;
    externalId: string | null;
    eventType: string | null;
    eventDate: string | null;
    state:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded';
    reason: string | null;
    attempts: number;
    deliveries: number;
    mappingVersion: number;
    receivedAt: string;
    finishedAt: string | null;
    nextAt: string | null;
  };
  request?: {
    contentType: string;
    headers: object;
    query: object;
    /** The bytes of the body in base64. */
    body: string;
  } | null;
}

export interface ExportEventsAnswer {
  /** Pass it as `cursor` to continue after this line. */
  cursor: string;
  event: {
    id: string;
    webhookId: string;
    /** Whether it is a test event. */
    test: boolean;
    externalId: string | null;
    eventType: string | null;
    eventDate: string | null;
    state:
      | 'received'
      | 'held'
      | 'processing'
      | 'waiting'
      | 'done'
      | 'ignored'
      | 'dead'
      | 'discarded';
    reason: string | null;
    attempts: number;
    deliveries: number;
    mappingVersion: number;
    receivedAt: string;
    finishedAt: string | null;
    nextAt: string | null;
    payload?: any;
  };
}

export interface ReplayEventBody {
  /** Also accepts done events and updates their effects. */
  remap?: boolean;
}

export interface RetryNoticesTargetAnswer {
  retried: number;
  more: boolean;
}

export type CreateNoticesTargetBody = {
  name: string;
  kind: 'webhook' | 'slack' | 'email';
  webhookId?: string | null;
  settings: object;
  /** The kinds of notice that are sent; null: all. */
  kinds?:
    | (
        | 'first_dead'
        | 'dead_rising'
        | 'rejections_rising'
        | 'sender_silent'
        | 'mapping_drift'
        | 'destination_failing'
        | 'key_ending'
        | 'backlog_late'
      )[]
    | null;
  language?: 'en' | 'pt-BR' | 'es';
  quietHours?: {
    /** A zone of the IANA database. */
    zone: string;
    /** When they begin. */
    from: string;
    /** When they end. Earlier than `from`: on the next day. */
    to: string;
    /** Whether Saturday and Sunday are quiet too; default false. */
    weekend?: boolean;
  } | null;
  /** Open notices are sent again after so many hours; null: never. */
  reminderHours?: number | null;
};

export interface ListNoticeTargetKindsAnswer {
  kinds: { kind: 'webhook' | 'slack' | 'email'; settingsSchema: object; secrets: string[] }[];
}

export interface UpdateNoticesTargetBody {
  name?: string;
  settings?: object;
  enabled?: boolean;
  /** The kinds of notice that are sent; null: all. */
  kinds?:
    | (
        | 'first_dead'
        | 'dead_rising'
        | 'rejections_rising'
        | 'sender_silent'
        | 'mapping_drift'
        | 'destination_failing'
        | 'key_ending'
        | 'backlog_late'
      )[]
    | null;
  language?: 'en' | 'pt-BR' | 'es';
  quietHours?: {
    /** A zone of the IANA database. */
    zone: string;
    /** When they begin. */
    from: string;
    /** When they end. Earlier than `from`: on the next day. */
    to: string;
    /** Whether Saturday and Sunday are quiet too; default false. */
    weekend?: boolean;
  } | null;
  /** Open notices are sent again after so many hours; null: never. */
  reminderHours?: number | null;
}

export interface TestNoticesTargetAnswer {
  outcome: 'delivered' | 'failed';
  reason: string | null;
}

export interface GetNoticesRulesAnswer {
  rules: {
    first_dead?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    dead_rising?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** Dead events of a webhook in this hour and the last; default 10. */
      count?: number;
    };
    rejections_rising?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** Rejections in this hour and the last; default 20. */
      count?: number;
      /** Their least share of the requests in that time; default 10. */
      percent?: number;
    };
    sender_silent?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** A silence is unusual when it happens by chance once in so many times; default 10000. */
      oneIn?: number;
      /** The shortest silence; default 2. */
      hours?: number;
    };
    mapping_drift?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    destination_failing?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
    };
    key_ending?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** How long before the end of the key; default 24. */
      hours?: number;
    };
    backlog_late?: {
      /** Whether the rule creates notices; default true. */
      enabled?: boolean;
      /** How long the oldest due event may wait; default 5. */
      minutes?: number;
    };
  };
  effective: {
    first_dead: { enabled: boolean };
    dead_rising: { enabled: boolean; count: number };
    rejections_rising: { enabled: boolean; count: number; percent: number };
    sender_silent: { enabled: boolean; oneIn: number; hours: number };
    mapping_drift: { enabled: boolean };
    destination_failing: { enabled: boolean };
    key_ending: { enabled: boolean; hours: number };
    backlog_late: { enabled: boolean; minutes: number };
  };
  updatedAt: string | null;
}

export interface UpdateNoticesRulesBody {
  first_dead?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  dead_rising?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** Dead events of a webhook in this hour and the last; default 10. */
    count?: number | null;
  } | null;
  rejections_rising?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** Rejections in this hour and the last; default 20. */
    count?: number | null;
    /** Their least share of the requests in that time; default 10. */
    percent?: number | null;
  } | null;
  sender_silent?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** A silence is unusual when it happens by chance once in so many times; default 10000. */
    oneIn?: number | null;
    /** The shortest silence; default 2. */
    hours?: number | null;
  } | null;
  mapping_drift?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  destination_failing?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  key_ending?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** How long before the end of the key; default 24. */
    hours?: number | null;
  } | null;
  backlog_late?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** How long the oldest due event may wait; default 5. */
    minutes?: number | null;
  } | null;
}

export interface UpdateWebhookNoticeRulesBody {
  first_dead?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  dead_rising?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** Dead events of a webhook in this hour and the last; default 10. */
    count?: number | null;
  } | null;
  rejections_rising?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** Rejections in this hour and the last; default 20. */
    count?: number | null;
    /** Their least share of the requests in that time; default 10. */
    percent?: number | null;
  } | null;
  sender_silent?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** A silence is unusual when it happens by chance once in so many times; default 10000. */
    oneIn?: number | null;
    /** The shortest silence; default 2. */
    hours?: number | null;
  } | null;
  mapping_drift?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  destination_failing?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
  } | null;
  key_ending?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** How long before the end of the key; default 24. */
    hours?: number | null;
  } | null;
  backlog_late?: {
    /** Whether the rule creates notices; default true. */
    enabled?: boolean | null;
    /** How long the oldest due event may wait; default 5. */
    minutes?: number | null;
  } | null;
}

export interface CreateAgentBody {
  name: string;
  lastName?: string | null;
  email?: string | null;
  sectorIds?: string[];
}

export interface UpdateAgentBody {
  name?: string;
  status?: 'active' | 'disabled';
  lastName?: string | null;
  email?: string | null;
  sectorIds?: string[];
}

export type EraseContactsBody = ({ phone: any } | { email: any } | { document: any }) & {
  phone?: string;
  email?: string;
  document?: string;
  channelId?: string;
  block?: boolean;
  reason?: string;
};

export interface EraseContactBody {
  block?: boolean;
  reason?: string;
}

export interface UpdateContactBody {
  name?: string;
  phone?: string;
  email?: string;
  document?: string;
  fields?: Record<string, string>;
  pins?: string[];
}

export interface MergeContactAnswer {
  mergeId: string;
  id: string;
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** The contact that it was merged into. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  createdAt: string;
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Precedence in a merge: pinned, then written, then fallback values; within a rank the later value. */
    rank: 'fallback' | 'written' | 'pinned';
    at: string | null;
    eventId: string | null;
    contactId: string | null;
    /** The value from events, if a pinned value hides it. */
    beneath: string | null;
  }[];
  identities: ContactIdentity[];
  /** Also of those that are not shown. At most 300 are shown; 10,000 stands for 10,000 or more. */
  identitiesTotal: number;
  chats: {
    id: string;
    status: string;
    startedAt: string;
    closedAt: string | null;
    lastMessageAt: string | null;
    contactId: string;
  }[];
  merges: { id: string; survivorId: string; mergedId: string; at: string; by: string }[];
  history: {
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    eventId: string | null;
    by: string | null;
    contactId: string | null;
  }[];
}

export interface MergeContactBody {
  contactId: string;
}

export interface UnmergeContactAnswer {
  mergeId: string;
  unmergedId: string;
  id: string;
  channelId: string;
  status: 'active' | 'merged' | 'erased';
  /** The contact that it was merged into. */
  mergedInto: string | null;
  name: string | null;
  phone: string | null;
  email: string | null;
  document: string | null;
  externalId: string | null;
  fields: object;
  /** Fields that events do not overwrite. */
  pins: string[];
  createdAt: string;
  updatedAt: string;
  registers: {
    field: string;
    value: string;
    pinned: boolean;
    by: 'event' | 'person';
    /** Precedence in a merge: pinned, then written, then fallback values; within a rank the later value. */
    rank: 'fallback' | 'written' | 'pinned';
    at: string | null;
    eventId: string | null;
    contactId: string | null;
    /** The value from events, if a pinned value hides it. */
    beneath: string | null;
  }[];
  identities: ContactIdentity[];
  /** Also of those that are not shown. At most 300 are shown; 10,000 stands for 10,000 or more. */
  identitiesTotal: number;
  chats: {
    id: string;
    status: string;
    startedAt: string;
    closedAt: string | null;
    lastMessageAt: string | null;
    contactId: string;
  }[];
  merges: { id: string; survivorId: string; mergedId: string; at: string; by: string }[];
  history: {
    at: string;
    kind: 'event' | 'change';
    what: string | null;
    eventId: string | null;
    by: string | null;
    contactId: string | null;
  }[];
}

export interface UnmergeContactBody {
  mergeId?: string;
}

export interface CreateTokenAnswer {
  id: string;
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  restriction: { webhookIds: string[]; channelIds: string[] } | null;
  maskContacts: boolean;
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
  /** The token, shown only once. */
  token: string;
}

export interface CreateTokenBody {
  name: string;
  /** @uniqueItems true */
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  expiresAt?: string | null;
  /** @uniqueItems true */
  webhookIds?: string[];
  /** @uniqueItems true */
  channelIds?: string[];
  /** The conversations API masks numbers, addresses, documents and fields of contacts. For the scope `inbox` alone. */
  maskContacts?: boolean;
}

export interface GetCurrentTokenAnswer {
  id: string;
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  /** Whether it is restricted to some webhooks or channels. */
  restricted: boolean;
}

export interface UpdateTokenBody {
  name?: string;
  expiresAt?: string | null;
}

export interface CreateConsoleSessionAnswer {
  id: string;
  name: string;
  scopes: ('admin' | 'operator' | 'viewer' | 'inbox')[];
  /** Whether it is restricted to some webhooks or channels. */
  restricted: boolean;
  expiresAt: string | null;
}

export interface VerifyDatabaseAnswer {
  missingIndexes: string[];
  secrets: {
    owner: 'channel' | 'webhook' | 'notice_target';
    readable: number;
    unreadable: number;
  }[];
  /** What was checked, and what to do, in the caller’s language. */
  findings: {
    check: string;
    result: 'ok' | 'warning' | 'problem';
    text: string;
    /** What to do; null if nothing is. */
    advice: string | null;
  }[];
}

export interface RecordBackupVerificationAnswer {
  verifiedAt: string;
}

export interface StartDrillAnswer {
  processId: string | null;
  keys: number | null;
}

export interface StartDrillBody {
  fault: 'redis-flush' | 'kill-worker' | 'step-down';
}

export interface GetStatsAnswer {
  by: 'minute' | 'hour' | 'day';
  from: string;
  to: string;
  totals: {
    received: number;
    duplicates: number;
    held: number;
    done: number;
    ignored: number;
    dead: number;
    discarded: number;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p50Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p95Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p99Ms: number | null;
  };
  series: {
    at: string;
    received: number;
    duplicates: number;
    held: number;
    done: number;
    ignored: number;
    dead: number;
    discarded: number;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p50Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p95Ms: number | null;
    /** Milliseconds, accurate to 9 %; null if no event was done. */
    p99Ms: number | null;
  }[];
}

export interface GetStatsHealthAnswer {
  mongodb: { isUp: boolean; disk: { usedBytes: number; totalBytes: number } | null };
  redis: {
    isUp: boolean;
    queueDepth: number | null;
    settings: { policy: string; isPersistent: boolean } | null;
  };
  servers: number;
  workers: number;
  processes: {
    id: string;
    role: 'server' | 'worker';
    startedAt: string;
    seenAt: string;
    release: string;
    /** How far its clock is ahead of that of the database. */
    aheadMs: number;
  }[];
  allowsDrills: boolean;
  backlog: { open: number; held: number; dead: number; upTo: number } | null;
  oldestOpenAt: string | null;
  /** What was checked, and what to do, in the caller’s language. */
  findings: {
    check: string;
    result: 'ok' | 'warning' | 'problem';
    text: string;
    /** What to do; null if nothing is. */
    advice: string | null;
  }[];
}

export interface GetOfficialOpeningContextAnswer {
  is_official: boolean;
  requires_template: boolean;
  official_window: null;
  templates: object[];
}

/** Further members become fields of the contact. */
export interface CreateChatContactBody {
  name: string;
  /** The country code, with or without a plus sign. */
  phone_ddi: string;
  /** The national digits; a Brazilian mobile’s ninth digit may be missing. */
  phone: string;
  channel_ids: string[];
  email?: string | null;
  document?: string | null;
  fields?: Record<string, string>;
  [key: string]: any;
}

/** Further members become fields of the contact. */
export interface UpdateChatContactBody {
  name?: string;
  /** The country code, with or without a plus sign. */
  phone_ddi?: string;
  /** The national digits; a Brazilian mobile’s ninth digit may be missing. */
  phone?: string;
  email?: string | null;
  document?: string | null;
  fields?: Record<string, string>;
  [key: string]: any;
}

export interface StartChatAnswer {
  chat_id: string;
  worker: { id: string; name: string };
  sector: { id: string; name: string; color: string } | null;
  user: { user_id: string; name: string; last_name: string | null } | null;
  contact: {
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
  date: string;
  started_at: string;
  closed_at: string | null;
  labels: { label_template_id: string; label: string; color: string }[];
  /** Unread messages. 100 stands for 100 or more. */
  unread_count: number;
  context: { origin: string | null; campaign: string | null; fields: object };
  /** Present and true if it belongs to a test event. */
  test?: boolean;
  reused: boolean;
}

export interface StartChatBody {
  contact_id: string;
  worker_id: string;
  sector_id?: string | null;
}

export interface WatchChatsAnswer {
  at: string;
  chat?: {
    chat_id: string;
    worker_id: string;
    contact_id: string;
    user_id: string | null;
    status:
      | 'ura'
      | 'queue'
      | 'in_chat'
      | 'ura_output'
      | 'ura_schedule'
      | 'ura_webhook'
      | 'closed'
      | 'transmission';
    date: string;
  };
}

export interface CountUnreadChatsAnswer {
  total: number;
  by_status: object;
}

export interface GetChatAttendantsAnswer {
  primary_user: {
    user_id: string;
    name: string;
    last_name: string | null;
    entered_at: string | null;
  } | null;
  secondary_users: {
    user_id: string;
    name: string;
    last_name: string | null;
    entered_at: string | null;
  }[];
}

/** As multipart, with up to ten files in the parts `images`, `documents`, `videos` and `audios`. */
export interface SendMessageBody {
  /** `text`; with files it is theirs. */
  type?: 'text' | 'image' | 'document' | 'video' | 'audio';
  /** The text, which is required without files; with files, the caption. */
  message?: string;
  message_quoted_id?: string | null;
}

export interface UpdateChatStatusBody {
  status: 'in_chat' | 'closed';
  closure_comment?: string | null;
  /** Has no effect: there are no automatic messages. */
  send_message_on_finish_attendance?: boolean;
}

export interface TransferChatBody {
  worker_id?: string | null;
  user_id?: string | null;
  sector_id?: string | null;
  /** Becomes a system message of the chat that is not sent to the contact. */
  annotation?: string | null;
  /** The status stays, and so does the agent who acts. */
  keep_in_chat?: boolean;
  /** Has no effect: there are no automatic messages. */
  send_message_on_transfer?: boolean;
}

export interface CreateLabelBody {
  label: string;
  color: string;
  label_status?: { label_status_id: 'active' | 'disabled' | number };
}

export interface UpdateLabelBody {
  label?: string;
  color?: string;
  label_status?: { label_status_id: 'active' | 'disabled' | number };
}

export interface CreateSectorBody {
  name: string;
  color: string;
  sector_status_id?: ('active' | 'disabled' | number) | null;
}

export interface UpdateSectorBody {
  name?: string;
  color?: string;
  sector_status_id?: 'active' | 'disabled' | number;
}

export interface Receipt {
  externalId: string | null;
  eventId: string;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  /** Number of deliveries, the first included. */
  deliveries: number;
  firstSeenAt: string;
  lastSeenAt: string;
  contactId: string | null;
  chatId: string | null;
  messageId: string | null;
}

export interface BodyReceipt {
  externalId: string | null;
  eventId: string;
  state: 'received' | 'held' | 'processing' | 'waiting' | 'done' | 'ignored' | 'dead' | 'discarded';
  /** Number of deliveries, the first included. */
  deliveries: number;
  firstSeenAt: string;
  lastSeenAt: string;
  contactId: string | null;
  chatId: string | null;
  messageId: string | null;
  /** Number of events with this body; the newest is returned. */
  count: number;
}

export interface MappingDocument {
  split?: string;
  filter?: string;
  removal?: string;
  eventId?: IdSource;
  eventType?: Source;
  eventDate?: Source;
  contact?: {
    externalId?: Source;
    name?: Source;
    phone?: Source;
    email?: Source;
    document?: Source;
    fields?: Record<string, Source>;
    former?: { externalId?: Source; phone?: Source; email?: Source; document?: Source };
  };
  message?: { text?: Source };
  context?: {
    origin?: Source;
    campaign?: Source;
    labels?: Source[];
    sector?: Source;
    fields?: Record<string, Source>;
  };
}

export type Source = (
  | { path: any }
  | { header: any }
  | { query: any }
  | { const: any }
  | { first: any }
  | { join: any }
  | { template: any }
) & {
  path?: string;
  root?: boolean;
  header?: string;
  query?: string;
  const?: string | number | boolean;
  first?: Source[];
  join?: Source[];
  with?: string;
  parts?: boolean;
  template?: string;
  transforms?: Transform[];
  default?: string | number | boolean;
  required?: boolean;
};

export type IdSource = (
  | { path: any }
  | { header: any }
  | { query: any }
  | { const: any }
  | { first: any }
  | { join: any }
) & {
  path?: string;
  root?: boolean;
  header?: string;
  query?: string;
  const?: string | number | boolean;
  first?: IdSource[];
  join?: IdSource[];
  with?: string;
  transforms?: Transform[];
  required?: boolean;
};

export interface Transform {
  trim?: object;
  lower?: object;
  upper?: object;
  title?: object;
  digits?: object;
  truncate?: { length: number; ellipsis?: string };
  replace?: { find?: string; pattern?: string; with?: string; ignoreCase?: boolean };
  template?: { text: string };
  stripHtml?: object;
  split?: { by: string; pick?: number; from?: number; to?: number; join?: string };
  pick?: { index?: number };
  json?: { path?: string };
  lookup?: {
    table: Record<string, string | number | boolean>;
    default?: string | number | boolean;
    ignoreCase?: boolean;
  };
  number?: { decimal?: ',' | '.' };
  boolean?: object;
  phone?: { region?: string; regionPath?: string };
  email?: object;
  document?: { kind?: 'cpf' | 'cnpj' };
  date?: { zone?: string; format?: string; order?: 'dmy' | 'mdy' };
}

/** A success. */
export interface Envelope<Data> {
  status: true;
  /** Human-readable text in the requested language. */
  message: string;
  data: Data;
}

interface Pagings {
  current_page: number;
  total_pages: number;
  per_page: number;
  /** On this page. */
  count: number;
  /** On all pages. */
  total: number;
  /** False: `total` is a lower bound. */
  total_exact: boolean;
}

export interface Page<Result> {
  pagings: Pagings;
  results: Result[];
}

export interface CursorPage<Result> {
  /** `next_cursor`: pass it as `cursor` to read the next page; null on the last page. */
  pagings: Pagings & { next_cursor: string | null };
  results: Result[];
}

/** By operationId: the parts of the request, and the whole answer. */
export interface Operations {
  /** Activate a mapping version (default: the newest) and the webhook, now or at a given time. Scope: `operator`. A restricted token finds only its own. */
  activateWebhook: { params: { id: string }; body: ActivateWebhookBody; answer: Envelope<Webhook> };
  /** Activate this version and the webhook, now or at a given time. Scope: `operator`. A restricted token finds only its own. */
  activateWebhookMapping: {
    params: { id: string; version: string };
    body: ActivateWebhookMappingBody;
    answer: Envelope<Webhook>;
  };
  /** Add a sample from a rejection whose body is complete; a rejection gives one sample. Scope: `operator`. A restricted token finds only its own. */
  addWebhookRejectionAsSample: {
    params: { id: string; rejectionId: string };
    body: object;
    answer: Envelope<WebhookSample>;
  };
  /** Archive a webhook: its keys are rejected, its history stays, and held events stay held. Scope: `operator`. A restricted token finds only its own. */
  archiveWebhook: { params: { id: string }; body: object; answer: Envelope<Webhook> };
  /** Cancel a replay or discard; processed events keep their result. A resumption stops when its webhook is paused. Scope: `operator`. A restricted token finds only its own. */
  cancelReplay: { params: { id: string }; body: object; answer: Envelope<Replay> };
  /** Count the chats with unread messages, of the 1,000 open chats that were active last. Scope: `inbox`. A restricted token sees and changes only its own. */
  countUnreadChats: { answer: Envelope<CountUnreadChatsAnswer> };
  /** Count the rejections of a webhook by code, in the last 24 hours or between two dates of the last 30 days. Scope: `viewer`. A restricted token finds only its own. */
  countWebhookRejections: {
    params: { id: string };
    query: {
      unit?: 'hour' | 'day';
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<CountWebhookRejectionsAnswer>;
  };
  /** Count webhooks by status, with the search and filters of the list. Scope: `viewer`. A restricted token sees and changes only its own. */
  countWebhooks: {
    query: {
      /** Words or parts of words of the name; case and accents are ignored. */
      search?: string;
      name?: string[];
      channelId?: string[];
      status?: ('draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived')[];
      producerProfile?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<CountWebhooksAnswer>;
  };
  /** Create an agent. Scope: `admin`. A restricted token is rejected. */
  createAgent: { body: CreateAgentBody; answer: Envelope<Agent> };
  /** Create a channel. Scope: `admin`. A restricted token is rejected. */
  createChannel: { body: CreateChannelBody; answer: Envelope<Channel> };
  /** Create a contact in each of the channels, or in none. Scope: `inbox`. A restricted token sees and changes only its own. */
  createChatContact: { body: CreateChatContactBody; answer: Envelope<ChatContact> };
  /** Create up to 100 contacts, with a result for each; for tokens with masked contacts each counts as a request. Scope: `inbox`. A restricted token sees and changes only its own. */
  createChatContacts: {
    body: Record<string, any>[] | { contacts: Record<string, any>[] };
    answer: Envelope<{
      results: {
        status: 'created' | 'failed';
        id: string | null;
        contact_id: string | null;
        code: string | null;
        /** The contact that has the number already. Null for tokens with masked contacts. */
        contactId: string | null;
      }[];
    }>;
  };
  /** Sign a browser in with the token of this request; the cookie of the response replaces it. Scope: `any`. A restricted token may use it too. */
  createConsoleSession: { answer: Envelope<CreateConsoleSessionAnswer> };
  /** Create a label. Scope: `inbox`. A restricted token is rejected. */
  createLabel: { body: CreateLabelBody; answer: Envelope<LabelTemplate> };
  /** Create a target of notices. Scope: `admin`. A restricted token is rejected. */
  createNoticesTarget: { body: CreateNoticesTargetBody; answer: Envelope<NoticesTarget> };
  /** Create a sector. Scope: `inbox`. A restricted token is rejected. */
  createSector: { body: CreateSectorBody; answer: Envelope<Sector> };
  /** Create a token, optionally restricted to webhooks and channels; only this response contains it. Scope: `admin`. A restricted token is rejected. */
  createToken: { body: CreateTokenBody; answer: Envelope<CreateTokenAnswer> };
  /** Create a webhook; only this response contains its URL and key. Scope: `operator`. A restricted token sees and changes only its own. */
  createWebhook: { body: CreateWebhookBody; answer: Envelope<CreateWebhookAnswer> };
  /** Save a mapping as the next version. Scope: `operator`. A restricted token finds only its own. */
  createWebhookMapping: {
    params: { id: string };
    body: CreateWebhookMappingBody;
    answer: Envelope<WebhookMapping>;
  };
  /** Add a sample from a payload or a stored event; not after archiving. Scope: `operator`. A restricted token finds only its own. */
  createWebhookSample: {
    params: { id: string };
    body: CreateWebhookSampleBody;
    answer: Envelope<WebhookSample>;
  };
  /** Process a payload as a test event under any version (default: the newest); its contact, chat and message are marked as tests. Scope: `operator`. A restricted token finds only its own. */
  createWebhookTestEvent: {
    params: { id: string };
    body: CreateWebhookTestEventBody;
    answer: Envelope<WebhookTestEvent>;
  };
  /** Delete an agent without open chats; its chats and messages keep the name. Scope: `admin`. A restricted token is rejected. */
  deleteAgent: { params: { id: string }; answer: Envelope<object> };
  /** Remove an identity from the block list. Scope: `admin`. A restricted token is rejected. */
  deleteBlock: { params: { id: string }; answer: Envelope<object> };
  /** Delete a channel that no webhook uses; its chats stay. Scope: `admin`. A restricted token finds only its own. */
  deleteChannel: { params: { id: string }; answer: Envelope<object> };
  /** Sign out: end this session. Scope: `any`. A restricted token may use it too. */
  deleteConsoleSession: { answer: Envelope<object> };
  /** Delete a label that no open chat has. Scope: `inbox`. A restricted token is rejected. */
  deleteLabel: { params: { labelTemplateId: string }; answer: Envelope<object> };
  /** Delete a target of notices, and what waits for it. Scope: `admin`. A restricted token is rejected. */
  deleteNoticesTarget: { params: { id: string }; answer: Envelope<object> };
  /** Delete a sector that no open chat and no agent has. Scope: `inbox`. A restricted token is rejected. */
  deleteSector: { params: { sectorId: string }; answer: Envelope<object> };
  /** Revoke a token; its record stays. Scope: `admin`. A restricted token is rejected. */
  deleteToken: { params: { id: string }; answer: Envelope<Token> };
  /** Revoke a path key; a webhook without a key rejects every request until a rotation. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookKey: { params: { id: string; keyId: string }; answer: Envelope<WebhookKey> };
  /** Delete a rejection; the counts stay. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookRejection: { params: { id: string; rejectionId: string }; answer: Envelope<object> };
  /** Delete a sample; the setup state of its webhook stays. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookSample: { params: { id: string; sampleId: string }; answer: Envelope<object> };
  /** Cancel the scheduled activation. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookSchedule: { params: { id: string }; answer: Envelope<Webhook> };
  /** Delete a test event with its contact, chat, message and items. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookTestEvent: { params: { id: string; eventId: string }; answer: Envelope<object> };
  /** Delete the test events of a webhook with their effects, up to 500; `left` counts those that stay: in progress, or for the next request. Scope: `operator`. A restricted token finds only its own. */
  deleteWebhookTestEvents: {
    params: { id: string };
    answer: Envelope<DeleteWebhookTestEventsAnswer>;
  };
  /** Preview the changes of a mapping for the last events; has no effects. Scope: `viewer`. A restricted token finds only its own. */
  diffWebhookMappings: {
    params: { id: string };
    body: DiffWebhookMappingsBody;
    answer: Envelope<DiffWebhookMappingsAnswer>;
  };
  /** Discard an event that has not ended or is dead. Scope: `operator`. A restricted token finds only its own. */
  discardEvent: { params: { id: string }; body: object; answer: Envelope<Event> };
  /** Discard many events in the background, or count the matching events. Scope: `operator`. A restricted token sees and changes only its own. */
  discardEvents: { body: DiscardEventsBody; answer: Envelope<ReplayEventsPreview> };
  /** Dismiss a conflict: its contacts are different people. Scope: `operator`. A restricted token finds only its own. */
  dismissContactConflict: {
    params: { id: string };
    body: object;
    answer: Envelope<ContactsConflict>;
  };
  /** Erase this contact everywhere, with all contacts merged into it. Scope: `admin`. A restricted token is rejected. */
  eraseContact: { params: { id: string }; body: EraseContactBody; answer: Envelope<Erasure> };
  /** Erase a person everywhere, by phone, email or document, whether a contact exists or not. Scope: `admin`. A restricted token is rejected. */
  eraseContacts: { body: EraseContactsBody; answer: Envelope<Erasure> };
  /** Export the audit log, or the rows that match the filters. Scope: `admin`. A restricted token is rejected. */
  exportAudit: {
    query: {
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'at' | '-at';
      actor?: string[];
      action?: string[];
      targetType?: (
        | 'agent'
        | 'audit'
        | 'backup'
        | 'block'
        | 'channel'
        | 'chat'
        | 'conflict'
        | 'contact'
        | 'delivery'
        | 'drill'
        | 'erasure'
        | 'event'
        | 'key'
        | 'label'
        | 'mapping'
        | 'rejection'
        | 'rules'
        | 'run'
        | 'sample'
        | 'secrets'
        | 'sector'
        | 'target'
        | 'token'
        | 'webhook'
      )[];
      targetId?: string[];
      address?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Audit;
  };
  /** Export all events that match a search, one per line; credentials are masked. Scope: `viewer`. A restricted token sees and changes only its own. */
  exportEvents: {
    query: {
      webhookId?: string[];
      /** With `done`: Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      state?: (
        | 'received'
        | 'held'
        | 'processing'
        | 'waiting'
        | 'done'
        | 'ignored'
        | 'dead'
        | 'discarded'
      )[];
      externalId?: string[];
      /** Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventType?: string[];
      reason?: string[];
      /** Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      mappingVersion?: number[];
      contactId?: string[];
      /** Of the contact of the event. */
      phone?: string;
      /** Of the contact of the event. */
      email?: string;
      parentId?: string[];
      /** Includes the bodies that were split into items. */
      parents?: boolean;
      /** An event id, contact id, phone number, email address or document; the beginning of an external id or of a name; or words of a message. At most 100 external ids, 100 names and the 200 newest messages are considered. */
      search?: string;
      /** Prefix of the external id; rejected if more than a hundred ids match. */
      externalIdPrefix?: string;
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
      /** The event date from the payload. Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventFrom?: string;
      /** The event date from the payload. Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventTo?: string;
      /** A field, descending after a minus sign. Ties are broken by id. By `finishedAt` and `eventDate`: Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      sort_by?:
        | 'receivedAt'
        | '-receivedAt'
        | 'finishedAt'
        | '-finishedAt'
        | 'eventDate'
        | '-eventDate';
      /** The `next_cursor` of the previous page, with the same order. */
      cursor?: string;
      /** Includes payloads; this is recorded in the audit log. */
      payload?: boolean;
    };
    answer: ExportEventsAnswer;
  };
  /** Find a contact by its number; of several channels, the contact changed last. Scope: `inbox`. A restricted token sees and changes only its own. */
  findChatContactByPhone: {
    query: {
      /** The country code, with or without a plus sign. */
      phone_ddi: string;
      /** The national digits; a Brazilian mobile’s ninth digit may be missing. */
      phone: string;
      filter_channel_id?: string[];
    };
    answer: Envelope<ChatContact>;
  };
  /** Read an agent. Scope: `viewer`. A restricted token may use it too. */
  getAgent: { params: { id: string }; answer: Envelope<Agent> };
  /** Read a row of the audit log. Scope: `admin`. A restricted token is rejected. */
  getAuditRow: { params: { id: string }; answer: Envelope<Audit> };
  /** Read a channel. Scope: `viewer`. A restricted token finds only its own. */
  getChannel: { params: { id: string }; answer: Envelope<Channel> };
  /** Read the messages of a chat, oldest first. Scope: `inbox`. A restricted token finds only its own. */
  getChat: {
    params: { chatId: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'date' | '-date';
    };
    answer: Envelope<Page<ChatSearch>>;
  };
  /** Read which agents are in a chat. Scope: `inbox`. A restricted token finds only its own. */
  getChatAttendants: { params: { chatId: string }; answer: Envelope<GetChatAttendantsAnswer> };
  /** Read a contact, or the one that it was merged into. Scope: `inbox`. A restricted token finds only its own. */
  getChatContact: { params: { id: string }; answer: Envelope<ChatContact> };
  /** Read a chat as the list shows it. Scope: `inbox`. A restricted token finds only its own. */
  getChatDetails: { params: { chatId: string }; answer: Envelope<Chat> };
  /** Read a file of a chat, as an attachment. Scope: `inbox`. A restricted token finds only its own. */
  getChatFile: { params: { chatId: string; fileId: string }; answer: string };
  /** Read the token of this session, without the token itself; `expiresAt` is null without a session. Scope: `any`. A restricted token may use it too. */
  getConsoleSession: { answer: Envelope<CreateConsoleSessionAnswer> };
  /** Read a contact: the origin of each value, identities, chats, merges and history. Scope: `viewer`. A restricted token finds only its own. */
  getContact: { params: { id: string }; answer: Envelope<Contact> };
  /** Read a chat of a contact: state, labels and origin. Scope: `inbox`. A restricted token finds only its own. */
  getContactChat: { params: { id: string; chatId: string }; answer: Envelope<ContactChat> };
  /** Read the scopes and restriction of the token of this request. Scope: `viewer`. A restricted token may use it too. */
  getCurrentToken: { answer: Envelope<GetCurrentTokenAnswer> };
  /** Read the delivery of a message, by the message id. Scope: `viewer`. A restricted token finds only its own. */
  getDelivery: { params: { id: string }; answer: Envelope<Delivery> };
  /** Read the progress of an erasure; when it is done, its certificate. Scope: `admin`. A restricted token is rejected. */
  getErasure: { params: { id: string }; answer: Envelope<Erasure> };
  /** Read an event with its payload, timeline and effects; credentials are masked. Scope: `viewer`. A restricted token finds only its own. */
  getEvent: {
    params: { id: string };
    query: {
      /** Shows credentials unmasked; requires the scope `operator` and is recorded in the audit log. */
      reveal?: boolean;
    };
    answer: Envelope<Event>;
  };
  /** Read a label. Scope: `inbox`. A restricted token may use it too. */
  getLabel: { params: { labelTemplateId: string }; answer: Envelope<LabelTemplate> };
  /** Read the rules of the installation. Scope: `viewer`. A restricted token may use it too. */
  getNoticesRules: { answer: Envelope<GetNoticesRulesAnswer> };
  /** Read a target of notices. Scope: `viewer`. A restricted token is rejected. */
  getNoticesTarget: { params: { id: string }; answer: Envelope<NoticesTarget> };
  /** Read whether a chat needs an official template: none does. Scope: `inbox`. A restricted token finds only its own. */
  getOfficialChatContext: {
    params: { chatId: string };
    answer: Envelope<GetOfficialOpeningContextAnswer>;
  };
  /** Read whether a channel needs an official template to open a chat: none does. Scope: `inbox`. A restricted token may use it too. */
  getOfficialOpeningContext: {
    query: { worker_id?: string; contact_id?: string };
    answer: Envelope<GetOfficialOpeningContextAnswer>;
  };
  /** List the producers, each with a sample of what it sends, and the settings of a webhook. Scope: `viewer`. A restricted token may use it too. */
  getProducers: { answer: Envelope<GetProducersAnswer> };
  /** Read the state of an event by its external id.  */
  getReceipt: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
      /** The sender’s event id. */
      externalId: string;
    };
    answer: Envelope<Receipt>;
  };
  /** Read the state of an event without an external id, by the SHA-256 of its body.  */
  getReceiptByBody: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
      /** SHA-256 of the raw body as sent, in hex. */
      sha256: string;
    };
    answer: Envelope<BodyReceipt>;
  };
  /** Read the progress of a run. Scope: `viewer`. A restricted token finds only its own. */
  getReplay: { params: { id: string }; answer: Envelope<Replay> };
  /** Count the events of a run by their present states and reasons. Scope: `viewer`. A restricted token finds only its own. */
  getReplayOutcome: { params: { id: string }; answer: Envelope<ReplayEventsPreview> };
  /** Read a sector. Scope: `inbox`. A restricted token may use it too. */
  getSector: { params: { sectorId: string }; answer: Envelope<Sector> };
  /** Read event counts, outcomes and durations over time, for one webhook or all. Scope: `viewer`. A restricted token sees and changes only its own. */
  getStats: {
    query: {
      webhookId?: string;
      by?: 'minute' | 'hour' | 'day';
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<GetStatsAnswer>;
  };
  /** Read the current health: databases, processes and queue lengths, with findings that say what to do. Scope: `viewer`. A restricted token is rejected. */
  getStatsHealth: { answer: Envelope<GetStatsHealthAnswer> };
  /** Read a token, without the token itself. Scope: `admin`. A restricted token is rejected. */
  getToken: { params: { id: string }; answer: Envelope<Token> };
  /** List the transforms with their options and examples. Scope: `viewer`. A restricted token may use it too. */
  getTransforms: { answer: Envelope<GetTransformsAnswer> };
  /** Read a webhook. Scope: `viewer`. A restricted token finds only its own. */
  getWebhook: { params: { id: string }; answer: Envelope<Webhook> };
  /** Read the observed payload paths and the changes that affect the active mapping. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookDrift: { params: { id: string }; answer: Envelope<GetWebhookDriftAnswer> };
  /** List the hashes of the valid path keys of a webhook, to import them elsewhere. Scope: `admin`. A restricted token finds only its own. */
  getWebhookKeyHashes: { params: { id: string }; answer: Envelope<GetWebhookKeyHashesAnswer> };
  /** Read a mapping version. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookMapping: { params: { id: string; version: string }; answer: Envelope<WebhookMapping> };
  /** Read event outcomes by mapping version since its last activation, to the hour. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookMappingsHealth: {
    params: { id: string };
    answer: Envelope<GetWebhookMappingsHealthAnswer>;
  };
  /** Read the rules of a webhook. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookNoticeRules: { params: { id: string }; answer: Envelope<GetNoticesRulesAnswer> };
  /** Read a rejection. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookRejection: {
    params: { id: string; rejectionId: string };
    answer: Envelope<WebhookRejection>;
  };
  /** Read a sample. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookSample: { params: { id: string; sampleId: string }; answer: Envelope<WebhookSample> };
  /** Read the scheduled activation. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookSchedule: { params: { id: string }; answer: Envelope<GetWebhookScheduleAnswer> };
  /** Read the settings of a webhook; secrets are not shown. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookSettings: { params: { id: string }; answer: Envelope<GetWebhookSettingsAnswer> };
  /** Read a test event and its result. Scope: `viewer`. A restricted token finds only its own. */
  getWebhookTestEvent: {
    params: { id: string; eventId: string };
    answer: Envelope<WebhookTestEvent>;
  };
  /** Import a path key of another installation by its hash, so that its URL works here; other keys stay valid. Scope: `admin`. A restricted token finds only its own. */
  importWebhookKey: {
    params: { id: string };
    body: ImportWebhookKeyBody;
    answer: Envelope<WebhookKey>;
  };
  /** Join a chat beside its agent. Scope: `inbox`. A restricted token finds only its own. */
  joinChat: { params: { chatId: string }; body: object; answer: Envelope<Chat> };
  /** Leave a chat; a chat that its agent leaves goes back to the queue. Scope: `inbox`. A restricted token finds only its own. */
  leaveChat: { params: { chatId: string }; body: object; answer: Envelope<Chat> };
  /** List the active labels. Scope: `inbox`. A restricted token may use it too. */
  listActiveLabels: {
    answer: Envelope<{ label_template_id: string; label: string; color: string }[]>;
  };
  /** List the active sectors. Scope: `inbox`. A restricted token may use it too. */
  listActiveSectors: { answer: Envelope<{ sector_id: string; name: string; color: string }[]> };
  /** List the active agents. Scope: `inbox`. A restricted token may use it too. */
  listActiveUsers: {
    answer: Envelope<{ user_id: string; name: string; last_name: string | null }[]>;
  };
  /** List agents. Scope: `viewer`. A restricted token may use it too. */
  listAgents: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt';
      status?: ('active' | 'disabled')[];
      sectorId?: string[];
      /** A part of a name or of the email address; case is ignored. */
      search?: string;
    };
    answer: Envelope<Page<Agent>>;
  };
  /** Search the audit log; `actor` is the id or the name of a token. Scope: `admin`. A restricted token is rejected. */
  listAudit: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'at' | '-at';
      actor?: string[];
      action?: string[];
      targetType?: (
        | 'agent'
        | 'audit'
        | 'backup'
        | 'block'
        | 'channel'
        | 'chat'
        | 'conflict'
        | 'contact'
        | 'delivery'
        | 'drill'
        | 'erasure'
        | 'event'
        | 'key'
        | 'label'
        | 'mapping'
        | 'rejection'
        | 'rules'
        | 'run'
        | 'sample'
        | 'secrets'
        | 'sector'
        | 'target'
        | 'token'
        | 'webhook'
      )[];
      targetId?: string[];
      address?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<Audit>>;
  };
  /** List blocked identities, or check one by value. Scope: `admin`. A restricted token is rejected. */
  listBlocks: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'blockedAt' | '-blockedAt';
      phone?: string;
      email?: string;
      document?: string;
      channelId?: string;
    };
    answer: Envelope<Page<Block>>;
  };
  /** List the kinds of channel with the schemas of their settings. Scope: `viewer`. A restricted token may use it too. */
  listChannelKinds: { answer: Envelope<ListChannelKindsAnswer> };
  /** List channels. Scope: `viewer`. A restricted token sees and changes only its own. */
  listChannels: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'updatedAt' | '-updatedAt';
      name?: string[];
      kind?: ('inbox' | 'http' | 'smtp' | 'telegram' | 'whatsapp')[];
      enabled?: boolean;
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<Channel>>;
  };
  /** List contacts, newest first. Scope: `inbox`. A restricted token sees and changes only its own. */
  listChatContacts: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'created_at' | '-created_at';
      /** `true`: only those of test events, which are otherwise left out. */
      test?: boolean;
      filter_channel_id?: string[];
    };
    answer: Envelope<Page<ChatContact>>;
  };
  /** List the active labels. Scope: `inbox`. A restricted token may use it too. */
  listChatLabels: {
    answer: Envelope<{ label_template_id: string; label: string; color: string }[]>;
  };
  /** List the active sectors. Scope: `inbox`. A restricted token may use it too. */
  listChatSectors: { answer: Envelope<{ sector_id: string; name: string; color: string }[]> };
  /** List the active agents. Scope: `inbox`. A restricted token may use it too. */
  listChatUsers: {
    answer: Envelope<{ user_id: string; name: string; last_name: string | null }[]>;
  };
  /** List the enabled channels. Scope: `inbox`. A restricted token sees and changes only its own. */
  listChatWorkers: {
    answer: Envelope<{ worker_id: string; name: string; is_official: boolean }[]>;
  };
  /** List chats, latest activity first. Scope: `inbox`. A restricted token sees and changes only its own. */
  listChats: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'date' | '-date' | 'started_at' | '-started_at' | 'closed_at' | '-closed_at';
      filter_label_template_id?: string[];
      filter_worker_id?: string[];
      filter_user_id?: string[];
      filter_sector_id?: string[];
      /** A part of the contact’s name; case is ignored. The start of a name or a whole number searches all chats; otherwise the first 1,000 that the other filters leave are searched. If `total_exact` is false, narrow by date. */
      filter_name?: string;
      /** A part of the contact’s number. The start of a name or a whole number searches all chats; otherwise the first 1,000 that the other filters leave are searched. If `total_exact` is false, narrow by date. */
      filter_phone?: string;
      filter_protocol?: string[];
      filter_date_start?: string;
      filter_date_end?: string;
      /** `true`: only chats with unread messages. The start of a name or a whole number searches all chats; otherwise the first 1,000 that the other filters leave are searched. If `total_exact` is false, narrow by date. */
      filter_unread_conversations?: boolean;
      /** `true`: only those of test events, which are otherwise left out. */
      test?: boolean;
      /** `my_chats` alone (the open chats of the agent who acts; without an agent, every open chat), or one or several states. */
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
    answer: Envelope<Page<Chat>>;
  };
  /** List the messages of a chat with their events, latest first. Scope: `inbox`. A restricted token finds only its own. */
  listContactChatMessages: {
    params: { id: string; chatId: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'at' | '-at';
    };
    answer: Envelope<Page<ContactChatMessage>>;
  };
  /** List conflicts: events whose identities belong to two contacts. Default: open conflicts. Scope: `viewer`. A restricted token sees and changes only its own. */
  listContactConflicts: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt';
      state?: 'open' | 'resolved';
      channelId?: string[];
      contactId?: string[];
    };
    answer: Envelope<Page<ContactsConflict>>;
  };
  /** List the identities of a contact and of the contacts merged into it. Scope: `viewer`. A restricted token finds only its own. */
  listContactIdentities: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'kind' | '-kind';
    };
    answer: Envelope<Page<ContactIdentity>>;
  };
  /** Search contacts by name prefix, identity or channel. Scope: `viewer`. A restricted token sees and changes only its own. */
  listContacts: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt';
      search?: string;
      channelId?: string[];
      phone?: string[];
      email?: string[];
      document?: string[];
      externalId?: string[];
      webhookId?: string[];
    };
    answer: Envelope<Page<ContactSummary>>;
  };
  /** List dead events by webhook and reason, with an action for each. Scope: `viewer`. A restricted token sees and changes only its own. */
  listDeadLetters: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?:
        | 'count'
        | '-count'
        | 'firstFinishedAt'
        | '-firstFinishedAt'
        | 'lastFinishedAt'
        | '-lastFinishedAt';
      webhookId?: string[];
      reason?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<DeadLetter>>;
  };
  /** Search deliveries of messages to external channels. Scope: `viewer`. A restricted token sees and changes only its own. */
  listDeliveries: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt' | 'finishedAt' | '-finishedAt';
      state?: ('waiting' | 'sending' | 'delivered' | 'dead')[];
      channelId?: string[];
      reason?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<Delivery>>;
  };
  /** List erasures. Scope: `admin`. A restricted token is rejected. */
  listErasures: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt';
    };
    answer: Envelope<Page<Erasure>>;
  };
  /** List the deliveries of an event and how their bodies differ; the first and the last 50 are kept. Scope: `viewer`. A restricted token finds only its own. */
  listEventDeliveries: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'number' | '-number';
    };
    answer: Envelope<Page<EventDelivery>>;
  };
  /** Search events, newest first. Scope: `viewer`. A restricted token sees and changes only its own. */
  listEvents: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. By `finishedAt` and `eventDate`: Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      sort_by?:
        | 'receivedAt'
        | '-receivedAt'
        | 'finishedAt'
        | '-finishedAt'
        | 'eventDate'
        | '-eventDate';
      /** The `next_cursor` of the previous page, with the same order. */
      cursor?: string;
      webhookId?: string[];
      /** With `done`: Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      state?: (
        | 'received'
        | 'held'
        | 'processing'
        | 'waiting'
        | 'done'
        | 'ignored'
        | 'dead'
        | 'discarded'
      )[];
      externalId?: string[];
      /** Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventType?: string[];
      reason?: string[];
      /** Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      mappingVersion?: number[];
      contactId?: string[];
      /** Of the contact of the event. */
      phone?: string;
      /** Of the contact of the event. */
      email?: string;
      parentId?: string[];
      /** Includes the bodies that were split into items. */
      parents?: boolean;
      /** An event id, contact id, phone number, email address or document; the beginning of an external id or of a name; or words of a message. At most 100 external ids, 100 names and the 200 newest messages are considered. */
      search?: string;
      /** Prefix of the external id; rejected if more than a hundred ids match. */
      externalIdPrefix?: string;
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
      /** The event date from the payload. Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventFrom?: string;
      /** The event date from the payload. Needs `webhookId`, `from`, or one of `externalId`, `externalIdPrefix`, `reason`, `parentId`, `contactId`, `phone`, `email`, `search` and `state` without `done`. */
      eventTo?: string;
    };
    answer: Envelope<CursorPage<EventSummary>>;
  };
  /** List the contacts and the message texts of events; events without effects are absent. Scope: `viewer`. A restricted token sees and changes only its own. */
  listEventsEffects: {
    query: { eventId: string[] };
    answer: Envelope<{ results: EventsEffect[] }>;
  };
  /** List labels. Scope: `inbox`. A restricted token may use it too. */
  listLabels: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'label' | '-label' | 'created_at' | '-created_at';
      label?: string;
      status?: ('active' | 'disabled')[];
    };
    answer: Envelope<Page<LabelTemplate>>;
  };
  /** List the kinds of target with the schemas of their settings. Scope: `viewer`. A restricted token may use it too. */
  listNoticeTargetKinds: { answer: Envelope<ListNoticeTargetKindsAnswer> };
  /** List open and recent notices. Scope: `viewer`. A restricted token sees and changes only its own. */
  listNotices: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'openedAt' | '-openedAt';
      state?: ('open' | 'resolved')[];
      kind?: (
        | 'first_dead'
        | 'dead_rising'
        | 'rejections_rising'
        | 'sender_silent'
        | 'mapping_drift'
        | 'destination_failing'
        | 'key_ending'
        | 'backlog_late'
      )[];
      webhookId?: string[];
    };
    answer: Envelope<Page<Notice>>;
  };
  /** List deliveries of notices. Scope: `viewer`. A restricted token is rejected. */
  listNoticesDeliveries: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt';
      state?: ('waiting' | 'sending' | 'delivered' | 'dead')[];
      targetId?: string[];
    };
    answer: Envelope<Page<NoticesDelivery>>;
  };
  /** List the targets of notices. Scope: `viewer`. A restricted token is rejected. */
  listNoticesTargets: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt';
      name?: string[];
      kind?: ('webhook' | 'slack' | 'email')[];
      webhookId?: string[];
    };
    answer: Envelope<Page<NoticesTarget>>;
  };
  /** List runs: replays, discards and resumptions of held events. Scope: `viewer`. A restricted token sees and changes only its own. */
  listReplays: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt' | 'finishedAt' | '-finishedAt';
      kind?: ('replay' | 'discard' | 'resume')[];
      state?: ('running' | 'done' | 'cancelled' | 'failed')[];
    };
    answer: Envelope<Page<Replay>>;
  };
  /** List the active agents of a sector. Scope: `inbox`. A restricted token may use it too. */
  listSectorUsers: {
    params: { sectorId: string };
    answer: Envelope<{ user_id: string; name: string; last_name: string | null }[]>;
  };
  /** List sectors. Scope: `inbox`. A restricted token may use it too. */
  listSectors: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name' | 'created_at' | '-created_at';
      name?: string;
      status?: ('active' | 'disabled')[];
    };
    answer: Envelope<Page<Sector>>;
  };
  /** Count the rejections of the last 24 hours, and list the webhooks with the most. Scope: `viewer`. A restricted token sees and changes only its own. */
  listStatsRejections: {
    query: {
      /** Number of results per page. */
      per_page?: number;
    };
    answer: Envelope<{ from: string; total: number; results: StatsRejection[] }>;
  };
  /** Read the counts of several webhooks, or of those that received most since yesterday. Scope: `viewer`. A restricted token sees and changes only its own. */
  listStatsWebhooks: {
    query: {
      webhookId?: string[];
      by?: 'minute' | 'hour' | 'day';
      /** Number of results per page. */
      per_page?: number;
    };
    answer: Envelope<{
      by: 'minute' | 'hour' | 'day';
      from: string;
      to: string;
      results: StatsWebhook[];
    }>;
  };
  /** List tokens, revoked and expired ones included. Scope: `admin`. A restricted token is rejected. */
  listTokens: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name' | 'createdAt' | '-createdAt' | 'lastUsedAt' | '-lastUsedAt';
      name?: string[];
      /** A part of the name; case is ignored. */
      search?: string;
      scope?: ('admin' | 'operator' | 'viewer' | 'inbox')[];
      state?: ('active' | 'expired' | 'revoked')[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<Token>>;
  };
  /** List the active agents of a sector. Scope: `inbox`. A restricted token may use it too. */
  listTransferSectorUsers: {
    params: { sectorId: string };
    answer: Envelope<{ user_id: string; name: string; last_name: string | null }[]>;
  };
  /** List the active sectors. Scope: `inbox`. A restricted token may use it too. */
  listTransferSectors: { answer: Envelope<{ sector_id: string; name: string; color: string }[]> };
  /** List the active agents. Scope: `inbox`. A restricted token may use it too. */
  listTransferUsers: {
    answer: Envelope<{ user_id: string; name: string; last_name: string | null }[]>;
  };
  /** List agents. Scope: `inbox`. A restricted token may use it too. */
  listUsers: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'name' | '-name';
      search?: string;
    };
    answer: Envelope<Page<User>>;
  };
  /** List webhooks with their settings, own rules of notices, and active and newest mapping. Scope: `viewer`. A restricted token sees and changes only its own. */
  listWebhookConfigurations: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?:
        | 'name'
        | '-name'
        | 'status'
        | '-status'
        | 'createdAt'
        | '-createdAt'
        | 'updatedAt'
        | '-updatedAt';
      /** Words or parts of words of the name; case and accents are ignored. */
      search?: string;
      name?: string[];
      channelId?: string[];
      status?: ('draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived')[];
      producerProfile?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<WebhooksConfiguration>>;
  };
  /** List the path keys of a webhook and their use. Scope: `viewer`. A restricted token finds only its own. */
  listWebhookKeys: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'createdAt' | '-createdAt';
    };
    answer: Envelope<Page<WebhookKey>>;
  };
  /** List the mapping versions of a webhook. Scope: `viewer`. A restricted token finds only its own. */
  listWebhookMappings: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'version' | '-version' | 'createdAt' | '-createdAt';
      status?: ('draft' | 'active' | 'retired')[];
    };
    answer: Envelope<Page<WebhookMapping>>;
  };
  /** List the last 100 requests with a valid key that were not accepted; credentials are masked. Scope: `viewer`. A restricted token finds only its own. */
  listWebhookRejections: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'receivedAt' | '-receivedAt';
      code?: (
        | 'malformed_json'
        | 'invalid_body'
        | 'unsupported_media_type'
        | 'body_too_large'
        | 'request_timeout'
        | 'invalid_signature'
        | 'source_not_allowed'
        | 'rate_limited'
      )[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<WebhookRejection>>;
  };
  /** List the samples of a webhook; credentials are masked. Scope: `viewer`. A restricted token finds only its own. */
  listWebhookSamples: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'receivedAt' | '-receivedAt';
      source?: ('webhook' | 'manual')[];
      pinned?: boolean;
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<WebhookSample>>;
  };
  /** List the test events of a webhook. Scope: `viewer`. A restricted token finds only its own. */
  listWebhookTestEvents: {
    params: { id: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'receivedAt' | '-receivedAt';
    };
    answer: Envelope<Page<WebhookTestEvent>>;
  };
  /** List webhooks. Scope: `viewer`. A restricted token sees and changes only its own. */
  listWebhooks: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?:
        | 'name'
        | '-name'
        | 'status'
        | '-status'
        | 'createdAt'
        | '-createdAt'
        | 'updatedAt'
        | '-updatedAt';
      /** Words or parts of words of the name; case and accents are ignored. */
      search?: string;
      name?: string[];
      channelId?: string[];
      status?: ('draft' | 'sampled' | 'mapped' | 'active' | 'paused' | 'archived')[];
      producerProfile?: string[];
      /** A time, or a date from its start (UTC); inclusive. */
      from?: string;
      /** A time, or a date until its end (UTC); inclusive. */
      to?: string;
    };
    answer: Envelope<Page<Webhook>>;
  };
  /** Mark the messages of a chat as read. Scope: `inbox`. A restricted token finds only its own. */
  markChatRead: { params: { chatId: string }; body: object; answer: Envelope<Chat> };
  /** Merge another contact into this one. Scope: `operator`. A restricted token is rejected. */
  mergeContact: {
    params: { id: string };
    body: MergeContactBody;
    answer: Envelope<MergeContactAnswer>;
  };
  /** Pause an active webhook: new events are held. Scope: `operator`. A restricted token finds only its own. */
  pauseWebhook: { params: { id: string }; body: object; answer: Envelope<Webhook> };
  /** Preview the result of a mapping for a payload; has no effects. Scope: `viewer`. A restricted token finds only its own. */
  previewWebhookMappings: {
    params: { id: string };
    body: PreviewWebhookMappingsBody;
    answer: Envelope<PreviewWebhookMappingsAnswer>;
  };
  /** Check the connection and the credentials without a message; a success ends a failure of the channel. Scope: `operator`. A restricted token finds only its own. */
  probeChannel: { params: { id: string }; body: object; answer: Envelope<ProbeChannelAnswer> };
  /** Receive an event from any sender.  */
  receiveEvent: {
    params: {
      /** The webhook’s path key. */
      keyapi: string;
    };
    body: object | any[];
    answer: Envelope<{
      success: true;
      mode?: 'sample' | 'held';
      /** Absent for a sample. */
      eventId?: string;
      /** Whether the event id was known before. */
      duplicate?: boolean;
    }>;
  };
  /** Record that a backup of this installation was restored elsewhere and found whole now, for its metric and alert. Scope: `admin`. A restricted token is rejected. */
  recordBackupVerification: { answer: Envelope<RecordBackupVerificationAnswer> };
  /** Record a rejected request as an event of its original time, once it is readable; a rejection gives one event. Scope: `operator`. A restricted token finds only its own. */
  recordWebhookRejection: {
    params: { id: string; rejectionId: string };
    body: object;
    answer: Envelope<RecordWebhookRejectionAnswer>;
  };
  /** Register the URL of a webhook, with a new path key and a secret, at the service of its channel. Scope: `operator`. A restricted token finds only its own. */
  registerWebhook: {
    params: { id: string };
    body: object;
    answer: Envelope<RegisterWebhookAnswer>;
  };
  /** Suggest a mapping that also reads an event that failed; has no effects. Scope: `viewer`. A restricted token finds only its own. */
  repairWebhookMappings: {
    params: { id: string };
    body: RepairWebhookMappingsBody;
    answer: Envelope<RepairWebhookMappingsAnswer>;
  };
  /** Replace the labels of a chat. Scope: `inbox`. A restricted token finds only its own. */
  replaceChatLabels: {
    params: { chatId: string };
    body: string[] | { label_template_ids: string[] };
    answer: Envelope<Chat>;
  };
  /** Replay a dead, ignored or discarded event; with `remap` also a done one. Scope: `operator`. A restricted token finds only its own. */
  replayEvent: { params: { id: string }; body: ReplayEventBody; answer: Envelope<Event> };
  /** Replay many events in the background, or count the matching events. Scope: `operator`. A restricted token sees and changes only its own. */
  replayEvents: { body: ReplayEventsBody; answer: Envelope<ReplayEventsPreview> };
  /** Restore an archived webhook: paused if it was ever active, otherwise in its former setup state; keys that are neither revoked nor expired become valid again. Scope: `operator`. A restricted token finds only its own. */
  restoreWebhook: { params: { id: string }; body: RestoreWebhookBody; answer: Envelope<Webhook> };
  /** Resume a paused webhook: held events are processed. Scope: `operator`. A restricted token finds only its own. */
  resumeWebhook: { params: { id: string }; body: object; answer: Envelope<Webhook> };
  /** Retry a dead delivery with a full set of attempts. Scope: `operator`. A restricted token finds only its own. */
  retryDelivery: { params: { id: string }; body: object; answer: Envelope<Delivery> };
  /** Retry a dead delivery of notices with a full set of attempts. Scope: `operator`. A restricted token is rejected. */
  retryNoticesDelivery: { params: { id: string }; body: object; answer: Envelope<NoticesDelivery> };
  /** Retry the dead deliveries of a target, the 100 oldest at most. Scope: `operator`. A restricted token is rejected. */
  retryNoticesTarget: {
    params: { id: string };
    body: object;
    answer: Envelope<RetryNoticesTargetAnswer>;
  };
  /** Activate the previous version again; repeated calls go further back. Scope: `operator`. A restricted token finds only its own. */
  rollbackWebhook: { params: { id: string }; body: RollbackWebhookBody; answer: Envelope<Webhook> };
  /** Create a path key, shown only once; older keys remain valid until the overlap ends. Scope: `operator`. A restricted token finds only its own. */
  rotateWebhookKeys: {
    params: { id: string };
    body: RotateWebhookKeysBody;
    answer: Envelope<RotateWebhookKeysAnswer>;
  };
  /** Search the messages of a chat. Scope: `inbox`. A restricted token finds only its own. */
  searchChatMessages: {
    params: { chatId: string };
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'date' | '-date';
      /** Words that all occur in the message; case is ignored. */
      query: string;
    };
    answer: Envelope<Page<ChatSearch>>;
  };
  /** Search the messages of the 1,000 chats that were active last. Scope: `inbox`. A restricted token sees and changes only its own. */
  searchMessages: {
    query: {
      /** The page number, from 1. */
      current_page?: number;
      /** Number of results per page. */
      per_page?: number;
      /** A field, descending after a minus sign. Ties are broken by id. */
      sort_by?: 'date' | '-date';
      /** Words that all occur in the message; case is ignored. */
      query: string;
    };
    answer: Envelope<Page<ChatSearch>>;
  };
  /** Send a text or files to the contact of a chat. Scope: `inbox`. A restricted token finds only its own. */
  sendMessage: { params: { chatId: string }; body: SendMessageBody; answer: Envelope<ChatSearch> };
  /** Start a chat with a contact, or return its open chat in the channel (200). Scope: `inbox`. A restricted token sees and changes only its own. */
  startChat: { body: StartChatBody; answer: Envelope<StartChatAnswer> };
  /** Cause a fault on purpose: 404 unless INLET_DRILLS is true; one in a minute. Its worker ends within ten seconds. Scope: `admin`. A restricted token is rejected. */
  startDrill: { body: StartDrillBody; answer: Envelope<StartDrillAnswer> };
  /** Suggest a mapping for payloads or samples, with reasons; has no effects. Scope: `viewer`. A restricted token finds only its own. */
  suggestWebhookMappings: {
    params: { id: string };
    body: SuggestWebhookMappingsBody;
    answer: Envelope<SuggestWebhookMappingsAnswer>;
  };
  /** Send a test message, without retries. Scope: `operator`. A restricted token finds only its own. */
  testChannel: { params: { id: string }; body: object; answer: Envelope<TestChannelAnswer> };
  /** Send a test notice, without retries. Scope: `admin`. A restricted token is rejected. */
  testNoticesTarget: {
    params: { id: string };
    body: object;
    answer: Envelope<TestNoticesTargetAnswer>;
  };
  /** Transfer a chat to an agent, a sector or another channel. Scope: `inbox`. A restricted token finds only its own. */
  transferChat: { params: { chatId: string }; body: TransferChatBody; answer: Envelope<Chat> };
  /** Undo a merge into this contact, by default the last one. Scope: `operator`. A restricted token finds only its own. */
  unmergeContact: {
    params: { id: string };
    body: UnmergeContactBody;
    answer: Envelope<UnmergeContactAnswer>;
  };
  /** Change, disable or enable an agent; a disabled agent cannot act. Scope: `admin`. A restricted token is rejected. */
  updateAgent: { params: { id: string }; body: UpdateAgentBody; answer: Envelope<Agent> };
  /** Rename, disable or enable a channel, or change its settings; null removes a setting. Scope: `admin`. A restricted token finds only its own. */
  updateChannel: { params: { id: string }; body: UpdateChannelBody; answer: Envelope<Channel> };
  /** Change a contact; fields that are absent stay. Scope: `inbox`. A restricted token finds only its own. */
  updateChatContact: {
    params: { id: string };
    body: UpdateChatContactBody;
    answer: Envelope<ChatContact>;
  };
  /** Take a chat (`in_chat`) or close it (`closed`). Scope: `inbox`. A restricted token finds only its own. */
  updateChatStatus: {
    params: { chatId: string };
    body: UpdateChatStatusBody;
    answer: Envelope<Chat>;
  };
  /** Update fields of a contact. `pins` replaces the list of fields that events do not overwrite. Scope: `operator`. A restricted token finds only its own. */
  updateContact: { params: { id: string }; body: UpdateContactBody; answer: Envelope<Contact> };
  /** Rename, colour, disable or enable a label. Scope: `inbox`. A restricted token is rejected. */
  updateLabel: {
    params: { labelTemplateId: string };
    body: UpdateLabelBody;
    answer: Envelope<LabelTemplate>;
  };
  /** Change the rules of the installation; null removes a rule or a setting. Scope: `admin`. A restricted token is rejected. */
  updateNoticesRules: { body: UpdateNoticesRulesBody; answer: Envelope<GetNoticesRulesAnswer> };
  /** Rename, disable or enable a target, or change what it is sent; null removes a setting. Scope: `admin`. A restricted token is rejected. */
  updateNoticesTarget: {
    params: { id: string };
    body: UpdateNoticesTargetBody;
    answer: Envelope<NoticesTarget>;
  };
  /** Rename, colour, disable or enable a sector. Scope: `inbox`. A restricted token is rejected. */
  updateSector: { params: { sectorId: string }; body: UpdateSectorBody; answer: Envelope<Sector> };
  /** Rename a token or change its expiry; its scopes stay. Scope: `admin`. A restricted token is rejected. */
  updateToken: { params: { id: string }; body: UpdateTokenBody; answer: Envelope<Token> };
  /** Rename a webhook or change its channel. Scope: `operator`. A restricted token finds only its own. */
  updateWebhook: { params: { id: string }; body: UpdateWebhookBody; answer: Envelope<Webhook> };
  /** Change the rules of a webhook; null removes a rule or a setting. Scope: `admin`. A restricted token finds only its own. */
  updateWebhookNoticeRules: {
    params: { id: string };
    body: UpdateWebhookNoticeRulesBody;
    answer: Envelope<GetNoticesRulesAnswer>;
  };
  /** Name or pin a sample; at most 50 samples are pinned, and newer samples do not replace them. Scope: `operator`. A restricted token finds only its own. */
  updateWebhookSample: {
    params: { id: string; sampleId: string };
    body: UpdateWebhookSampleBody;
    answer: Envelope<WebhookSample>;
  };
  /** Change the profile, signature, handshake, response, GET, retries, rate limit, allowlist, dedup, retention or contacts without a name; null removes a setting. Scope: `operator`. A restricted token finds only its own. */
  updateWebhookSettings: {
    params: { id: string };
    body: UpdateWebhookSettingsBody;
    answer: Envelope<GetWebhookSettingsAnswer>;
  };
  /** Add a sample from a file: the raw body, of any type that the producer accepts. Scope: `operator`. A restricted token finds only its own. */
  uploadWebhookSamples: {
    params: { id: string };
    query: { name?: string };
    body: any;
    answer: Envelope<WebhookSample>;
  };
  /** Verify the unique indexes, and count the stored secrets that the configured keys open; no secret is shown. Scope: `admin`. A restricted token is rejected. */
  verifyDatabase: {
    query: {
      /** Also verifies the active mappings, and the effects of up to 1,550 finished events of the whole time. */
      records?: boolean;
    };
    answer: Envelope<VerifyDatabaseAnswer>;
  };
  /** Stream chats that change or get a message (`change`); without a chat, some were deleted. `too_slow`: reconnect with the last id; `history_lost`: the changes since that id are not available. Scope: `inbox`. A restricted token sees and changes only its own. */
  watchChats: { answer: WatchChatsAnswer };
  /** Stream events as their state changes (`change`). `too_slow`: reconnect with the last id; `history_lost`: the changes since that id are not available. Scope: `viewer`. A restricted token sees and changes only its own. */
  watchEvents: {
    query: {
      webhookId?: string[];
      state?: (
        | 'received'
        | 'held'
        | 'processing'
        | 'waiting'
        | 'done'
        | 'ignored'
        | 'dead'
        | 'discarded'
      )[];
      externalId?: string[];
      eventType?: string[];
      reason?: string[];
      mappingVersion?: number[];
      contactId?: string[];
      /** Of the contact of the event. */
      phone?: string;
      /** Of the contact of the event. */
      email?: string;
      parentId?: string[];
      /** Includes the bodies that were split into items. */
      parents?: boolean;
      /** Includes the stored request of each event, unmasked; requires the scope `operator` and is recorded in the audit log. */
      request?: boolean;
    };
    answer: WatchEventsAnswer;
  };
  /** Stream new samples of a webhook (`sample`) without their content. `too_slow` and `history_lost` as for events. Scope: `viewer`. A restricted token finds only its own. */
  watchWebhookSamples: { params: { id: string }; answer: WatchWebhookSamplesAnswer };
}

/** Where each operation is. */
export const operations = {
  activateWebhook: ['POST', '/v1/admin/webhooks/{id}/activate'],
  activateWebhookMapping: ['POST', '/v1/admin/webhooks/{id}/mappings/{version}/activate'],
  addWebhookRejectionAsSample: ['POST', '/v1/admin/webhooks/{id}/rejections/{rejectionId}/sample'],
  archiveWebhook: ['POST', '/v1/admin/webhooks/{id}/archive'],
  cancelReplay: ['POST', '/v1/admin/replays/{id}/cancel'],
  countUnreadChats: ['GET', '/v1/chat/unread-summary'],
  countWebhookRejections: ['GET', '/v1/admin/webhooks/{id}/rejections/counts'],
  countWebhooks: ['GET', '/v1/admin/webhooks/counts'],
  createAgent: ['POST', '/v1/admin/agents'],
  createChannel: ['POST', '/v1/admin/channels'],
  createChatContact: ['POST', '/v1/chat/contacts'],
  createChatContacts: ['POST', '/v1/chat/contacts/batch'],
  createConsoleSession: ['POST', '/v1/console/session'],
  createLabel: ['POST', '/v1/label-template'],
  createNoticesTarget: ['POST', '/v1/admin/notices/targets'],
  createSector: ['POST', '/v1/sector'],
  createToken: ['POST', '/v1/admin/tokens'],
  createWebhook: ['POST', '/v1/admin/webhooks'],
  createWebhookMapping: ['POST', '/v1/admin/webhooks/{id}/mappings'],
  createWebhookSample: ['POST', '/v1/admin/webhooks/{id}/samples'],
  createWebhookTestEvent: ['POST', '/v1/admin/webhooks/{id}/test-events'],
  deleteAgent: ['DELETE', '/v1/admin/agents/{id}'],
  deleteBlock: ['DELETE', '/v1/admin/blocks/{id}'],
  deleteChannel: ['DELETE', '/v1/admin/channels/{id}'],
  deleteConsoleSession: ['DELETE', '/v1/console/session'],
  deleteLabel: ['DELETE', '/v1/label-template/{labelTemplateId}'],
  deleteNoticesTarget: ['DELETE', '/v1/admin/notices/targets/{id}'],
  deleteSector: ['DELETE', '/v1/sector/{sectorId}'],
  deleteToken: ['DELETE', '/v1/admin/tokens/{id}'],
  deleteWebhookKey: ['DELETE', '/v1/admin/webhooks/{id}/keys/{keyId}'],
  deleteWebhookRejection: ['DELETE', '/v1/admin/webhooks/{id}/rejections/{rejectionId}'],
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
  getAgent: ['GET', '/v1/admin/agents/{id}'],
  getAuditRow: ['GET', '/v1/admin/audit/{id}'],
  getChannel: ['GET', '/v1/admin/channels/{id}'],
  getChat: ['GET', '/v1/chat/{chatId}'],
  getChatAttendants: ['GET', '/v1/chat/{chatId}/attendants'],
  getChatContact: ['GET', '/v1/chat/contacts/{id}'],
  getChatDetails: ['GET', '/v1/chat/{chatId}/details'],
  getChatFile: ['GET', '/v1/chat/{chatId}/files/{fileId}'],
  getConsoleSession: ['GET', '/v1/console/session'],
  getContact: ['GET', '/v1/admin/contacts/{id}'],
  getContactChat: ['GET', '/v1/admin/contacts/{id}/chats/{chatId}'],
  getCurrentToken: ['GET', '/v1/admin/tokens/current'],
  getDelivery: ['GET', '/v1/admin/deliveries/{id}'],
  getErasure: ['GET', '/v1/admin/erasures/{id}'],
  getEvent: ['GET', '/v1/admin/events/{id}'],
  getLabel: ['GET', '/v1/label-template/{labelTemplateId}'],
  getNoticesRules: ['GET', '/v1/admin/notices/rules'],
  getNoticesTarget: ['GET', '/v1/admin/notices/targets/{id}'],
  getOfficialChatContext: ['GET', '/v1/chat/{chatId}/official-conversation/context'],
  getOfficialOpeningContext: ['GET', '/v1/chat/official-opening/context'],
  getProducers: ['GET', '/v1/admin/producers'],
  getReceipt: ['GET', '/v1/webhook/{keyapi}/receipts/{externalId}'],
  getReceiptByBody: ['GET', '/v1/webhook/{keyapi}/receipts/by-body/{sha256}'],
  getReplay: ['GET', '/v1/admin/replays/{id}'],
  getReplayOutcome: ['GET', '/v1/admin/replays/{id}/outcome'],
  getSector: ['GET', '/v1/sector/{sectorId}'],
  getStats: ['GET', '/v1/admin/stats'],
  getStatsHealth: ['GET', '/v1/admin/stats/health'],
  getToken: ['GET', '/v1/admin/tokens/{id}'],
  getTransforms: ['GET', '/v1/admin/transforms'],
  getWebhook: ['GET', '/v1/admin/webhooks/{id}'],
  getWebhookDrift: ['GET', '/v1/admin/webhooks/{id}/drift'],
  getWebhookKeyHashes: ['GET', '/v1/admin/webhooks/{id}/keys/hashes'],
  getWebhookMapping: ['GET', '/v1/admin/webhooks/{id}/mappings/{version}'],
  getWebhookMappingsHealth: ['GET', '/v1/admin/webhooks/{id}/mappings/health'],
  getWebhookNoticeRules: ['GET', '/v1/admin/webhooks/{id}/notice-rules'],
  getWebhookRejection: ['GET', '/v1/admin/webhooks/{id}/rejections/{rejectionId}'],
  getWebhookSample: ['GET', '/v1/admin/webhooks/{id}/samples/{sampleId}'],
  getWebhookSchedule: ['GET', '/v1/admin/webhooks/{id}/schedule'],
  getWebhookSettings: ['GET', '/v1/admin/webhooks/{id}/settings'],
  getWebhookTestEvent: ['GET', '/v1/admin/webhooks/{id}/test-events/{eventId}'],
  importWebhookKey: ['POST', '/v1/admin/webhooks/{id}/keys'],
  joinChat: ['POST', '/v1/chat/{chatId}/join'],
  leaveChat: ['POST', '/v1/chat/{chatId}/leave'],
  listActiveLabels: ['GET', '/v1/label-template/all'],
  listActiveSectors: ['GET', '/v1/sector/all'],
  listActiveUsers: ['GET', '/v1/user/all'],
  listAgents: ['GET', '/v1/admin/agents'],
  listAudit: ['GET', '/v1/admin/audit'],
  listBlocks: ['GET', '/v1/admin/blocks'],
  listChannelKinds: ['GET', '/v1/admin/channels/kinds'],
  listChannels: ['GET', '/v1/admin/channels'],
  listChatContacts: ['GET', '/v1/chat/contacts'],
  listChatLabels: ['GET', '/v1/chat/label-templates'],
  listChatSectors: ['GET', '/v1/chat/sectors'],
  listChatUsers: ['GET', '/v1/chat/users'],
  listChatWorkers: ['GET', '/v1/chat/workers'],
  listChats: ['GET', '/v1/chat'],
  listContactChatMessages: ['GET', '/v1/admin/contacts/{id}/chats/{chatId}/messages'],
  listContactConflicts: ['GET', '/v1/admin/contacts/conflicts'],
  listContactIdentities: ['GET', '/v1/admin/contacts/{id}/identities'],
  listContacts: ['GET', '/v1/admin/contacts'],
  listDeadLetters: ['GET', '/v1/admin/dead-letters'],
  listDeliveries: ['GET', '/v1/admin/deliveries'],
  listErasures: ['GET', '/v1/admin/erasures'],
  listEventDeliveries: ['GET', '/v1/admin/events/{id}/deliveries'],
  listEvents: ['GET', '/v1/admin/events'],
  listEventsEffects: ['GET', '/v1/admin/events/effects'],
  listLabels: ['GET', '/v1/label-template'],
  listNoticeTargetKinds: ['GET', '/v1/admin/notices/targets/kinds'],
  listNotices: ['GET', '/v1/admin/notices'],
  listNoticesDeliveries: ['GET', '/v1/admin/notices/deliveries'],
  listNoticesTargets: ['GET', '/v1/admin/notices/targets'],
  listReplays: ['GET', '/v1/admin/replays'],
  listSectorUsers: ['GET', '/v1/sector/{sectorId}/users'],
  listSectors: ['GET', '/v1/sector'],
  listStatsRejections: ['GET', '/v1/admin/stats/rejections'],
  listStatsWebhooks: ['GET', '/v1/admin/stats/webhooks'],
  listTokens: ['GET', '/v1/admin/tokens'],
  listTransferSectorUsers: ['GET', '/v1/chat/transfer/sectors/{sectorId}/users'],
  listTransferSectors: ['GET', '/v1/chat/transfer/sectors'],
  listTransferUsers: ['GET', '/v1/chat/transfer/users'],
  listUsers: ['GET', '/v1/user'],
  listWebhookConfigurations: ['GET', '/v1/admin/webhooks/configurations'],
  listWebhookKeys: ['GET', '/v1/admin/webhooks/{id}/keys'],
  listWebhookMappings: ['GET', '/v1/admin/webhooks/{id}/mappings'],
  listWebhookRejections: ['GET', '/v1/admin/webhooks/{id}/rejections'],
  listWebhookSamples: ['GET', '/v1/admin/webhooks/{id}/samples'],
  listWebhookTestEvents: ['GET', '/v1/admin/webhooks/{id}/test-events'],
  listWebhooks: ['GET', '/v1/admin/webhooks'],
  markChatRead: ['POST', '/v1/chat/{chatId}/read'],
  mergeContact: ['POST', '/v1/admin/contacts/{id}/merge'],
  pauseWebhook: ['POST', '/v1/admin/webhooks/{id}/pause'],
  previewWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/preview'],
  probeChannel: ['POST', '/v1/admin/channels/{id}/probe'],
  receiveEvent: ['POST', '/v1/webhook/{keyapi}'],
  recordBackupVerification: ['POST', '/v1/admin/database/verifications'],
  recordWebhookRejection: ['POST', '/v1/admin/webhooks/{id}/rejections/{rejectionId}/event'],
  registerWebhook: ['POST', '/v1/admin/webhooks/{id}/register'],
  repairWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/repair'],
  replaceChatLabels: ['PATCH', '/v1/chat/{chatId}/label'],
  replayEvent: ['POST', '/v1/admin/events/{id}/replay'],
  replayEvents: ['POST', '/v1/admin/events/replay'],
  restoreWebhook: ['POST', '/v1/admin/webhooks/{id}/restore'],
  resumeWebhook: ['POST', '/v1/admin/webhooks/{id}/resume'],
  retryDelivery: ['POST', '/v1/admin/deliveries/{id}/retry'],
  retryNoticesDelivery: ['POST', '/v1/admin/notices/deliveries/{id}/retry'],
  retryNoticesTarget: ['POST', '/v1/admin/notices/targets/{id}/retry'],
  rollbackWebhook: ['POST', '/v1/admin/webhooks/{id}/rollback'],
  rotateWebhookKeys: ['POST', '/v1/admin/webhooks/{id}/keys/rotate'],
  searchChatMessages: ['GET', '/v1/chat/{chatId}/search'],
  searchMessages: ['GET', '/v1/chat/search'],
  sendMessage: ['POST', '/v1/chat/{chatId}'],
  startChat: ['POST', '/v1/chat/start-with-contact'],
  startDrill: ['POST', '/v1/admin/drills'],
  suggestWebhookMappings: ['POST', '/v1/admin/webhooks/{id}/mappings/suggest'],
  testChannel: ['POST', '/v1/admin/channels/{id}/test'],
  testNoticesTarget: ['POST', '/v1/admin/notices/targets/{id}/test'],
  transferChat: ['POST', '/v1/chat/{chatId}/transfer'],
  unmergeContact: ['POST', '/v1/admin/contacts/{id}/unmerge'],
  updateAgent: ['PATCH', '/v1/admin/agents/{id}'],
  updateChannel: ['PATCH', '/v1/admin/channels/{id}'],
  updateChatContact: ['PATCH', '/v1/chat/contacts/{id}'],
  updateChatStatus: ['PATCH', '/v1/chat/{chatId}/status'],
  updateContact: ['PATCH', '/v1/admin/contacts/{id}'],
  updateLabel: ['PATCH', '/v1/label-template/{labelTemplateId}'],
  updateNoticesRules: ['PATCH', '/v1/admin/notices/rules'],
  updateNoticesTarget: ['PATCH', '/v1/admin/notices/targets/{id}'],
  updateSector: ['PATCH', '/v1/sector/{sectorId}'],
  updateToken: ['PATCH', '/v1/admin/tokens/{id}'],
  updateWebhook: ['PATCH', '/v1/admin/webhooks/{id}'],
  updateWebhookNoticeRules: ['PATCH', '/v1/admin/webhooks/{id}/notice-rules'],
  updateWebhookSample: ['PATCH', '/v1/admin/webhooks/{id}/samples/{sampleId}'],
  updateWebhookSettings: ['PATCH', '/v1/admin/webhooks/{id}/settings'],
  uploadWebhookSamples: ['POST', '/v1/admin/webhooks/{id}/samples/file'],
  verifyDatabase: ['GET', '/v1/admin/database/verify'],
  watchChats: ['GET', '/v1/chat/live'],
  watchEvents: ['GET', '/v1/admin/events/live'],
  watchWebhookSamples: ['GET', '/v1/admin/webhooks/{id}/samples/live'],
} as const;
