/** A mapping version: a mapping document saved once, numbered within its webhook, never changed afterwards. */
import type { MappingDocument } from './mapping.ts';

export const versionStatuses = ['draft', 'active', 'retired'] as const;
export type VersionStatus = (typeof versionStatuses)[number];

export type MappingVersion = {
  readonly webhookId: string;
  readonly version: number;
  readonly mapping: MappingDocument;
  readonly status: VersionStatus;
  readonly createdAt: Date;
  /** The name of the token that saved it. */
  readonly createdBy: string;
  readonly activatedAt: Date | null;
};

export type VersionKey = { readonly webhookId: string; readonly version: number };
