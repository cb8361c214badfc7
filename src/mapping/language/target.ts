/**
 * Targets: the text that a source's value becomes. `compileTarget` runs once for each mapping, `readTarget` for each
 * event.
 */
import type { Source } from '../../domain/mappings/mapping.ts';
import type { PlaceholderUse } from '../../domain/people/placeholder.ts';
import type { Transform } from '../transforms/transform.ts';
import { date } from '../transforms/date.ts';
import { document } from '../transforms/document.ts';
import { email } from '../transforms/email.ts';
import { phone } from '../transforms/phone.ts';
import { charge } from '../expressions/work-budget.ts';
import { storedUnitsPerCharacter } from '../work-limits.ts';
import { isEmpty, isScalar, isWithinSize, toText, truncateText } from '../value.ts';
import { childLocation, type Compilation } from './compilation.ts';
import {
  beginTarget,
  endTarget,
  expressionErrorMessage,
  recordBudgetExceeded,
  reportMissing,
  reportProblem,
  type MappingRun,
} from './mapping-run.ts';
import { onlyElement, withoutPlaceholder } from './placeholders.ts';
import { compileSource, readValue, type CompiledSource } from './source.ts';
import { applyStep, stepWithoutOptions, type TransformStep } from './step.ts';
import { textWith } from '../../base/texts/texts.ts';

/** UTF-16 units. Longer texts are cut. A longer identity is left out: cut, it would name another person. */
export const maxTextLength = 1_024;
const maxFieldLength = 4_096;
const maxMessageLength = 65_536;

export type TargetKind =
  | 'text'
  | 'message'
  | 'field'
  | 'identity'
  | 'phone'
  | 'email'
  | 'document'
  | 'date';

export interface CompiledTarget {
  /** Such as `contact.phone`. */
  readonly name: string;
  readonly kind: TargetKind;
  readonly source: CompiledSource;
}

/** The transform that a kind of target implies. */
const impliedSteps = {
  phone: stepWithoutOptions(phone as Transform),
  email: stepWithoutOptions(email),
  document: stepWithoutOptions(document),
  date: stepWithoutOptions(date),
};

export function compileTarget(
  source: Source | undefined,
  { name, kind }: { name: string; kind: TargetKind },
  compilation: Compilation,
): CompiledTarget | null {
  if (source === undefined) return null;
  const root = { pointer: '', strict: false, use: useOf(name, kind) };
  const location = childLocation(root, ...segmentsOf(name));
  return { name, kind, source: compileSource(source, location, compilation) };
}

/** A person may write anything in a message, and own fields mean what the sender says. */
function useOf(name: string, kind: TargetKind): PlaceholderUse | null {
  if (kind === 'message' || kind === 'field' || kind === 'date') return null;
  return name === 'contact.name' ? 'name' : kind;
}

// The name of a field may have dots; nothing before it has.
function segmentsOf(name: string): string[] {
  const field = /^(contact|context)\.fields\.(.*)$/s.exec(name);
  return field ? [field[1] ?? '', 'fields', field[2] ?? ''] : name.split('.');
}

/** Returns the target's text, or null when it has no value. */
export function readTarget(target: CompiledTarget | null, run: MappingRun): string | null {
  if (target === null) return null;
  beginTarget(run, target.name);
  const value = readSingle(target, run);
  const kind = isNormalized(target) ? 'identity' : target.kind;
  const text = (isEmpty(value) ? null : normalize(kind, value, run)) ?? fallBack(target, run);
  endTarget(run);
  return text === null ? null : chargedText(text, run);
}

/**
 * Whether the source itself reads its values as a phone number. It is not read again: the address of a messenger may be a number that
 * no numbering plan has any more.
 */
function isNormalized({ kind, source }: Pick<CompiledTarget, 'kind' | 'source'>): boolean {
  if (kind !== 'phone') return false;
  const last = source.steps.at(-1);
  if (last !== undefined) return last.transform.name === kind;
  return (
    source.kind === 'first' && source.sources.every((each) => isNormalized({ kind, source: each }))
  );
}

/** Of a list with one value an identity is that value. */
function readSingle({ kind, source }: CompiledTarget, run: MappingRun): unknown {
  const value = readValue(source, run);
  const { use } = source;
  if (kind === 'text' || use === null || !Array.isArray(value)) return value;
  return withoutPlaceholder(use, onlyElement(use, value), run);
}

/** A text that is stored is work too: 100 events with every field at its bound are 40 MB in one write. */
function chargedText(text: string, run: MappingRun): string | null {
  try {
    charge(run.budget, text.length * storedUnitsPerCharacter);
    return text;
  } catch (error) {
    recordBudgetExceeded(run, error);
    return reportProblem(run, 'too_long', expressionErrorMessage(error));
  }
}

/** Returns the target's texts, at most `max`: each element of a list is one. */
export function readTexts(target: CompiledTarget, run: MappingRun, max: number): string[] {
  beginTarget(run, target.name);
  const value = readValue(target.source, run);
  const texts: string[] = [];
  for (const each of Array.isArray(value) ? value : [value]) {
    if (texts.length === max) break;
    const given = withoutPlaceholder(target.source.use, each, run);
    const text = isEmpty(given) ? null : normalize(target.kind, given, run);
    if (text !== null && !texts.includes(text)) texts.push(text);
  }
  const fallback = texts.length > 0 ? null : fallBack(target, run);
  if (fallback !== null) texts.push(fallback);
  endTarget(run);
  return texts;
}

function fallBack({ kind, source }: CompiledTarget, run: MappingRun): string | null {
  const { default: fallback, required } = source;
  if (fallback !== undefined && !isEmpty(fallback)) {
    if (run.traces !== null) run.trace = { source: 'default', raw: fallback };
    const text = normalize(kind, fallback, run);
    if (text !== null) return text;
  }
  return required ? reportMissing(run) : null;
}

/** Makes a value the text of its target. Returns null, with a problem, when it cannot. */
function normalize(kind: TargetKind, value: unknown, run: MappingRun): string | null {
  switch (kind) {
    case 'text':
      return cutText(value, maxTextLength, run);
    case 'message':
      return cutText(value, maxMessageLength, run);
    case 'field':
      return fieldText(value, run);
    case 'identity':
      return identityText(value, run);
    default:
      return applyImplied(impliedSteps[kind], value, run);
  }
}

function trimmedText(value: unknown, run: MappingRun): string | null {
  const text = toText(value);
  if (text === null) {
    return reportProblem(run, 'not_text', 'problem.not_text');
  }
  // JSON may escape half a surrogate pair. No encoding has it, so it would not be stored as it was read.
  return text.toWellFormed().trim() || null;
}

function cutText(value: unknown, length: number, run: MappingRun): string | null {
  const text = trimmedText(value, run);
  if (text === null || text.length <= length) return text;
  reportProblem(run, 'too_long', textWith('problem.text_cut', { max: length }));
  return truncateText(text, length);
}

function identityText(value: unknown, run: MappingRun): string | null {
  const text = trimmedText(value, run);
  if (text === null || text.length <= maxTextLength) return text;
  return reportProblem(
    run,
    'too_long',
    textWith('problem.identity_too_long', { max: maxTextLength }),
  );
}

function fieldText(value: unknown, run: MappingRun): string | null {
  if (typeof value !== 'object') return cutText(value, maxFieldLength, run);
  const json = isWithinSize(value, maxFieldLength) ? JSON.stringify(value) : null;
  if (json !== null && json.length <= maxFieldLength) return json;
  return reportProblem(run, 'too_long', textWith('problem.json_too_long', { max: maxFieldLength }));
}

/** Applies the implied transform. It stays in the trace only where it changed the value. */
function applyImplied(step: TransformStep, value: unknown, run: MappingRun): string | null {
  if (!isScalar(value)) return trimmedText(value, run);
  const result = applyStep(step, value, run);
  const last = run.steps.at(-1);
  if (last !== undefined && last.before === last.after) run.steps.pop();
  return isEmpty(result) ? null : identityText(result, run);
}
