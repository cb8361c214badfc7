/**
 * Maps all items of a body, one after another, for previews and comparisons.
 *
 * Promises: no effects. Each item has the result that its event would have. The work of all items is charged to one budget.
 */
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import type { WorkBudget } from '../expressions/work-budget.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { createMappingRun, reportProblem, type MappingRun } from '../language/mapping-run.ts';
import { maxWorkPerEvent, workOfItem } from '../work-limits.ts';
import { emptyEvent, mapEvent, splitItems, withinBudget } from './apply.ts';

interface MapItemsOptions {
  /** Two-letter region of phone numbers without a country code. */
  readonly defaultRegion: string;
  /** Whether the run keeps how each target was read. */
  readonly tracing: boolean;
  /** Of the whole body. */
  readonly budget: WorkBudget;
}

export type MappedItem = { readonly event: MappedEvent; readonly run: MappingRun };

/**
 * Yields each item of the body; one failed item when the body cannot be split. Throws WorkBudgetExceeded when the budget of
 * the whole body is spent.
 */
export function* mapItems(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion: region, tracing, budget }: MapItemsOptions,
): Generator<MappedItem> {
  const split = withinBudget(budget, maxWorkPerEvent, (part) => splitItems(mapping, payload, part));
  if (!split.ok) {
    const run = createMappingRun(payload, null, { region, tracing });
    run.target = 'split';
    run.failure = split.failure;
    reportProblem(run, split.code, split.message);
    yield { event: emptyEvent(run, null), run };
    return;
  }
  const units = workOfItem(split.items.length);
  for (const item of split.items) {
    if (item === null && mapping.splits) continue;
    yield withinBudget(budget, units, (part) => {
      const run = createMappingRun(payload, item, { region, tracing, budget: part });
      return { event: mapEvent(mapping, run), run };
    });
  }
}
