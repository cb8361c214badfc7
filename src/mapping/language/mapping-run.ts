import type { MappingProblem, Payload, ProblemCode } from '../../domain/mappings/mapping.ts';
import type { WorkBudget } from '../expressions/work-budget.ts';
import { createWorkBudget, WorkBudgetExceeded } from '../expressions/work-budget.ts';

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
export interface MappingRun {
  readonly payload: Payload;
  readonly item: unknown;
  readonly meter: WorkBudget;
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
export type Read = (run: MappingRun) => unknown;

export function createMappingRun(
  payload: Payload,
  item: unknown,
  { region, tracing }: { region: string | null; tracing: boolean },
): MappingRun {
  const state = { target: '', failure: null, trace: null, steps: [], problems: [] };
  return { payload, item, region, tracing, meter: createWorkBudget(), ...state };
}

export function reportProblem(run: MappingRun, code: ProblemCode, message: string): null {
  run.problems.push({ target: run.target, code, message });
  return null;
}

/** Forgets how the target before was read. */
export function clearTrace(run: MappingRun): void {
  run.trace = null;
  if (run.tracing) run.steps = [];
}

/** A required value is absent: the event cannot be processed. The first one found is the reason. */
export function reportMissing(run: MappingRun): null {
  run.failure ??= `required_missing:${run.target}`;
  return reportProblem(
    run,
    'required_missing',
    'The payload has no value here, and one is required.',
  );
}

/** Beyond the bound on work nothing more is read, and half of an event is no event. */
export function recordBudgetExceeded(run: MappingRun, error: unknown): void {
  if (error instanceof WorkBudgetExceeded) run.failure ??= `too_much_work:${run.target}`;
}

/** What an error says about itself. The library's messages name types and functions, never values. */
export const expressionErrorMessage = (error: unknown): string =>
  error instanceof Error ? error.message.slice(0, 200) : 'The expression failed.';
