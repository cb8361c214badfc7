/** A channel: the destination in which contacts, chats and messages appear. */
export const channelKindNames = ['inbox', 'http'] as const;
export type ChannelKind = (typeof channelKindNames)[number];

export type ChannelRecord = {
  readonly _id: string;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly settings: Readonly<Record<string, unknown>>;
  readonly enabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};
