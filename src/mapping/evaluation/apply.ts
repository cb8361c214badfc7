/**
 * Applies a compiled mapping to a payload.
 *
 * Promises: the same payload always gives the same event; a value that cannot be read is a problem of the event; the
 * work for one event is bounded; a value that the payload does not have is null.
 * Must never: throw, or read anything but its arguments.
 */
import { isRemovalType } from '../../domain/events/removal-type.ts';
import type {
  EventId,
  FormerIdentity,
  IdentityTarget,
  MappedEvent,
  Payload,
  ProblemCode,
} from '../../domain/mappings/mapping.ts';
import { evaluate, isFalseLike, type Node } from '../expressions/interpreter.ts';
import {
  charge,
  createWorkBudget,
  WorkBudgetExceeded,
  type WorkBudget,
} from '../expressions/work-budget.ts';
import type { CompiledMapping } from '../language/compile.ts';
import { readEventIdText, readId } from '../language/event-id.ts';
import {
  createMappingRun,
  expressionErrorMessage,
  recordBudgetExceeded,
  reportProblem,
  type MappingRun,
} from '../language/mapping-run.ts';
import { maxTextLength, readTarget, readTexts, type CompiledTarget } from '../language/target.ts';
import { truncateText } from '../value.ts';
import { maxItems, workOfItem } from '../work-limits.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

const maxEventLabels = 50;
/** Of each kind. */
const maxFormer = 20;

type SplitProblemCode = Extract<ProblemCode, 'split_failed' | 'split_not_array' | 'too_many_items'>;

export type SplitResult =
  | { ok: true; items: unknown[] }
  /** `failure` is why the event cannot be processed. */
  | { ok: false; code: SplitProblemCode; failure: string; message: PublicText };

interface ApplyOptions {
  /** Two-letter region of phone numbers without a country code. */
  defaultRegion: string;
  /** One item of a body that is split. The default is the body. */
  item?: unknown;
  /** Of this item; see `itemBudget`. The default is the budget of an event. */
  budget?: WorkBudget;
}

/**
 * Returns the items of a body, all together within the work of one event as they are written as JSON. Without a split the
 * body is the only item. Never throws.
 */
export function splitItems(
  mapping: CompiledMapping,
  payload: Payload,
  budget: WorkBudget = createWorkBudget(),
): SplitResult {
  if (mapping.split === null) return { ok: true, items: [payload.body] };
  let found: unknown;
  try {
    found = evaluate(mapping.split, payload.body, budget);
  } catch (error) {
    const failure = error instanceof WorkBudgetExceeded ? 'too_much_work:split' : 'split_failed';
    return splitFailure('split_failed', { failure, message: expressionErrorMessage(error) });
  }
  const items = itemsIn(found);
  if (items === null) {
    return splitFailure('split_not_array', { message: 'problem.split_not_array' });
  }
  if (items.length > maxItems) {
    return splitFailure('too_many_items', {
      message: textWith('problem.too_many_items', { max: maxItems }),
    });
  }
  return { ok: true, items };
}

const index = /^\d+$/;

/**
 * The items of a list, those of an object whose keys are numbers, or one item alone, which is what XML and some senders write in
 * place of a list of one. Null for anything else.
 */
function itemsIn(found: unknown): unknown[] | null {
  if (Array.isArray(found)) return found;
  if (typeof found !== 'object' || found === null) return null;
  const keys = Object.keys(found);
  if (keys.length === 0) return null;
  return keys.every((key) => index.test(key)) ? Object.values(found) : [found];
}

const splitFailure = (
  code: SplitProblemCode,
  { message, failure = code }: { message: PublicText; failure?: string },
): SplitResult => ({ ok: false, code, failure, message });

/** The budget of one item of a body with this many. */
export const itemBudget = (items: number): WorkBudget => createWorkBudget(workOfItem(items));

/**
 * Does work within a part of a larger budget. What was used of the part is charged to the whole, also when the work throws.
 * Throws WorkBudgetExceeded when the whole is spent.
 */
export function withinBudget<Result>(
  whole: WorkBudget,
  units: number,
  work: (part: WorkBudget) => Result,
): Result {
  const part = createWorkBudget(units);
  try {
    return work(part);
  } finally {
    whole.remaining -= units - Math.max(part.remaining, 0);
    charge(whole, 0);
  }
}

/** Maps one item. Never throws. */
export function applyItem(
  mapping: CompiledMapping,
  payload: Payload,
  { defaultRegion, item = payload.body, budget }: ApplyOptions,
): MappedEvent {
  return mapEvent(
    mapping,
    createMappingRun(payload, item, { region: defaultRegion, tracing: false, budget }),
  );
}

export type ReadIdOptions = {
  /** One item of a body that is split. */
  readonly item?: unknown;
  /** The default is the budget of an event. */
  readonly budget?: WorkBudget;
};

/**
 * Reads only the external event id. Returns null when the event has none. A body that is split has none: its items do.
 * Never throws.
 */
export function readEventId(
  mapping: CompiledMapping,
  payload: Payload,
  { item, budget }: ReadIdOptions = {},
): EventId | null {
  if (mapping.eventId === null || (mapping.splits && item === undefined)) return null;
  const value = item === undefined ? payload.body : item;
  const run = createMappingRun(payload, value, { region: null, tracing: false, budget });
  return readId(mapping.eventId, run);
}

/** Maps the item of a run. Problems and the failure are collected in the run. */
export function mapEvent(mapping: CompiledMapping, run: MappingRun): MappedEvent {
  const eventType = readTarget(mapping.eventType, run);
  const isRemoval = asksForRemoval(mapping, eventType, run);
  // A filter must not hide that a person asks to be forgotten.
  const filtered = isRemoval || mapping.filter === null ? null : applyFilter(mapping.filter, run);
  if (filtered !== null) return filtered;
  const { contact, context } = mapping;
  const eventId = readEventIdText(mapping.eventId, run);
  const eventDate = readTarget(mapping.eventDate, run);
  const person = readPerson(contact, run);
  return {
    ignored: isRemoval ? 'removal_requested' : null,
    eventId,
    eventType,
    eventDate,
    ...person,
    message: { text: readTarget(mapping.text, run) },
    context: {
      origin: readTarget(context.origin, run),
      campaign: readTarget(context.campaign, run),
      labels: readAllLabels(context.labels, run),
      sector: readTarget(context.sector, run),
      fields: readFields(context.fields, run),
    },
    problems: run.problems,
    // Last, because reading the targets sets it.
    failure: run.failure,
  };
}

function readPerson(
  contact: CompiledMapping['contact'],
  run: MappingRun,
): Pick<MappedEvent, 'contact' | 'nameParts'> {
  const externalId = readTarget(contact.externalId, run);
  const name = readTarget(contact.name, run);
  const { nameSeparator: separator } = contact;
  const texts = run.joined.map((text) => text && truncateText(text.toWellFormed(), maxTextLength));
  return {
    contact: {
      externalId,
      name,
      phone: readTarget(contact.phone, run),
      email: readTarget(contact.email, run),
      document: readTarget(contact.document, run),
      fields: readFields(contact.fields, run),
      ...(contact.former && { former: readFormer(contact.former, run) }),
    },
    ...(separator !== null && { nameParts: { texts, separator } }),
  };
}

function readFields(
  fields: readonly (readonly [string, CompiledTarget])[],
  run: MappingRun,
): Record<string, string | null> {
  // Without a prototype a field may have any name.
  const values: Record<string, string | null> = Object.create(null);
  for (const [name, target] of fields) values[name] = readTarget(target, run);
  return values;
}

function readFormer(
  targets: readonly (readonly [IdentityTarget, CompiledTarget])[],
  run: MappingRun,
): FormerIdentity[] {
  return targets.flatMap(([kind, target]) =>
    readTexts(target, run, maxFormer).map((value) => ({ kind, value })),
  );
}

function readAllLabels(targets: readonly CompiledTarget[], run: MappingRun): string[] {
  const labels = new Set<string>();
  for (const target of targets) {
    for (const label of readTexts(target, run, maxEventLabels)) labels.add(label);
  }
  return [...labels].slice(0, maxEventLabels);
}

/** An expression that throws fails the event: it is neither ignored nor processed. */
function asksForRemoval(
  { removal }: CompiledMapping,
  eventType: string | null,
  run: MappingRun,
): boolean {
  if (removal === null) return eventType !== null && isRemovalType(eventType);
  run.target = 'removal';
  try {
    return !isFalseLike(evaluate(removal, run.item, run.budget));
  } catch (error) {
    recordBudgetExceeded(run, error);
    reportProblem(run, 'removal_failed', expressionErrorMessage(error));
    run.failure ??= 'removal_failed';
    return false;
  }
}

/** Returns the event of an item that is not mapped, or null. A filter that throws fails the event: it is not ignored. */
function applyFilter(filter: Node, run: MappingRun): MappedEvent | null {
  run.target = 'filter';
  try {
    const isExcluded = isFalseLike(evaluate(filter, run.item, run.budget));
    // Of an excluded event nothing is read, and the event type that was read has no problem.
    return isExcluded ? emptyEvent({ problems: [], failure: null }, 'filter') : null;
  } catch (error) {
    recordBudgetExceeded(run, error);
    reportProblem(run, 'filter_failed', expressionErrorMessage(error));
    run.failure ??= 'filter_failed';
    return emptyEvent(run, null);
  }
}

/** Returns an event without values. */
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
