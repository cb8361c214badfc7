/**
 * A run: work over many events in small steps. Any process takes the next step, until the run is done or
 * cancelled. Kinds: replay ended events, discard events, resume held events.
 */
import type { Actor } from '../audit/audit.ts';
import type { EventState } from './event.ts';

export const runKinds = ['replay', 'discard', 'resume'] as const;
export type RunKind = (typeof runKinds)[number];

/** Runs that a person starts and can cancel. */
export const userRunKinds = ['replay', 'discard'] as const satisfies readonly RunKind[];
export type UserRunKind = (typeof userRunKinds)[number];

export const runStates = ['running', 'done', 'cancelled', 'failed'] as const;
export type RunState = (typeof runStates)[number];

/** `selection_too_slow`: no index supports the filter. `internal_error`: see the log. */
export const runFailures = ['selection_too_slow', 'internal_error'] as const;
export type RunFailure = (typeof runFailures)[number];

/** Consecutive failed steps after which a run fails. An outage of the database does not count. */
export const maxRunFailures = 5;

/** Several values of one field match any of them. An absent field matches everything. */
export type RunFilter = {
  readonly ids?: string[];
  readonly webhookId?: string[];
  readonly state?: EventState[];
  readonly reason?: string[];
  readonly externalId?: string[];
  readonly eventType?: string[];
  readonly mappingVersion?: number[];
  readonly parentId?: string[];
  /** Time of receipt, both ends included. */
  readonly from?: Date;
  readonly to?: Date;
};

/** The last event that the run has passed, in order of receipt. */
export type RunCursor = { readonly _id: string };

/** The planned step. It is stored before it is executed, so that a repetition does and counts the same. */
export type RunStep = {
  readonly ids: readonly string[];
  readonly upTo: RunCursor | null;
  /** For `resume`: these events were released; the next step waits until they are processed. */
  readonly isSent: boolean;
};

export type RunRecord = {
  readonly _id: string;
  readonly kind: RunKind;
  readonly state: RunState;
  /** Set while the run is active; the index of open runs uses it. */
  readonly open?: true;
  readonly filter: RunFilter;
  readonly remap: boolean;
  /** Average rate limit, in events per second. */
  readonly perSecond: number;
  /** Number of matching events at the start; a lower bound if it is not exact. */
  readonly total: number;
  readonly totalExact: boolean;
  /** Number of replayed or discarded events. */
  readonly replayed: number;
  /** Events whose state did not allow the change. */
  readonly skipped: number;
  readonly cursor: RunCursor | null;
  readonly step: RunStep | null;
  /** Number of consecutive failed steps, and the reason of the last failure. */
  readonly failures: number;
  readonly reason: RunFailure | null;
  /** Lease token of the process that executes the step. */
  readonly token: string | null;
  /** When the next step is due, or when the lease of the current step ends. */
  readonly nextAt: Date;
  readonly createdAt: Date;
  readonly createdBy: Actor;
  readonly finishedAt: Date | null;
};

/** Maximum number of events in a step; a step is one job. */
export const maxRunStep = 100;
export const defaultPerSecond = 100;
export const maxPerSecond = 1_000;
/** Rate at which held events are released, in events per second. */
export const resumePerSecond = 200;

/** Returns the number of events in a step: half a second's worth, so that a slow run is not bursty. */
export const stepSizeOf = ({ perSecond }: Pick<RunRecord, 'perSecond'>): number =>
  Math.max(1, Math.min(maxRunStep, Math.floor(perSecond / 2)));

export const pauseMsOf = (events: number, { perSecond }: Pick<RunRecord, 'perSecond'>): number =>
  Math.ceil((events * 1_000) / perSecond);
