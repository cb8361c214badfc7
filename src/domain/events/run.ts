/**
 * A run: work over many events that goes on in small steps, whichever process takes the next one, until it is through
 * or somebody stops it. One sends ended events through again, one gives events up, one lets through what was held.
 */
import type { Actor } from '../audit/audit.ts';
import type { EventState } from './event.ts';

export const runKinds = ['replay', 'discard', 'resume'] as const;
export type RunKind = (typeof runKinds)[number];

/** Those that people order, and may stop. */
export const userRunKinds = ['replay', 'discard'] as const satisfies readonly RunKind[];
export type UserRunKind = (typeof userRunKinds)[number];

export const runStates = ['running', 'done', 'cancelled', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** `selection_too_slow`: the filter is too far from every index. `internal_error`: the log says what. */
export const runFailures = ['selection_too_slow', 'internal_error'] as const;
export type RunFailure = (typeof runFailures)[number];

/** So many steps in a row may come to nothing. An outage of the database is none of them. */
export const maxRunFailures = 5;

/** Several values of one field mean any of them; a field that is left out does not matter. */
export type RunFilter = {
  readonly ids?: string[];
  readonly webhookId?: string[];
  readonly state?: EventState[];
  readonly reason?: string[];
  readonly externalId?: string[];
  readonly eventType?: string[];
  readonly mappingVersion?: number[];
  readonly parentId?: string[];
  /** Receipt, both ends included. */
  readonly from?: Date;
  readonly to?: Date;
};

/** Everything up to here, in the order of receipt, is behind the run. */
export type RunCursor = { readonly receivedAt: Date; readonly _id: string };

/** What a step means to do, written down before it is done, so that whoever repeats it does and counts the same. */
export type RunStep = {
  readonly ids: readonly string[];
  readonly upTo: RunCursor | null;
  /** Of a resume: these are let through, and the next wait until they are worked on. */
  readonly isSent: boolean;
};

export type RunRecord = {
  readonly _id: string;
  readonly kind: RunKind;
  readonly state: RunState;
  /** Set while it is running: all that a process looks for. */
  readonly open?: true;
  readonly filter: RunFilter;
  readonly remap: boolean;
  /** On average not more events a second than this. */
  readonly perSecond: number;
  /** How many events there were when it began; at least so many where it is not exact. */
  readonly total: number;
  readonly totalExact: boolean;
  /** Sent through, or given up. */
  readonly replayed: number;
  /** Met in a state that forbids it: somebody else was faster. */
  readonly skipped: number;
  readonly cursor: RunCursor | null;
  readonly step: RunStep | null;
  /** How many steps in a row came to nothing, and why the last of them did. */
  readonly failures: number;
  readonly reason: RunFailure | null;
  /** Whose step it is. */
  readonly token: string | null;
  /** When the next step is due, or the present one counts as abandoned. */
  readonly nextAt: Date;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly finishedAt: Date | null;
};

/** A step is one job. */
export const maxRunStep = 100;
export const defaultPerSecond = 100;
export const maxPerSecond = 1_000;
/** Of events that were held, whatever the webhook. */
export const resumePerSecond = 200;

/** Half a second's worth, so that a slow run is not a burst and a long pause. */
export const stepSizeOf = ({ perSecond }: Pick<RunRecord, 'perSecond'>): number =>
  Math.max(1, Math.min(maxRunStep, Math.floor(perSecond / 2)));

export const pauseMsOf = (events: number, { perSecond }: Pick<RunRecord, 'perSecond'>): number =>
  Math.ceil((events * 1_000) / perSecond);
