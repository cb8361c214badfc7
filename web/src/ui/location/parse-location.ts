/**
 * Parses a payload location into steps: keys, and list entries by name.
 *
 * Promises: the steps mean exactly what the expression means; an expression that does more returns null.
 */
export type PayloadLocation = {
  readonly path: string;
  /** Relative to the whole body, also with a split. */
  readonly root?: boolean | undefined;
};

export type LocationStep =
  | { readonly is: 'key'; readonly text: string }
  /** The list entry with this name. */
  | { readonly is: 'entry'; readonly text: string }
  /** The list entry in which this flag is true. */
  | { readonly is: 'where'; readonly text: string }
  /** From 0. */
  | { readonly is: 'nth'; readonly at: number }
  | { readonly is: 'each' }
  | { readonly is: 'joined' };

const key = String.raw`(?:[A-Za-z_]\w*|"(?:[^"\\]|\\.)*")`;
const joining = /^join\(', ', (.+)\)$/s;
const picking = /^ \| \[0\]/;
const entering = new RegExp(
  String.raw`^\[\?((?:${key}\.)*${key})==(?:'((?:[^'\\]|\\.)*)'|${'`'}([\w.+-]+)${'`'})\]`,
  's',
);
const indexing = /^\[(\d+)\]/;
const flattening = /^\[\]/;
const naming = new RegExp(`^\\.?(${key})`, 's');

/** Null when the expression is not a plain location. */
export function parseLocation(path: string): readonly LocationStep[] | null {
  const joined = joining.exec(path)?.[1];
  const steps = stepsOf(joined ?? path);
  return steps !== null && joined !== undefined ? [...steps, { is: 'joined' }] : steps;
}

function stepsOf(path: string): LocationStep[] | null {
  const steps: LocationStep[] = [];
  let rest = path;
  // `list[?name=='x'].value | [0]`: the part between is applied to every matching entry.
  let isPicking = false;
  while (rest !== '') {
    const picked = picking.exec(rest);
    if (picked) {
      if (!isPicking) return null;
      isPicking = false;
      rest = rest.slice(picked[0].length);
      continue;
    }
    const isOfAll = steps.some(({ is }) => is === 'each');
    const found = stepAt(rest, steps.length === 0);
    if (found === null || (isOfAll && found.step.is !== 'key')) return null;
    const isEntry = found.step.is === 'entry' || found.step.is === 'where';
    if (isPicking && (isEntry || found.step.is === 'each')) return null;
    isPicking ||= isEntry;
    steps.push(found.step);
    rest = rest.slice(found.length);
  }
  return isPicking || steps.length === 0 ? null : steps;
}

function stepAt(text: string, isFirst: boolean): { step: LocationStep; length: number } | null {
  const named = naming.exec(text);
  if (named) {
    const name = nameOf(named[1] ?? '');
    const isApart = text.startsWith('.') !== isFirst;
    return name === null || !isApart
      ? null
      : { step: { is: 'key', text: name }, length: named[0].length };
  }
  const entry = entering.exec(text);
  if (entry) {
    const [whole, flag = '', quoted, plain] = entry;
    if (plain === 'true') return { step: { is: 'where', text: flag }, length: whole.length };
    const label = quoted?.replaceAll(/\\(.)/gs, '$1') ?? plain ?? '';
    return { step: { is: 'entry', text: label }, length: whole.length };
  }
  const nth = indexing.exec(text);
  if (nth) return { step: { is: 'nth', at: Number(nth[1]) }, length: nth[0].length };
  const each = flattening.exec(text);
  return each ? { step: { is: 'each' }, length: each[0].length } : null;
}

function nameOf(written: string): string | null {
  if (!written.startsWith('"')) return written;
  try {
    return JSON.parse(written) as string;
  } catch {
    return null;
  }
}
