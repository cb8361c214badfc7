/** The port that destinations multiply behind. */
import type { FieldProblem } from '../base/errors.ts';
import type { ChannelKind } from '../domain/messages/channel.ts';
import type { DeliveryOutcome } from '../domain/messages/delivery.ts';

export type ChannelSettings = Readonly<Record<string, unknown>>;

/** What a destination is told of a message, as JSON. */
export type OutgoingMessage = {
  readonly type: 'message';
  /** The same however often it is sent. */
  readonly id: string;
  /** Sent by a person to try the channel or a mapping: of nobody real, and to be thrown away. */
  readonly test: boolean;
  readonly date: string;
  readonly channelId: string;
  readonly webhookId: string | null;
  readonly eventId: string | null;
  readonly chatId: string | null;
  /** As it is known when the message is sent. */
  readonly contact: {
    readonly id: string;
    readonly externalId: string | null;
    readonly name: string | null;
    /** E.164. */
    readonly phone: string | null;
    readonly email: string | null;
    readonly document: string | null;
    readonly fields: Readonly<Record<string, string>>;
  } | null;
  readonly content: { readonly type: 'text'; readonly text: string };
};

/** One attempt, over within `withinMs`. Never rejects. */
export type Deliver = (
  message: OutgoingMessage,
  settings: ChannelSettings,
  withinMs: number,
) => Promise<DeliveryOutcome>;

/** For each kind that goes outside, how. */
export type Deliverers = Readonly<Partial<Record<ChannelKind, Deliver>>>;

/** What a kind that goes outside may be told by the process. */
export type OutboundOptions = {
  /** CIDR ranges that may be reached although they are not public. */
  readonly allowedDestinations: readonly string[];
  readonly now: () => Date;
};

export type Channel = {
  readonly kind: ChannelKind;
  /** JSON Schema of the kind's settings. */
  readonly settingsSchema: Readonly<Record<string, unknown>>;
  /** Only where messages leave Inlet. */
  readonly outbound?: {
    createDeliver(terms: OutboundOptions): Deliver;
    /** What the schema cannot say is wrong with settings; paths begin at the settings. */
    validateSettings(settings: ChannelSettings, terms: OutboundOptions): readonly FieldProblem[];
  };
};
