import type { MappedEvent, Payload } from '../../domain/mappings/mapping.ts';
import { emptyEvent, mapEvent, splitItems } from './apply.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { createMappingRun, reportProblem } from '../language/mapping-run.ts';
import type { MappingRun, SourceTrace, StepTrace } from '../language/mapping-run.ts';
import { isWithinSize, truncateText } from '../value.ts';

/** Where a target's value came from, and what each transform on its way made of it. */
export interface TargetTrace extends SourceTrace {
  steps: StepTrace[];
}

export interface PreviewItem extends MappedEvent {
  /** By target, for every target that something was read for. */
  sources: Record<string, TargetTrace>;
}

export interface Preview {
  items: PreviewItem[];
}

// Nodes and characters of a raw value that are worth showing to a person.
const maxRawSize = 4_096;
const maxSteps = 100;

/** What a mapping makes of a payload, target by target. Never throws, has no effects. */
export function previewMapping(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion }: { defaultRegion: string },
): Preview {
  const start = (item: unknown): MappingRun =>
    createMappingRun(payload, item, { region: defaultRegion, tracing: true });
  const split = splitItems(mapping, payload);
  if (split.ok) return { items: split.items.map((item) => previewItem(mapping, start(item))) };
  const run = start(null);
  run.target = 'split';
  run.failure = split.code;
  reportProblem(run, split.code, split.message);
  return { items: [{ ...emptyEvent(run, null), sources: {} }] };
}

function previewItem(mapping: CompiledMapping, run: MappingRun): PreviewItem {
  const sources: Record<string, TargetTrace> = Object.create(null);
  const event = mapEvent(mapping, run, ({ target, trace, steps }) => {
    if (trace === null && steps.length === 0) return;
    const { source, raw } = trace ?? { source: '', raw: null };
    sources[target] = { source, raw: showable(raw), steps: steps.slice(0, maxSteps).map(showStep) };
  });
  return { ...event, sources };
}

const showStep = (step: StepTrace): StepTrace => ({
  ...step,
  before: showable(step.before),
  after: showable(step.after),
});

function showable(raw: unknown): unknown {
  if (typeof raw === 'string') return truncateText(raw, maxRawSize);
  return isWithinSize(raw, maxRawSize) ? raw : '(too large to show)';
}
