/** A mapping version: an immutable mapping document, numbered within its webhook. */
import type { MappingDocument } from './mapping.ts';
import type { EventRecord } from '../events/event.ts';
import type { Outcome } from '../events/outcome.ts';

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

/** Called once for the outcome of each attempt. Must not throw. */
export type RecordOutcome = (event: EventRecord, outcome: Outcome) => void;

export const keptHealthDays = 30;

/** Events that ended within one hour. */
export type VersionHealthBucket = {
  readonly webhookId: string;
  readonly version: number;
  readonly hour: Date;
  readonly done: number;
  readonly ignored: number;
  readonly dead: number;
  /** Attempts that will be retried. */
  readonly retried: number;
  /** Dead events by reason. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Problems by `target|code`. An event may have several. */
  readonly problems: ReadonlyMap<string, number>;
};
