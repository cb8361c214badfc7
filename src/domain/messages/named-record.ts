/** Labels and sectors of chats: records that events and people refer to by name. */
export const namedRecordStatuses = ['active', 'disabled'] as const;
export type NamedRecordStatus = (typeof namedRecordStatuses)[number];

export type NamedRecord = {
  readonly _id: string;
  readonly name: string;
  readonly nameKey: string;
  readonly color: string;
  readonly createdAt: Date;
  /** The webhook whose event created it; null for a deleted record, absent for that of a person. */
  readonly webhookId?: string | null;
  /** Absent: active. A disabled record cannot be chosen by a person; events still use it. */
  readonly status?: NamedRecordStatus;
  /** A deleted record is not listed, and its name is free. It stays, so that closed chats keep its name. */
  readonly deletedAt?: Date;
};
