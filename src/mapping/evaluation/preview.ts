/** Maps a payload with a trace of every target. Has no effects. */
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import { charge, createWorkBudget, type WorkBudget } from '../expressions/work-budget.ts';
import type { CompiledMapping } from '../language/compile.ts';
import type { SourceTrace, StepTrace } from '../language/mapping-run.ts';
import { sizeWithin, truncateText } from '../value.ts';
import { maxWorkPerRequest } from '../work-limits.ts';
import { mapItems, type MappedItem } from './map-items.ts';
import { renderText } from '../../base/texts/texts.ts';

/** A target's source, its raw value, and the input and output of each transform. */
interface TargetSource extends SourceTrace {
  steps: StepTrace[];
}

export interface PreviewItem extends Omit<MappedEvent, 'nameParts'> {
  /** By target, for every target that was read. */
  sources: Record<string, TargetSource>;
}

export interface Preview {
  items: PreviewItem[];
}

// Nodes and characters; a larger value is not shown.
const maxShownSize = 4_096;
const maxSteps = 100;
/** Nodes and characters of all shown values of a preview. Beyond them no value is shown. */
const maxShownInAll = 1_048_576;
const notShown = '(too large to show)';
/** Of a target or a step in the answer, beside its values. */
const charactersOfNames = 100;

interface PreviewOptions {
  defaultRegion: string;
  /** Of the whole preview. */
  budget?: WorkBudget;
}

/** Yields the preview of each item. Throws WorkBudgetExceeded. */
export function* previewItems(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion, budget = createWorkBudget(maxWorkPerRequest) }: PreviewOptions,
): Generator<PreviewItem> {
  const show = createShownValues();
  for (const mapped of mapItems(mapping, payload, { defaultRegion, tracing: true, budget })) {
    charge(budget, charactersOf(mapped));
    yield previewItem(mapped, show);
  }
}

type Show = (value: unknown) => unknown;

function previewItem({ event, run }: MappedItem, show: Show): PreviewItem {
  const sources: Record<string, TargetSource> = Object.create(null);
  for (const { target, source, raw, steps } of run.traces ?? []) {
    const shownSteps = steps
      .slice(0, maxSteps)
      .map((step) => ({ ...step, before: show(step.before), after: show(step.after) }));
    sources[target] = { source, raw: show(raw), steps: shownSteps };
  }
  const { nameParts: _, ...shown } = event;
  return { ...shown, sources };
}

/** Returns values as the preview shows them. A value is measured once, however many targets read it. */
function createShownValues(): Show {
  const sizes = new WeakMap<object, number | null>();
  let left = maxShownInAll;

  function sizeOf(value: object): number | null {
    const known = sizes.get(value);
    if (known !== undefined) return known;
    const size = sizeWithin(value, maxShownSize);
    sizes.set(value, size);
    return size;
  }

  return (raw) => {
    const value = typeof raw === 'string' ? truncateText(raw, maxShownSize) : raw;
    const isTree = typeof value === 'object' && value !== null;
    const size = isTree ? sizeOf(value) : typeof value === 'string' ? value.length : 1;
    if (size === null || size > left) return notShown;
    left -= size;
    return value;
  };
}

/** Returns about how many characters an item has in the answer, without its shown values. Writing one is a unit of work. */
function charactersOf({ event, run }: MappedItem): number {
  const { contact, message, context, problems } = event;
  const texts = [
    message.text,
    ...Object.values(contact.fields),
    ...Object.values(context.fields),
    ...context.labels,
    ...problems.map((problem) => renderText(problem.message, 'en')),
    ...(run.traces ?? []).map(({ source }) => source),
  ];
  const steps = (run.traces ?? []).reduce((sum, trace) => sum + 1 + trace.steps.length, 0);
  return texts.reduce((sum, text) => sum + (text?.length ?? 0), steps * charactersOfNames);
}
