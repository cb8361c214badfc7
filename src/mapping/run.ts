import type { MappingProblem, Payload, ProblemCode } from '../domain/mapping.ts';
import type { Meter } from './meter.ts';
import { createMeter, WorkExceeded } from './meter.ts';

/** Where a target's value came from, and what was there before any transform. */
export interface SourceTrace {
  source: string;
  raw: unknown;
}

/** What one transform did on the way to a target. */
export interface StepTrace {
  transform: string;
  /** What the transform stood behind: the target's source, or one of its parts. */
  source: string;
  before: unknown;
  after: unknown;
  problem: ProblemCode | null;
}

/** The state of mapping one item. */
export interface Run {
  readonly payload: Payload;
  readonly item: unknown;
  readonly meter: Meter;
  readonly problems: MappingProblem[];
  /** Only a preview traces. */
  readonly tracing: boolean;
  region: string | null;
  target: string;
  failure: string | null;
  trace: SourceTrace | null;
  /** Of the target that is being read; empty without tracing. */
  steps: StepTrace[];
}

/** Reads a JSON value; null when there is none. */
export type Read = (run: Run) => unknown;

export function createRun(
  payload: Payload,
  item: unknown,
  { region, tracing }: { region: string | null; tracing: boolean },
): Run {
  const state = { target: '', failure: null, trace: null, steps: [], problems: [] };
  return { payload, item, region, tracing, meter: createMeter(), ...state };
}

export function report(run: Run, code: ProblemCode, message: string): null {
  run.problems.push({ target: run.target, code, message });
  return null;
}

/** Forgets how the target before was read. */
export function startTarget(run: Run): void {
  run.trace = null;
  if (run.tracing) run.steps = [];
}

/** A required value is absent: the event cannot be processed. The first one found is the reason. */
export function reportMissing(run: Run): null {
  run.failure ??= `required_missing:${run.target}`;
  return report(run, 'required_missing', 'The payload has no value here, and one is required.');
}

/** Beyond the bound on work nothing more is read, and half of an event is no event. */
export function noteThrown(run: Run, error: unknown): void {
  if (error instanceof WorkExceeded) run.failure ??= `too_much_work:${run.target}`;
}

/** What an error says about itself. The library's messages name types and functions, never values. */
export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'The expression failed.';
