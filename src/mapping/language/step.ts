/** Transforms as a source uses them. `compileSteps` runs once for each mapping, `applyStep` for each value. */
import type { ProblemCode, TransformUse } from '../../domain/mappings/mapping.ts';
import type { Node } from '../expressions/interpreter.ts';
import { charge, type WorkBudget } from '../expressions/work-budget.ts';
import { transforms } from '../transforms/registry.ts';
import {
  maxListLength,
  usualWork,
  type Transform,
  type TransformContext,
  type TransformResult,
} from '../transforms/transform.ts';
import { isEmpty, isScalar } from '../value.ts';
import {
  childLocation,
  compileNode,
  type Compilation,
  type SourceLocation,
} from './compilation.ts';
import {
  expressionErrorMessage,
  recordBudgetExceeded,
  reportProblem,
  type MappingRun,
} from './mapping-run.ts';
import { textWith } from '../../base/texts/texts.ts';

/** One use of a transform, ready to be applied. */
export interface TransformStep {
  readonly transform: Transform;
  /** The options as the transform prepared them. */
  readonly options: Record<string, unknown>;
  /** The expressions that the options hold, by their text. */
  readonly nodes: ReadonlyMap<string, Node>;
}

const noNodes: ReadonlyMap<string, Node> = new Map();

export const stepWithoutOptions = (transform: Transform): TransformStep => ({
  transform,
  options: transform.prepare?.({}) ?? {},
  nodes: noNodes,
});

export function compileSteps(
  uses: TransformUse[],
  location: SourceLocation,
  compilation: Compilation,
): TransformStep[] {
  return uses.flatMap((use, i) => {
    const [name, options] = typeof use === 'string' ? [use, {}] : (Object.entries(use)[0] ?? []);
    const transform = name === undefined ? undefined : transforms.get(name);
    if (transform === undefined || options === undefined) return [];
    const inner = typeof use === 'string' ? [] : [transform.name];
    const step = compileStep(transform, options, {
      location: childLocation(location, 'transforms', i, ...inner),
      compilation,
    });
    return step === null ? [] : [step];
  });
}

function compileStep(
  transform: Transform,
  options: Record<string, unknown>,
  { location, compilation }: { location: SourceLocation; compilation: Compilation },
): TransformStep | null {
  charge(compilation.budget, transform.workOfOptions?.(options) ?? 0);
  const problem = transform.check?.(options) ?? null;
  if (problem !== null) {
    compilation.problems.push({ path: location.pointer, ...problem });
    return null;
  }
  const paths = transform.paths?.(options) ?? [];
  const nodes = new Map(
    paths.map(([pointer, path]) => [
      path,
      compileNode(path, childLocation(location, pointer), compilation),
    ]),
  );
  return { transform, options: transform.prepare?.(options) ?? options, nodes };
}

/** Returns the transformed value. Returns null for an empty value, and null with a problem when the transform fails. */
export function applyStep(step: TransformStep, value: unknown, run: MappingRun): unknown {
  if (isEmpty(value)) return null;
  if (run.traces === null) return applyToAny(step, value, run);
  const problemsBefore = run.problems.length;
  const after = applyToAny(step, value, run);
  const problem: ProblemCode | null = run.problems[problemsBefore]?.code ?? null;
  const source = run.trace?.source ?? '';
  run.steps.push({ transform: step.transform.name, source, before: value, after, problem });
  return after;
}

function applyToAny(step: TransformStep, value: unknown, run: MappingRun): unknown {
  if (Array.isArray(value) && step.transform.applyToTree === undefined) {
    return applyToEach(step, value, run);
  }
  const result = tryTransform(step, value, run);
  return 'value' in result ? result.value : reportProblem(run, result.problem, result.message);
}

/** Transforms each element and drops the empty results. Only the first failure is reported. */
function applyToEach(step: TransformStep, values: readonly unknown[], run: MappingRun): unknown {
  if (values.length > maxListLength) {
    return reportProblem(
      run,
      'too_long',
      textWith('problem.list_too_long', { max: maxListLength }),
    );
  }
  let failure: Exclude<TransformResult, { value: unknown }> | null = null;
  const kept: unknown[] = [];
  for (const value of values) {
    if (isEmpty(value)) continue;
    const result = tryTransform(step, value, run);
    if (!('value' in result)) failure ??= result;
    else if (!isEmpty(result.value)) kept.push(result.value);
  }
  if (failure !== null) reportProblem(run, failure.problem, failure.message);
  return kept;
}

function tryTransform(step: TransformStep, value: unknown, run: MappingRun): TransformResult {
  const { transform } = step;
  const { workOf = usualWork } = transform;
  try {
    if (isScalar(value)) {
      charge(run.budget, workOf(typeof value === 'string' ? value.length : 0));
      return chargedResult(transform.apply(value, contextOf(step, run)), run.budget);
    }
    if (transform.applyToTree !== undefined && typeof value === 'object' && value !== null) {
      charge(run.budget, workOf(0));
      return transform.applyToTree(value, contextOf(step, run));
    }
    const message = textWith('problem.not_a_scalar', { transform: transform.name });
    return { problem: 'not_text', message };
  } catch (error) {
    recordBudgetExceeded(run, error);
    return { problem: 'transform_failed', message: expressionErrorMessage(error) };
  }
}

/** A short text can become a long one, and 1,000 long ones in a list. */
function chargedResult(result: TransformResult, budget: WorkBudget): TransformResult {
  if ('value' in result && typeof result.value === 'string') {
    charge(budget, result.value.length / 16);
  }
  return result;
}

const contextOf = (
  { options, nodes }: TransformStep,
  { region, budget, item }: MappingRun,
): TransformContext<Record<string, unknown>> => ({ options, nodes, region, budget, item });
