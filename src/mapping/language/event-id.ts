/** The event id: how it is compiled, read and compared between mappings. */
import type { EventId, MappingDocument, Source } from '../../domain/mappings/mapping.ts';
import { isEmpty, toText } from '../value.ts';
import type { Compilation, SourceLocation } from './compilation.ts';
import {
  beginTarget,
  endTarget,
  reportMissing,
  reportProblem,
  type MappingRun,
} from './mapping-run.ts';
import {
  compileParts,
  compileSource,
  readParts,
  readValue,
  type CompiledSource,
  type JoinPart,
} from './source.ts';
import { maxTextLength } from './target.ts';
import { textWith } from '../../base/texts/texts.ts';

export type CompiledEventId =
  | { readonly kind: 'value'; readonly source: CompiledSource; readonly required: boolean }
  | {
      /** A join without transforms, whose parts are kept apart in the deduplication key. */
      readonly kind: 'parts';
      readonly parts: readonly JoinPart[];
      readonly separator: string;
      readonly required: boolean;
    };

const location: SourceLocation = { pointer: '/eventId', strict: true, use: 'identity' };

export function compileEventId(source: Source, compilation: Compilation): CompiledEventId {
  const { required = false } = source;
  if ('join' in source && !source.transforms?.length) {
    const parts = compileParts(source.join, location, compilation);
    return { kind: 'parts', parts, separator: source.with ?? ' ', required };
  }
  return { kind: 'value', source: compileSource(source, location, compilation), required };
}

/**
 * Returns the event id, or null when the payload has none. The channel's region is not used: the receiver does not know
 * it and must read the same id as the worker.
 */
export function readId(eventId: CompiledEventId, run: MappingRun): EventId | null {
  const { region } = run;
  run.region = null;
  beginTarget(run, 'eventId');
  const id = eventId.kind === 'parts' ? readPartsId(eventId, run) : readValueId(eventId, run);
  run.region = region;
  endTarget(run);
  if (id === null || id.text.length <= maxTextLength) return id;
  return reportProblem(
    run,
    'too_long',
    textWith('problem.event_id_too_long', { max: maxTextLength }),
  );
}

function readPartsId(
  { parts, separator }: Extract<CompiledEventId, { kind: 'parts' }>,
  run: MappingRun,
): EventId | null {
  const texts = readParts(parts, run).map((text) => text?.toWellFormed() ?? null);
  const present = texts.filter((text) => text !== null).filter((text) => text !== '');
  if (present.length < parts.length) return null;
  return { text: present.join(separator), parts: present };
}

function readValueId(
  { source }: Extract<CompiledEventId, { kind: 'value' }>,
  run: MappingRun,
): EventId | null {
  const value = readValue(source, run);
  const text = isEmpty(value) ? null : toText(value)?.toWellFormed().trim();
  return text ? { text, parts: [text] } : null;
}

/** Returns the text of the event id. An id that is required and absent fails the run. */
export function readEventIdText(eventId: CompiledEventId | null, run: MappingRun): string | null {
  if (eventId === null) return null;
  const id = readId(eventId, run);
  if (id !== null) return id.text;
  return eventId.required ? reportMissing(run) : null;
}

/**
 * Returns the recipe of the event id: canonical JSON of its source, '' when the mapping has none. Two documents with the
 * same recipe read the same id from the same payload. Options that do not change the id are left out.
 */
export function eventIdRecipe({ eventId }: MappingDocument): string {
  return eventId === undefined ? '' : JSON.stringify(canonical(eventId));
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter((entry) => !isImplied(entry));
  const sorted = kept.toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(sorted.map(([key, inner]) => [key, canonical(inner)]));
}

function isImplied([key, value]: [string, unknown]): boolean {
  if (key === 'required') return true;
  if (key === 'root') return value === false;
  if (key === 'with') return value === ' ';
  return key === 'transforms' && Array.isArray(value) && value.length === 0;
}

/** A template reads the item itself, not only its input. */
const usesTemplate = ({ transforms }: Source): boolean =>
  transforms?.some((use) => typeof use === 'object' && Object.hasOwn(use, 'template')) === true;

/** Whether unrelated events may have the same id: a constant, alone or as one of the sources of `first`. */
export function mayBeConstant(source: Source): boolean {
  if (usesTemplate(source)) return false;
  if ('first' in source) return source.first.some(mayBeConstant);
  return 'join' in source ? source.join.every(mayBeConstant) : 'const' in source;
}

/** Whether the id can differ between the items of one body. */
export function dependsOnItem(source: Source): boolean {
  if (usesTemplate(source)) return true;
  if ('path' in source) return source.root !== true;
  if ('first' in source) return source.first.some(dependsOnItem);
  return 'join' in source && source.join.some(dependsOnItem);
}
