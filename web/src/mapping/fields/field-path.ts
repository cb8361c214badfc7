/**
 * Where a value is in a payload, and how a mapping says so in JMESPath.
 *
 * Promises: whatever the payload calls its keys, what is written reads that place, and is written as the server's own
 * suggestions are.
 */
import type { Scalar, Source } from '../document/mapping-document.ts';

export type Step =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'at'; readonly index: number }
  /** The one entry of a list that meets a condition. */
  | { readonly is: 'entry'; readonly condition: string }
  /** Every element of a list. */
  | { readonly is: 'each' }
  /** Into JSON that is a text. */
  | { readonly is: 'inside' };

export const fieldOf = (key: string): string =>
  /^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key);

/** The condition that an entry's label meets. */
export function equals(keys: readonly string[], value: Scalar): string {
  const written = typeof value === 'string' ? quoted(value) : `\`${String(value)}\``;
  return `${keys.map(fieldOf).join('.')}==${written}`;
}

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** An expression over what the steps start from; `@` for the whole of it. */
export function writePath(steps: readonly Step[]): string {
  const before: string[] = [];
  let current = '';
  let isPicking = false;
  for (const step of steps) {
    if (step.is === 'key') {
      current += `${current === '' ? '' : '.'}${fieldOf(step.key)}`;
    } else if (step.is === 'at') current += `[${step.index}]`;
    else if (step.is === 'each') current += '[]';
    else if (step.is === 'entry') {
      if (isPicking) {
        before.push(current);
        current = '[0]';
      }
      current += `[?${step.condition}]`;
      isPicking = true;
    }
  }
  const parts = isPicking ? [...before, current, '[0]'] : [current === '' ? '@' : current];
  return parts.join(' | ');
}

/** `isRoot`: over the whole body, also where the mapping splits. */
export function sourceOf(steps: readonly Step[], isRoot = false): Source {
  const at = steps.findIndex(({ is }) => is === 'inside');
  const outer = writePath(at < 0 ? steps : steps.slice(0, at));
  const path = { path: outer, ...(isRoot && { root: true }) };
  if (at < 0) return path;
  const inner = writePath(steps.slice(at + 1));
  return { ...path, transforms: [inner === '@' ? 'json' : { json: { path: inner } }] };
}

/** What a person is shown of a place. */
export function shownPath(steps: readonly Step[]): string {
  const at = steps.findIndex(({ is }) => is === 'inside');
  return at < 0
    ? writePath(steps)
    : `${writePath(steps.slice(0, at))} → ${writePath(steps.slice(at + 1))}`;
}

const token = /^(?:\.?([A-Za-z_]\w*)|\.?("(?:[^"\\]|\\.)*")|\[(\d+)\]|(\[\]|\[\*\]))/;

/** Steps of a plain path to a list; null where the expression does more than that. */
export function readPlain(path: string): Step[] | null {
  const steps: Step[] = [];
  let rest = path.trim();
  if (rest === '@') return steps;
  if (rest.startsWith('@')) rest = rest.slice(1);
  while (rest !== '') {
    const match = token.exec(rest);
    if (!match) return null;
    const [whole, plain, quote, index] = match;
    const key = plain ?? (quote === undefined ? undefined : unquoted(quote));
    if (key !== undefined) steps.push({ is: 'key', key });
    else if (index !== undefined) steps.push({ is: 'at', index: Number(index) });
    else steps.push({ is: 'each' });
    rest = rest.slice(whole.length);
  }
  return steps;
}

function unquoted(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function take(value: unknown, step: Step): unknown[] {
  if (step.is === 'key') {
    return isFields(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
  }
  if (!Array.isArray(value)) return [];
  const list: unknown[] = value;
  return step.is === 'at' ? list.slice(step.index, step.index + 1) : list;
}

/** The items that a split leads to. */
export function itemsAt(body: unknown, steps: readonly Step[]): unknown[] {
  let found: unknown[] = [body];
  for (const step of steps) found = found.flatMap((value) => take(value, step));
  return found.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
}
