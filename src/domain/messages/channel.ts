/** A channel: the destination in which contacts, chats and messages appear. */
export const channelKindNames = ['inbox', 'http'] as const;
export type ChannelKind = (typeof channelKindNames)[number];

export type ChannelRecord = {
  readonly _id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  /** Without what is secret. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Sealed, by the setting's name. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Nothing new goes there; what is there keeps its channel's name. */
  readonly deletedAt?: Date | null;
};
