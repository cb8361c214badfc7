/** How events end under each version of a mapping: counted by the hour, so that a new version can be watched. */
import type { EventRecord } from '../events/event.ts';
import type { Outcome } from '../events/outcome.ts';

/** Called once for the outcome of each attempt. Must not throw. */
export type RecordOutcome = (event: EventRecord, outcome: Outcome) => void;

export const keptHealthDays = 30;

/** What ended within an hour. */
export type VersionHealthBucket = {
  readonly webhookId: string;
  readonly version: number;
  readonly hour: Date;
  readonly done: number;
  readonly ignored: number;
  readonly dead: number;
  /** Attempts that are made again: of them nothing has ended yet. */
  readonly retried: number;
  /** Of those that are dead. */
  readonly reasons: ReadonlyMap<string, number>;
  /** By target and code, parted by `|`; an event may have several. */
  readonly problems: ReadonlyMap<string, number>;
};
