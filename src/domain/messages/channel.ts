/** A channel: the destination of contacts, chats and messages. */
export const channelKindNames = ['inbox', 'http', 'smtp', 'telegram', 'whatsapp'] as const;
export type ChannelKind = (typeof channelKindNames)[number];

export type ChannelRecord = {
  readonly _id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Settings without secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Sealed secrets by setting name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** A deleted channel accepts nothing new. The record stays, so that existing chats keep its name. */
  readonly deletedAt?: Date | null;
};

/** Returns the region of phone numbers without a country code in this channel; `otherwise` if it sets none. */
export function regionOf(channel: ChannelRecord | null | undefined, otherwise: string): string {
  const region = channel?.settings.region;
  return typeof region === 'string' ? region : otherwise;
}
