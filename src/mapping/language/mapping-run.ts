import type { MappingProblem, Payload, ProblemCode } from '../../domain/mappings/mapping.ts';
import {
  createWorkBudget,
  WorkBudgetExceeded,
  type WorkBudget,
} from '../expressions/work-budget.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

/** Where a target's value came from, and the value before any transform. */
export interface SourceTrace {
  source: string;
  raw: unknown;
}

/** The input and output of one transform. */
export interface StepTrace {
  transform: string;
  /** The source that the transform belongs to: the target's, or one of its parts. */
  source: string;
  before: unknown;
  after: unknown;
  problem: ProblemCode | null;
}

/** How the value of one target was read. */
interface TargetTrace extends SourceTrace {
  target: string;
  steps: StepTrace[];
}

/** The state of mapping one item. */
export interface MappingRun {
  readonly payload: Payload;
  readonly item: unknown;
  readonly budget: WorkBudget;
  readonly problems: MappingProblem[];
  /** The targets that were read, in order. Null when the run is not traced: only a preview traces. */
  readonly traces: TargetTrace[] | null;
  region: string | null;
  target: string;
  failure: string | null;
  /** The parts of the join that was read last. */
  joined: readonly (string | null)[];
  /** How many placeholders were left out. */
  placeholders: number;
  /** Of the current target; null and empty when the run is not traced. */
  trace: SourceTrace | null;
  steps: StepTrace[];
}

type MappingRunOptions = {
  region: string | null;
  tracing: boolean;
  /** The default is the budget of an event. */
  budget?: WorkBudget | undefined;
};

export const createMappingRun = (
  payload: Payload,
  item: unknown,
  { region, tracing, budget = createWorkBudget() }: MappingRunOptions,
): MappingRun => ({
  payload,
  item,
  budget,
  problems: [],
  traces: tracing ? [] : null,
  region,
  target: '',
  failure: null,
  joined: [],
  placeholders: 0,
  trace: null,
  steps: [],
});

/** Starts a target. What is reported from here on belongs to it. */
export function beginTarget(run: MappingRun, target: string): void {
  run.target = target;
  run.trace = null;
  if (run.traces !== null) run.steps = [];
}

/** Keeps the trace of the current target, if the run is traced and something was read. */
export function endTarget({ traces, target, trace, steps }: MappingRun): void {
  if (traces === null || (trace === null && steps.length === 0)) return;
  traces.push({ target, source: trace?.source ?? '', raw: trace?.raw ?? null, steps });
}

/** Each element of a list may be a problem, and all are stored with the event. */
const maxProblems = 500;

export function reportProblem(run: MappingRun, code: ProblemCode, message: PublicText): null {
  if (run.problems.length < maxProblems) run.problems.push({ target: run.target, code, message });
  return null;
}

/** Reports that a required value is absent, so the event cannot be processed. The first failure is kept. */
export function reportMissing(run: MappingRun): null {
  run.failure ??= `required_missing:${run.target}`;
  return reportProblem(run, 'required_missing', 'problem.required_missing');
}

/** Fails the event when the error says that the work budget is spent: an event read in part is not processed. */
export function recordBudgetExceeded(run: MappingRun, error: unknown): void {
  if (error instanceof WorkBudgetExceeded) run.failure ??= `too_much_work:${run.target}`;
}

/** The message of an error, at most 200 characters. The library's messages name types and functions, never values. */
export function expressionErrorMessage(error: unknown): PublicText {
  if (error instanceof WorkBudgetExceeded) return 'problem.too_much_work';
  if (!(error instanceof Error)) return 'problem.expression_failed';
  return textWith('verbatim', { text: error.message.slice(0, 200) });
}
