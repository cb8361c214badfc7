/** The port of destinations: one implementation for each channel kind. */
import type { FieldProblem } from '../base/errors.ts';
import type { ChannelKind } from '../domain/messages/channel.ts';
import type { DeliveryOutcome } from '../domain/messages/delivery.ts';
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
  /** As stored when the message is sent. */
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

export type AttemptTerms = {
  readonly timeoutMs: number;
  /** The header by which the destination continues the trace. Absent: the attempt is not traced. */
  readonly traceparent?: string | undefined;
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

export type Channel = {
  readonly kind: ChannelKind;
  /** JSON Schema of the kind's settings. */
  readonly settingsSchema: Readonly<Record<string, unknown>>;
  /** Present only when messages leave Inlet. */
  readonly outbound?: {
    createDeliver(options: OutboundOptions): Deliver;
    /** Returns the origin that the secrets are sent to; null when the settings name none. */
    originOf(settings: ChannelSettings): string | null;
    /** Returns the problems that the schema cannot express; paths start at the settings. */
    validateSettings(settings: ChannelSettings, options: OutboundOptions): readonly FieldProblem[];
  };
};
