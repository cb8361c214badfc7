import { AppError } from '../../base/errors.ts';
import { withinBudget } from '../../mapping/evaluation/apply.ts';
import type { WorkBudget } from '../../mapping/expressions/work-budget.ts';
import { compileMapping, type CompiledMapping } from '../../mapping/language/compile.ts';
import { maxCompileWork } from '../../mapping/work-limits.ts';

/** Compiles a mapping document. Throws `invalid_mapping` with all problems as JSON pointers into the request. */
export function compileOrReject(document: unknown, budget?: WorkBudget): CompiledMapping {
  const compiled = compileMapping(document, budget);
  if (compiled.ok) return compiled.mapping;
  const fields = compiled.problems.map(({ path, ...fault }) => ({
    path: `/mapping${path}`,
    ...fault,
  }));
  throw new AppError('invalid_mapping', { details: { fields } });
}

/** As `compileOrReject`, and charges the work to the request. */
export const compileWithin = (request: WorkBudget, document: unknown): CompiledMapping =>
  withinBudget(request, maxCompileWork, (part) => compileOrReject(document, part));
