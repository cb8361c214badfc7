/** The port of destinations: one implementation for each channel kind. */
import type { ContactTarget } from '../domain/mappings/mapping.ts';
import type { FieldProblem } from '../base/errors.ts';
import type { ChannelKind } from '../domain/messages/channel.ts';
import type { DeliveryOutcome } from '../domain/messages/delivery.ts';
import type { DeliveryStatus } from '../domain/messages/delivery-status.ts';
import type { MessageContent, MessageFile, MessageRecord } from '../domain/messages/message.ts';

export type ChannelSettings = Readonly<Record<string, unknown>>;

/** A message as it is sent to a destination, as JSON. */
export type OutgoingMessage = {
  readonly type: 'message';
  /** The same in every attempt. */
  readonly id: string;
  /** Sent by a person to try the channel or a mapping. It is about no real person. */
  readonly test: boolean;
  readonly date: string;
  readonly channelId: string;
  readonly webhookId: string | null;
  readonly eventId: string | null;
  readonly chatId: string | null;
  /** As stored when the message is sent. The phone is E.164. */
  readonly contact:
    | (Readonly<Record<ContactTarget, string | null>> & {
        readonly id: string;
        readonly fields: Readonly<Record<string, string>>;
      })
    | null;
  /** `client`: the person of the contact. `operator`: an agent, or a token of the conversations API. */
  readonly from: MessageRecord['typeUser'];
  readonly content: {
    readonly type: MessageContent['type'];
    readonly text: string;
    /** Each with the path of the API under which its bytes are read. */
    readonly files?: readonly (Omit<MessageFile, 'fileId'> & {
      readonly id: string;
      readonly path: string;
    })[];
  };
};

/** The attempt and its record must end within the 16 s that a worker drains before MongoDB is closed. */
export const maxTimeoutMs = 14_000;

export type AttemptTerms = {
  /** `readReply` of the last message of the contact in this channel. */
  readonly thread?: string | undefined;
  readonly timeoutMs: number;
  /** The header by which the destination continues the trace. Absent: the attempt is not traced. */
  readonly traceparent?: string | undefined;
  /** When the contact last wrote in this channel, as far as Inlet received it. */
  readonly lastReplyAt?: Date | undefined;
};

/** What a kind can do. The console and the API show it. */
export type Capabilities = {
  /** `system`: each message is posted to a program. `person`: it reaches the contact, such as mail. */
  readonly reaches: 'system' | 'person';
  readonly media: boolean;
  readonly templates: boolean;
  /** Hours after a message of the contact in which free text may be sent; null: always. */
  readonly windowHours: number | null;
  /** Whether answers of the contact come back into the chat. */
  readonly replies: boolean;
};

/**
 * How a repeated attempt is kept from being a second message. `native`: the destination knows the message's id. `reconcile`: the
 * destination reports later what became of it. `none`: neither.
 */
export type Idempotency = 'native' | 'reconcile' | 'none';

export type Rates = {
  /** Of the channel. */
  readonly perMinute?: number;
  /** The least time between two messages to one recipient. */
  readonly recipientMs?: number;
};

/** Makes one attempt, which ends within `timeoutMs`. Never rejects. */
export type Deliver = (
  message: OutgoingMessage,
  settings: ChannelSettings,
  terms: AttemptTerms,
) => Promise<DeliveryOutcome>;

/** The delivery function of each kind that sends messages out of Inlet. */
export type Deliverers = Readonly<Partial<Record<ChannelKind, Deliver>>>;

/** What the process passes to the kinds that send messages out of Inlet. */
export type OutboundOptions = {
  /** CIDR ranges that are allowed although they are not public. */
  readonly allowedDestinations: readonly string[];
  readonly now: () => Date;
};

/** Connects and proves the credentials; sends no message. Ends within `timeoutMs`. Never rejects. */
export type Probe = (settings: ChannelSettings, terms: AttemptTerms) => Promise<DeliveryOutcome>;

/** What a message of the contact says about the conversation. */
export type Reply = {
  /** What the next answer needs in order to join it; only its kind reads it. Null: nothing. */
  readonly thread: string | null;
  /** Id of the sent message that it answers, as the sender claims. */
  readonly quotedId: string | null;
};

export type RegisterResult =
  /** `said`: the service's own sentence. */
  | { readonly kind: 'registered'; readonly said: string | null }
  /** `unknown`: the service may have registered it. */
  | { readonly kind: 'failed' | 'unknown'; readonly reason: string; readonly said: string | null };

export type RegisteredUrl = {
  /** Holds a path key. Null: the service posts nowhere. */
  readonly url: string | null;
  /** What the service has not posted yet. */
  readonly pending: number;
  readonly lastErrorAt: Date | null;
  readonly lastError: string | null;
};

/** Tells a service where to post. Neither function rejects; each ends within `timeoutMs`. */
export type Registration = {
  readonly register: (
    settings: ChannelSettings,
    webhook: { readonly url: string; readonly secret: string },
    terms: AttemptTerms,
  ) => Promise<RegisterResult>;
  readonly read: (
    settings: ChannelSettings,
    terms: AttemptTerms,
  ) => Promise<RegisteredUrl | DeliveryOutcome>;
};

/** What the service of a channel posts to Inlet: to a webhook of the channel that has one of the kind's producers. */
export type Inbound = {
  /**
   * The names of the producers. Their events are messages of the contacts: they are mapped like any event and never sent. Their
   * contacts are found by external id whichever webhook received it.
   */
  readonly producers: readonly string[];
  /**
   * Returns why an item of a body is no message of a contact, as a code of the reasons with an optional detail after a colon: one of
   * another account, whose items come to the same URL, or one that no person wrote. Default: null. Pure; never throws.
   */
  ignores?(item: unknown, settings: ChannelSettings): string | null;
  /** Default: a message says nothing. Null: the service wrote it about the person. Pure; never throws. */
  readReply?(item: unknown): Reply | null;
  /**
   * Reads one item of a body, or the whole body where it is not split. Returns null for what is no status of a sent message.
   * Pure; never throws.
   */
  readStatus?(item: unknown): DeliveryStatus | null;
  /** Only of a service that takes the URL by its API. The webhook's secret is then letters, digits, `_` and `-`. */
  createRegistration?(options: OutboundOptions): Registration;
};

export type Channel = {
  readonly kind: ChannelKind;
  /** JSON Schema of the kind's settings. */
  readonly settingsSchema: Readonly<Record<string, unknown>>;
  /** Present only when the service posts to Inlet. */
  readonly inbound?: Inbound;
  /** Present only when messages leave Inlet. */
  readonly outbound?: {
    readonly capabilities: Capabilities;
    readonly idempotency: Idempotency;
    ratesOf(settings: ChannelSettings): Rates;
    /** Whether the messages of events are sent, and not only those of agents. */
    sendsEventMessages(settings: ChannelSettings): boolean;
    createDeliver(options: OutboundOptions): Deliver;
    createProbe(options: OutboundOptions): Probe;
    /** Returns the origin that the secrets are sent to; null when the settings name none. */
    originOf(settings: ChannelSettings): string | null;
    /** Returns the problems that the schema cannot express; paths start at the settings. */
    validateSettings(settings: ChannelSettings, options: OutboundOptions): readonly FieldProblem[];
  };
};
