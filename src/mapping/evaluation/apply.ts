/**
 * What a compiled mapping makes of a payload.
 *
 * Promises: the same payload always gives the same event; whatever cannot be read is a problem beside the event; the
 * work for one event is bounded. Nothing is invented: what the payload does not say is null.
 * Must never: throw, whatever the payload, or look anywhere but at its arguments.
 */
import type { EventId, MappedEvent, Payload, ProblemCode } from '../../domain/mappings/mapping.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { evaluate, isFalseLike } from '../expressions/interpreter.ts';
import type { Node } from '../expressions/interpreter.ts';
import { createWorkBudget } from '../expressions/work-budget.ts';
import type { MappingRun } from '../language/mapping-run.ts';
import {
  createMappingRun,
  expressionErrorMessage,
  recordBudgetExceeded,
  reportProblem,
  reportMissing,
  clearTrace,
} from '../language/mapping-run.ts';
import { readLabels, readTarget } from '../language/target.ts';
import type { CompiledTarget } from '../language/target.ts';

export { eventIdRecipe } from '../language/event-id.ts';

/** Each item becomes an event of its own; larger batches are cut by their producers. */
export const maxItems = 1_000;

export type SplitProblemCode = Extract<
  ProblemCode,
  'split_failed' | 'split_not_array' | 'too_many_items'
>;

export type SplitResult =
  { ok: true; items: unknown[] } | { ok: false; code: SplitProblemCode; message: string };

export interface ApplyOptions {
  /** Two-letter region that phone numbers without a country code belong to. */
  defaultRegion: string;
  /** The item of a split; absent: the body itself. */
  item?: unknown;
}

/** The items of a body; without a split the body is the one item. Never throws. */
export function splitItems(mapping: CompiledMapping, payload: Payload): SplitResult {
  if (mapping.split === null) return { ok: true, items: [payload.body] };
  let items: unknown;
  try {
    items = evaluate(mapping.split, payload.body, createWorkBudget());
  } catch (error) {
    return { ok: false, code: 'split_failed', message: expressionErrorMessage(error) };
  }
  if (!Array.isArray(items)) {
    return { ok: false, code: 'split_not_array', message: 'The split names no list in this body.' };
  }
  if (items.length > maxItems) {
    const message = `The body has more than ${maxItems} items.`;
    return { ok: false, code: 'too_many_items', message };
  }
  return { ok: true, items };
}

/** Maps one item. Never throws. */
export function applyItem(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion, item = payload.body }: ApplyOptions,
): MappedEvent {
  return mapEvent(
    mapping,
    createMappingRun(payload, item, { region: defaultRegion, tracing: false }),
  );
}

/**
 * Reads only the external event id. Null: the event stands alone. A body that splits has none of its own: only its
 * items do. Never throws.
 */
export function readEventId(
  mapping: CompiledMapping,
  payload: Payload,
  item?: unknown,
): EventId | null {
  if (mapping.eventId === null || (mapping.splits && item === undefined)) return null;
  const run = createMappingRun(payload, item === undefined ? payload.body : item, {
    region: null,
    tracing: false,
  });
  return mapping.eventId(run);
}

/** Called with each target after it was read. */
export type OnTargetRead = (run: MappingRun) => void;

export function mapEvent(
  mapping: CompiledMapping,
  run: MappingRun,
  observe: OnTargetRead = () => undefined,
): MappedEvent {
  const filtered = mapping.filter === null ? null : applyFilter(mapping.filter, run);
  if (filtered !== null) return filtered;
  const read = (target: CompiledTarget | null): string | null => {
    clearTrace(run);
    const value = readTarget(target, run);
    if (target !== null) observe(run);
    return value;
  };
  const { contact, context } = mapping;
  const event = {
    ignored: null,
    eventId: readRequiredId(mapping, run, observe),
    eventType: read(mapping.eventType),
    eventDate: read(mapping.eventDate),
    contact: {
      externalId: read(contact.externalId),
      name: read(contact.name),
      phone: read(contact.phone),
      email: read(contact.email),
      document: read(contact.document),
      fields: readFields(contact.fields, read),
    },
    message: { text: read(mapping.text) },
    context: {
      origin: read(context.origin),
      campaign: read(context.campaign),
      labels: readAllLabels(context.labels, run, observe),
      sector: read(context.sector),
      fields: readFields(context.fields, read),
    },
  };
  return { ...event, problems: run.problems, failure: run.failure };
}

function readRequiredId(
  mapping: CompiledMapping,
  run: MappingRun,
  observe: OnTargetRead,
): string | null {
  if (mapping.eventId === null) return null;
  clearTrace(run);
  const id = mapping.eventId(run);
  observe(run);
  if (id !== null) return id.text;
  return mapping.eventIdRequired ? reportMissing(run) : null;
}

function readFields(
  fields: readonly (readonly [string, CompiledTarget])[],
  read: (target: CompiledTarget) => string | null,
): Record<string, string | null> {
  // Without a prototype a field may have any name.
  const values: Record<string, string | null> = Object.create(null);
  for (const [name, target] of fields) values[name] = read(target);
  return values;
}

const maxEventLabels = 50;

function readAllLabels(
  targets: readonly CompiledTarget[],
  run: MappingRun,
  observe: OnTargetRead,
): string[] {
  const labels = new Set<string>();
  for (const target of targets) {
    clearTrace(run);
    for (const label of readLabels(target, run)) labels.add(label);
    observe(run);
  }
  return [...labels].slice(0, maxEventLabels);
}

/** What ends the event before it is read; null to go on. A filter that fails must not lose a lead silently. */
function applyFilter(filter: Node, run: MappingRun): MappedEvent | null {
  run.target = 'filter';
  try {
    return isFalseLike(evaluate(filter, run.item, run.meter)) ? emptyEvent(run, 'filter') : null;
  } catch (error) {
    recordBudgetExceeded(run, error);
    reportProblem(run, 'filter_failed', expressionErrorMessage(error));
    run.failure ??= 'filter_failed';
    return emptyEvent(run, null);
  }
}

/** An event of which nothing was read. */
export function emptyEvent(
  { problems, failure }: Pick<MappingRun, 'problems' | 'failure'>,
  ignored: 'filter' | null,
): MappedEvent {
  return {
    ignored,
    eventId: null,
    eventType: null,
    eventDate: null,
    contact: { externalId: null, name: null, phone: null, email: null, document: null, fields: {} },
    message: { text: null },
    context: { origin: null, campaign: null, labels: [], sector: null, fields: {} },
    problems,
    failure,
  };
}
