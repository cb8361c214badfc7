/** A mapping version: an immutable mapping document, numbered within its webhook. */
import type { MappingDocument } from './mapping.ts';

export const versionStatuses = ['draft', 'active', 'retired'] as const;
type VersionStatus = (typeof versionStatuses)[number];

export type MappingVersion = {
  readonly webhookId: string;
  readonly version: number;
  readonly mapping: MappingDocument;
  readonly status: VersionStatus;
  readonly createdAt: Date;
  /** Name of the token that created it. */
  readonly createdBy: string;
  readonly activatedAt: Date | null;
};

export type VersionKey = { readonly webhookId: string; readonly version: number };
