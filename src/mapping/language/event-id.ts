import type { EventId, MappingDocument, Source } from '../../domain/mappings/mapping.ts';
import type { Compilation } from './compilation.ts';
import type { MappingRun } from './mapping-run.ts';
import { reportProblem } from './mapping-run.ts';
import { compileParts, compileValue } from './source.ts';
import { maxTextLength } from './target.ts';
import { isEmpty, toText } from '../value.ts';

export type ReadId = (run: MappingRun) => EventId | null;

const place = { pointer: '/eventId', strict: true };

/**
 * Compiles how the event id is read. It does not depend on the channel's region: the receiver, which does not know it,
 * and the worker must read the same id.
 */
export function compileEventId(source: Source, compilation: Compilation): ReadId {
  const readParts = compileIdParts(source, compilation);
  return (run) => {
    const { region } = run;
    run.region = null;
    run.target = 'eventId';
    const id = readParts(run);
    run.region = region;
    if (id === null || id.text.length <= maxTextLength) return id;
    return reportProblem(run, 'too_long', `An event id has at most ${maxTextLength} characters.`);
  };
}

function compileIdParts(source: Source, compilation: Compilation): ReadId {
  if ('join' in source && !source.transforms?.length) {
    const readParts = compileParts(source.join, place, compilation);
    return (run) => {
      const parts = readParts(run).filter((part) => part !== null && part !== '');
      const present = parts.filter((part) => part !== null);
      if (present.length < source.join.length) return null;
      return { text: present.join(source.with ?? ' '), parts: present };
    };
  }
  const read = compileValue(source, place, compilation);
  return (run) => {
    const value = read(run);
    const text = isEmpty(value) ? null : toText(value)?.trim();
    return text ? { text, parts: [text] } : null;
  };
}

/**
 * Canonical JSON of how the event id is read; '' when the mapping reads none. Two documents with the same recipe give
 * the same payload the same id: what does not change the id (`required`, a default spelled out) is left out.
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

/** A template reads the item itself, whatever it is given. */
const usesTemplate = ({ transforms }: Source): boolean =>
  transforms?.some((use) => typeof use === 'object' && Object.hasOwn(use, 'template')) === true;

/** Whether any two events may be given the same id for no reason of theirs: what `first` falls back to is as good as a default. */
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
