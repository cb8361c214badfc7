/**
 * Templates as text: `{{path}}` is a field, `{{#if path}} … {{else}} … {{/if}}` a part that depends on one.
 *
 * The server parses and validates them; here their tags are found and changed.
 */
import type { Source } from './mapping-document.ts';

export type Tag = {
  readonly kind: 'field' | 'if' | 'else' | 'end';
  /** '' for `else` and `end`. */
  readonly path: string;
  readonly from: number;
  readonly to: number;
};

type Range = { readonly from: number; readonly to: number };
type Pair = { readonly open: Tag; readonly close: Tag };

const tagPattern = /\{\{(.*?)\}\}/gs;

export const fieldTag = (path: string): string => `{{${path}}}`;

export const tagsIn = (text: string): Tag[] =>
  [...text.matchAll(tagPattern)].map(({ 0: whole, 1: inner = '', index }) => {
    return { ...kindOf(inner.trim()), from: index, to: index + whole.length };
  });

function kindOf(inner: string): Pick<Tag, 'kind' | 'path'> {
  if (inner === 'else') return { kind: 'else', path: '' };
  if (inner === '/if') return { kind: 'end', path: '' };
  const [, condition] = /^#if\s+(.+)$/s.exec(inner) ?? [];
  return condition === undefined ? { kind: 'field', path: inner } : { kind: 'if', path: condition };
}

/** The paths of the fields and conditions. */
export const pathsIn = (text: string): string[] => [
  ...new Set(tagsIn(text).flatMap(({ path }) => (path === '' ? [] : [path]))),
];

/** The template with a readable text for each field, and without other tags. */
export const textWith = (text: string, nameOf: (path: string) => string): string =>
  text.replace(tagPattern, (_, inner: string) => {
    const { kind, path } = kindOf(inner.trim());
    return kind === 'field' ? nameOf(path) : '';
  });

function pairsIn(tags: readonly Tag[]): { readonly pairs: Pair[]; readonly unpaired: Tag[] } {
  const open: Tag[] = [];
  const pairs: Pair[] = [];
  const unpaired: Tag[] = [];
  for (const tag of tags) {
    if (tag.kind === 'if') open.push(tag);
    else if (tag.kind === 'else' && open.length === 0) unpaired.push(tag);
    else if (tag.kind === 'end') {
      const begun = open.pop();
      if (begun) pairs.push({ open: begun, close: tag });
      else unpaired.push(tag);
    }
  }
  return { pairs, unpaired: [...unpaired, ...open] };
}

/** The block tags whose partner is missing. */
export const unpairedTags = (text: string): readonly Tag[] => pairsIn(tagsIn(text)).unpaired;

/** What pressing "leave out when empty" does to a selection: `text` is the result. */
type Toggle = { readonly isOptional: boolean; readonly text: string };

/**
 * A part that is optional already is made permanent; otherwise the selection, or without one the line, becomes optional by its
 * first field. Null without a field, or when the range cuts another part.
 */
export function toggleOptional(text: string, selection: Range): Toggle | null {
  const range = selection.from === selection.to ? lineAt(text, selection.from) : selection;
  const tags = tagsIn(text);
  const { pairs } = pairsIn(tags);
  const around = pairs
    .filter(({ open, close }) => isAround({ from: open.from, to: close.to }, range))
    .toSorted((a, b) => b.open.from - a.open.from)[0];
  if (around) return { isOptional: true, text: withoutPair(text, tags, around) };
  const inside = tags.filter(({ from, to }) => from >= range.from && to <= range.to);
  const field = inside.find(({ kind }) => kind === 'field');
  if (!field || pairsIn(inside).unpaired.length > 0) return null;
  const part = text.slice(range.from, range.to);
  const optional = `{{#if ${field.path}}}${part}{{/if}}`;
  return { isOptional: false, text: text.slice(0, range.from) + optional + text.slice(range.to) };
}

const isAround = (outer: Range, { from, to }: Range): boolean =>
  outer.from <= from && to <= outer.to;

/** Without an `else` part, which is for the empty field. */
function withoutPair(text: string, tags: readonly Tag[], { open, close }: Pair): string {
  const between = tags.filter(({ from, to }) => from >= open.to && to <= close.from);
  const { unpaired } = pairsIn(between);
  const end = unpaired.find(({ kind }) => kind === 'else') ?? close;
  return text.slice(0, open.from) + text.slice(open.to, end.from) + text.slice(close.to);
}

function lineAt(text: string, at: number): Range {
  const from = at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  return { from, to: end < 0 ? text.length : end };
}

/** The expression that reads the same as a source; null when none does. */
function expressionOf({ path, root, first, transforms }: Source): string | null {
  if (root || (transforms?.length ?? 0) > 0) return null;
  if (path !== undefined) return path.includes('}}') ? null : path;
  const paths = first?.map(expressionOf) ?? [null];
  return paths.includes(null) ? null : paths.join(' || ');
}

function partText(source: Source): string | null {
  if (source.const !== undefined) return String(source.const);
  const path = expressionOf(source);
  return path === null ? null : fieldTag(path);
}

/** The source as a template with the same options; null when a template cannot read the same. */
export function toTemplate(source: Source): Source | null {
  const { transforms, default: fallback, required, ...bare } = source;
  const parts = (bare.join ?? [bare]).map(partText);
  if (parts.includes(null)) return null;
  const template = parts.join(bare.join ? (bare.with ?? ' ') : '');
  return {
    template,
    ...(transforms && { transforms }),
    ...(fallback !== undefined && { default: fallback }),
    ...(required !== undefined && { required }),
  };
}

/** Appends a field; null when a template cannot read it. */
export function withField(source: Source, field: Source): Source | null {
  const path = expressionOf(field);
  if (path === null || source.template === undefined) return null;
  const { template } = source;
  const separator = template === '' || /\s$/.test(template) ? '' : ' ';
  return { ...source, template: template + separator + fieldTag(path) };
}
