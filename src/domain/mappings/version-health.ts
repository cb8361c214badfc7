/** Outcomes per mapping version and hour, so that a new version can be monitored. */
import type { EventRecord } from '../events/event.ts';
import type { Outcome } from '../events/outcome.ts';

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
