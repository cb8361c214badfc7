/** Maps a payload with a trace of every target. Never throws, has no effects. */
import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { createMappingRun, reportProblem } from '../language/mapping-run.ts';
import type { MappingRun, SourceTrace, StepTrace } from '../language/mapping-run.ts';
import { isWithinSize, truncateText } from '../value.ts';
import { emptyEvent, mapEvent, splitItems } from './apply.ts';

/** A target's source, its raw value, and the input and output of each transform. */
interface TargetSource extends SourceTrace {
  steps: StepTrace[];
}

export interface PreviewItem extends MappedEvent {
  /** By target, for every target that was read. */
  sources: Record<string, TargetSource>;
}

export interface Preview {
  items: PreviewItem[];
}

// Nodes and characters; a larger value is not shown.
const maxShownSize = 4_096;
const maxSteps = 100;

export function previewMapping(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion }: { defaultRegion: string },
): Preview {
  const options = { region: defaultRegion, tracing: true };
  const split = splitItems(mapping, payload);
  if (split.ok) {
    return {
      items: split.items.map((item) =>
        previewItem(mapping, createMappingRun(payload, item, options)),
      ),
    };
  }
  const run = createMappingRun(payload, null, options);
  run.target = 'split';
  run.failure = split.code;
  reportProblem(run, split.code, split.message);
  return { items: [{ ...emptyEvent(run, null), sources: {} }] };
}

function previewItem(mapping: CompiledMapping, run: MappingRun): PreviewItem {
  const event = mapEvent(mapping, run);
  const sources: Record<string, TargetSource> = Object.create(null);
  for (const { target, source, raw, steps } of run.traces ?? []) {
    const shown = steps.slice(0, maxSteps).map(shownStep);
    sources[target] = { source, raw: shownValue(raw), steps: shown };
  }
  return { ...event, sources };
}

const shownStep = (step: StepTrace): StepTrace => ({
  ...step,
  before: shownValue(step.before),
  after: shownValue(step.after),
});

function shownValue(raw: unknown): unknown {
  if (typeof raw === 'string') return truncateText(raw, maxShownSize);
  return isWithinSize(raw, maxShownSize) ? raw : '(too large to show)';
}
