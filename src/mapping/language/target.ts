import type { Scalar, Source } from '../../domain/mappings/mapping.ts';
import { childLocation } from './compilation.ts';
import type { Compilation } from './compilation.ts';
import { compileValue } from './source.ts';
import { applyStep, stepWithoutOptions } from './step.ts';
import type { Read, MappingRun } from './mapping-run.ts';
import { reportProblem, reportMissing } from './mapping-run.ts';
import type { Transform } from '../transforms/transform.ts';
import { date } from '../transforms/date.ts';
import { document } from '../transforms/document.ts';
import { email } from '../transforms/email.ts';
import { phone } from '../transforms/phone.ts';
import { isWithinSize, isEmpty, isScalar, toText, truncateText } from '../value.ts';

/** UTF-16 units. What is longer is cut, except identities: a cut one would name somebody else. */
export const maxTextLength = 1_024;
export const maxFieldLength = 4_096;
export const maxMessageLength = 65_536;

/** Makes a target's value of what its source gave; null, with a problem, when it cannot. */
type Finish = (value: unknown, run: MappingRun) => string | null;

export interface CompiledTarget {
  readonly name: string;
  readonly read: Read;
  readonly finish: Finish;
  readonly fallback: Scalar | null;
  readonly required: boolean;
}

/** What kind of value a target takes. */
export const finishes = {
  text: cut(maxTextLength),
  message: cut(maxMessageLength),
  field: finishField,
  identity: finishIdentity,
  phone: normalised(phone),
  email: normalised(email),
  document: normalised(document),
  date: normalised(date),
} satisfies Record<string, Finish>;

export function compileTarget(
  source: Source | undefined,
  { name, finish }: { name: string; finish: Finish },
  compilation: Compilation,
): CompiledTarget | null {
  if (source === undefined) return null;
  const place = { pointer: pointerOf(name), strict: false };
  const read = compileValue(source, place, compilation);
  const { default: fallback = null, required = false } = source;
  return { name, read, finish, fallback, required };
}

const pointerOf = (name: string): string =>
  childLocation({ pointer: '', strict: false }, ...segmentsOf(name)).pointer;

// The name of a field may have dots; nothing before it has.
function segmentsOf(name: string): string[] {
  const field = /^(contact|context)\.fields\.(.*)$/s.exec(name);
  return field ? [field[1] ?? '', 'fields', field[2] ?? ''] : name.split('.');
}

export function readTarget(target: CompiledTarget | null, run: MappingRun): string | null {
  if (target === null) return null;
  run.target = target.name;
  const value = target.read(run);
  const finished = isEmpty(value) ? null : target.finish(value, run);
  return finished ?? fallBack(target, run);
}

/** A label's source may read a list; each of its texts is a label. */
export function readLabels(target: CompiledTarget, run: MappingRun): string[] {
  run.target = target.name;
  const value = target.read(run);
  const each = Array.isArray(value) ? value : [value];
  const labels = each
    .map((label) => (isEmpty(label) ? null : target.finish(label, run)))
    .filter((label) => label !== null);
  if (labels.length > 0) return labels;
  const fallback = fallBack(target, run);
  return fallback === null ? [] : [fallback];
}

function fallBack({ fallback, finish, required }: CompiledTarget, run: MappingRun): string | null {
  if (fallback !== null && !isEmpty(fallback)) {
    if (run.tracing) run.trace = { source: 'default', raw: fallback };
    const finished = finish(fallback, run);
    if (finished !== null) return finished;
  }
  return required ? reportMissing(run) : null;
}

function trimmed(value: unknown, run: MappingRun): string | null {
  const text = toText(value);
  if (text === null)
    return reportProblem(run, 'not_text', 'The value is a list or an object, not a text.');
  return text.trim() || null;
}

function cut(length: number): Finish {
  return (value, run) => {
    const text = trimmed(value, run);
    if (text === null || text.length <= length) return text;
    reportProblem(run, 'too_long', `The text was cut to ${length} characters.`);
    return truncateText(text, length);
  };
}

function finishIdentity(value: unknown, run: MappingRun): string | null {
  const text = trimmed(value, run);
  if (text === null || text.length <= maxTextLength) return text;
  return reportProblem(run, 'too_long', `An identity has at most ${maxTextLength} characters.`);
}

function finishField(value: unknown, run: MappingRun): string | null {
  if (typeof value !== 'object') return cut(maxFieldLength)(value, run);
  const json = isWithinSize(value, maxFieldLength) ? JSON.stringify(value) : null;
  if (json !== null && json.length <= maxFieldLength) return json;
  return reportProblem(
    run,
    'too_long',
    `The value has more than ${maxFieldLength} characters as JSON.`,
  );
}

/** By a transform that the target implies, traced where it did something. */
function normalised(transform: Transform): Finish {
  const step = stepWithoutOptions(transform);
  return (value, run) => {
    if (!isScalar(value)) return trimmed(value, run);
    const result = applyStep(step, value, run);
    const last = run.steps.at(-1);
    if (last !== undefined && last.before === last.after) run.steps.pop();
    return isEmpty(result) ? null : finishIdentity(result, run);
  };
}
