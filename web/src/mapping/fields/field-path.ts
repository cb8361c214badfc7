/**
 * Locations of values in a payload, and their JMESPath expressions.
 *
 * Promises: the expression reads exactly this location, whatever characters the keys have, and has the same
 * form as the server's suggestions.
 */
import type { Scalar, Source } from '../document/mapping-document.ts';

export type Step =
  | { readonly is: 'key'; readonly key: string }
  | { readonly is: 'at'; readonly index: number }
  /** The one entry of a list that matches a condition. */
  | { readonly is: 'entry'; readonly condition: string }
  /** All elements of a list. */
  | { readonly is: 'each' }
  /** Inside a text that contains JSON. */
  | { readonly is: 'inside' };

const quoteKey = (key: string): string => (/^[A-Za-z_]\w*$/.test(key) ? key : JSON.stringify(key));

/** The condition that matches the label of an entry. */
export function equalsCondition(keys: readonly string[], value: Scalar): string {
  const written = typeof value === 'string' ? quoted(value) : `\`${String(value)}\``;
  return `${keys.map(quoteKey).join('.')}==${written}`;
}

const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

/** The expression relative to the start of the steps; `@` for the start itself. */
export function formatPath(steps: readonly Step[]): string {
  const before: string[] = [];
  let current = '';
  let isPicking = false;
  for (const step of steps) {
    if (step.is === 'key') {
      current += `${current === '' ? '' : '.'}${quoteKey(step.key)}`;
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

/** `isRoot`: relative to the whole body, also with a split. */
export function sourceOf(steps: readonly Step[], isRoot = false): Source {
  const at = steps.findIndex(({ is }) => is === 'inside');
  const outer = formatPath(at < 0 ? steps : steps.slice(0, at));
  const path = { path: outer, ...(isRoot && { root: true }) };
  if (at < 0) return path;
  const inner = formatPath(steps.slice(at + 1));
  return { ...path, transforms: [inner === '@' ? 'json' : { json: { path: inner } }] };
}

/** The path as displayed to users. */
export function displayPath(steps: readonly Step[]): string {
  const at = steps.findIndex(({ is }) => is === 'inside');
  return at < 0
    ? formatPath(steps)
    : `${formatPath(steps.slice(0, at))} → ${formatPath(steps.slice(at + 1))}`;
}

const token = /^(?:\.?([A-Za-z_]\w*)|\.?("(?:[^"\\]|\\.)*")|\[(\d+)\]|(\[\]|\[\*\]))/;

/** The steps of a plain path to a list; null when the expression does more. */
export function parsePlainPath(path: string): Step[] | null {
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

/** The items of a split. */
export function itemsAt(body: unknown, steps: readonly Step[]): unknown[] {
  let found: unknown[] = [body];
  for (const step of steps) found = found.flatMap((value) => take(value, step));
  return found.flatMap((value) => (Array.isArray(value) ? (value as unknown[]) : [value]));
}
