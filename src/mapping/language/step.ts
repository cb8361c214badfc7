import type { ProblemCode, TransformUse } from '../../domain/mappings/mapping.ts';
import { childLocation, compileNode } from './compilation.ts';
import type { Compilation, SourceLocation } from './compilation.ts';
import { evaluate } from '../expressions/interpreter.ts';
import type { Node } from '../expressions/interpreter.ts';
import { charge } from '../expressions/work-budget.ts';
import type { MappingRun } from './mapping-run.ts';
import { expressionErrorMessage, recordBudgetExceeded, reportProblem } from './mapping-run.ts';
import type { Transform, TransformContext, TransformResult } from '../transforms/transform.ts';
import { maxListLength } from '../transforms/transform.ts';
import { transforms } from '../transforms/registry.ts';
import { isEmpty, isScalar } from '../value.ts';

/** One use of a transform, ready to be applied. */
export interface TransformStep {
  readonly transform: Transform;
  /** What the transform made of its options. */
  readonly options: Record<string, unknown>;
  readonly nodes: ReadonlyMap<string, Node>;
}

const noNodes: ReadonlyMap<string, Node> = new Map();
const charactersPerUnit = 16;

/** A transform as it is without options. */
export const stepWithoutOptions = (transform: Transform): TransformStep => ({
  transform,
  options: transform.prepare?.({}) ?? {},
  nodes: noNodes,
});

export function compileSteps(
  uses: TransformUse[],
  place: SourceLocation,
  compilation: Compilation,
): TransformStep[] {
  return uses.flatMap((use, i) => {
    const [name, options] = typeof use === 'string' ? [use, {}] : (Object.entries(use)[0] ?? []);
    const transform = name === undefined ? undefined : transforms.get(name);
    if (transform === undefined || options === undefined) return [];
    const inner = typeof use === 'string' ? [] : [transform.name];
    const step = compileStep(transform, options, {
      place: childLocation(place, 'transforms', i, ...inner),
      compilation,
    });
    return step === null ? [] : [step];
  });
}

function compileStep(
  transform: Transform,
  options: Record<string, unknown>,
  { place, compilation }: { place: SourceLocation; compilation: Compilation },
): TransformStep | null {
  const found = transform.check?.(options) ?? null;
  if (found !== null) {
    compilation.problems.push({ path: place.pointer, ...found });
    return null;
  }
  const paths = transform.paths?.(options) ?? [];
  const nodes = new Map(
    paths.map(([pointer, path]) => [
      path,
      compileNode(path, childLocation(place, pointer), compilation),
    ]),
  );
  return { transform, options: transform.prepare?.(options) ?? options, nodes };
}

/** Applies a step. Null, with a problem where something was there to be read, when nothing comes of it. */
export function applyStep(step: TransformStep, value: unknown, run: MappingRun): unknown {
  if (isEmpty(value)) return null;
  if (!run.tracing) return applyToAny(step, value, run);
  const known = run.problems.length;
  const after = applyToAny(step, value, run);
  const problem: ProblemCode | null = run.problems[known]?.code ?? null;
  const { name } = step.transform;
  run.steps.push({
    transform: name,
    source: run.trace?.source ?? '',
    before: value,
    after,
    problem,
  });
  return after;
}

function applyToAny(step: TransformStep, value: unknown, run: MappingRun): unknown {
  if (Array.isArray(value) && step.transform.applyToTree === undefined) {
    return applyToEach(step, value, run);
  }
  const result = attempt(step, value, run);
  return 'value' in result ? result.value : reportProblem(run, result.problem, result.message);
}

/** A list with what is left of it; what is wrong is reported once. */
function applyToEach(step: TransformStep, values: readonly unknown[], run: MappingRun): unknown {
  if (values.length > maxListLength) {
    return reportProblem(run, 'too_long', `A list has at most ${maxListLength} elements.`);
  }
  let refused: Exclude<TransformResult, { value: unknown }> | null = null;
  const kept: unknown[] = [];
  for (const value of values) {
    if (isEmpty(value)) continue;
    const result = attempt(step, value, run);
    if (!('value' in result)) refused ??= result;
    else if (!isEmpty(result.value)) kept.push(result.value);
  }
  if (refused !== null) reportProblem(run, refused.problem, refused.message);
  return kept;
}

function attempt(step: TransformStep, value: unknown, run: MappingRun): TransformResult {
  const { transform } = step;
  try {
    if (isScalar(value)) {
      if (typeof value === 'string') {
        charge(run.meter, 1 + value.length / (transform.charactersPerUnit ?? charactersPerUnit));
      }
      return transform.apply(value, contextOf(step, run));
    }
    if (transform.applyToTree !== undefined && typeof value === 'object' && value !== null) {
      return transform.applyToTree(value, contextOf(step, run));
    }
    const message = `The value is a list or an object; ${transform.name} reads a text.`;
    return { problem: 'not_text', message };
  } catch (error) {
    recordBudgetExceeded(run, error);
    return { problem: 'transform_failed', message: expressionErrorMessage(error) };
  }
}

const findNothing = (): null => null;

function contextOf(
  { options, nodes }: TransformStep,
  run: MappingRun,
): TransformContext<Record<string, unknown>> {
  const { region, meter } = run;
  if (nodes.size === 0) return { options, region, meter, find: findNothing };
  const find = (path: string, value?: object): unknown => {
    const node = nodes.get(path);
    return node === undefined ? null : evaluate(node, value ?? run.item, meter);
  };
  return { options, region, meter, find };
}
