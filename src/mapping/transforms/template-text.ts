/**
 * Texts with fields: `{{path}}` is replaced by what the path reads, and `{{#if path}} … {{else}} … {{/if}}` keeps one of its
 * two parts. A blank line on which such a block begins or ends is left out.
 */
import { documentProblem, type DocumentProblem } from '../document-problem.ts';
import { isEmpty, toText } from '../value.ts';
import { textWith } from '../../base/texts/texts.ts';

export type TemplatePart =
  | { readonly text: string }
  | { readonly path: string }
  | TemplateCondition;

type TemplateCondition = {
  /** The path whose value decides. An empty value takes `whenEmpty`. */
  readonly when: string;
  readonly whenSet: readonly TemplatePart[];
  readonly whenEmpty: readonly TemplatePart[];
};

type ParsedTemplate =
  | { readonly ok: true; readonly parts: readonly TemplatePart[] }
  | { readonly ok: false; readonly problem: DocumentProblem };

export const maxTemplateLength = 4_096;
const maxTags = 50;
const maxLevels = 8;

type Tag = { readonly kind: 'if' | 'else' | 'endif' | 'field'; readonly path: string };
/** Texts and tags in turn, a text first and last. */
type Token = string | Tag;

type Block = {
  readonly when: string;
  readonly whenSet: TemplatePart[];
  whenEmpty: TemplatePart[] | null;
};

export function parseTemplate(text: string): ParsedTemplate {
  const tokens = tokensOf(text);
  if (tokens === null) return failed('template_brace', 'transform.template_brace');
  if (tokens.length > maxTags * 2 + 1) {
    const message = textWith('transform.template_too_long', { max: maxTags });
    return failed('template_too_long', message, String(maxTags));
  }
  const root: TemplatePart[] = [];
  const open: Block[] = [];
  for (const token of tokens) {
    const block = open.at(-1);
    const into = block ? (block.whenEmpty ?? block.whenSet) : root;
    if (typeof token === 'string') {
      if (token !== '') into.push({ text: token });
    } else if (token.kind === 'field') into.push({ path: token.path });
    else if (token.kind === 'if') {
      if (open.length === maxLevels) return failed('template_block', blockMessage);
      open.push({ when: token.path, whenSet: [], whenEmpty: null });
    } else if (!block || (token.kind === 'else' && block.whenEmpty))
      return failed('template_block', blockMessage);
    else if (token.kind === 'else') block.whenEmpty = [];
    else closeBlock(open, root);
  }
  return open.length === 0 ? { ok: true, parts: root } : failed('template_block', blockMessage);
}

const blockMessage = textWith('transform.template_block', { levels: maxLevels });

const failed = (...problem: Parameters<typeof documentProblem>): ParsedTemplate => ({
  ok: false,
  problem: documentProblem(...problem),
});

function closeBlock(open: Block[], root: TemplatePart[]): void {
  const closed = open.pop();
  if (!closed) return;
  const around = open.at(-1);
  const into = around ? (around.whenEmpty ?? around.whenSet) : root;
  into.push({ when: closed.when, whenSet: closed.whenSet, whenEmpty: closed.whenEmpty ?? [] });
}

/** Returns null when a brace is not closed. */
function tokensOf(text: string): Token[] | null {
  const [first = '', ...others] = text.split('{{');
  const tokens: Token[] = [first];
  for (const other of others) {
    const end = other.indexOf('}}');
    if (end < 0) return null;
    tokens.push(tagOf(other.slice(0, end).trim()), other.slice(end + 2));
  }
  return tokens;
}

function tagOf(written: string): Tag {
  if (written === 'else') return { kind: 'else', path: '' };
  if (written === '/if') return { kind: 'endif', path: '' };
  const [, condition] = /^#if\s+(.+)$/s.exec(written) ?? [];
  return condition === undefined
    ? { kind: 'field', path: written }
    : { kind: 'if', path: condition };
}

/** The paths of the fields and conditions, in order. Some may occur several times. */
export const pathsOfTemplate = (parts: readonly TemplatePart[]): string[] =>
  parts.flatMap((part) => {
    if ('text' in part) return [];
    if ('path' in part) return [part.path];
    return [part.when, ...pathsOfTemplate(part.whenSet), ...pathsOfTemplate(part.whenEmpty)];
  });

/** The distinct paths of a template as written; none when it is not valid. */
export function pathsOfTemplateText(text: string): string[] {
  const parsed = parseTemplate(text);
  return parsed.ok ? [...new Set(pathsOfTemplate(parsed.parts))] : [];
}

/** Replaces the paths of the fields and conditions in a template as written. */
export function replaceTemplatePaths(text: string, replace: (path: string) => string): string {
  const [first = '', ...others] = text.split('{{');
  const written = others.map((other) => {
    const end = other.indexOf('}}');
    const tag = tagOf(other.slice(0, Math.max(end, 0)).trim());
    if (end < 0 || tag.path === '') return `{{${other}`;
    const next = replace(tag.path);
    const inner = tag.kind === 'if' ? `#if ${next}` : next;
    return next === tag.path ? `{{${other}` : `{{${inner}}}${other.slice(end + 2)}`;
  });
  return first + written.join('');
}

/**
 * Writes the text. `hasValue`: a field has a value, or the template has no field. Returns null when the text is longer than
 * `maxLength`.
 */
export function renderTemplate(
  parts: readonly TemplatePart[],
  read: (path: string) => unknown,
  maxLength: number,
): { readonly text: string; readonly hasValue: boolean } | null {
  const lines = new Lines(maxLength);
  let [fields, values] = [0, 0];
  const write = (some: readonly TemplatePart[]): boolean =>
    some.every((part) => {
      if ('text' in part) return lines.add(part.text);
      if ('path' in part) {
        const value = textOfField(read(part.path));
        fields += 1;
        values += value === '' ? 0 : 1;
        return lines.add(value);
      }
      lines.markBlock();
      const isWritten = write(isEmpty(read(part.when)) ? part.whenEmpty : part.whenSet);
      lines.markBlock();
      return isWritten;
    });
  return write(parts) ? { text: lines.end(), hasValue: fields === 0 || values > 0 } : null;
}

/** Collects a text by lines, and leaves out blank lines on which a block begins or ends. */
class Lines {
  private readonly done: string[] = [];
  private line = '';
  private hasBlock = false;
  private length = 0;

  private readonly maxLength: number;

  constructor(maxLength: number) {
    this.maxLength = maxLength;
  }

  /** Returns whether the text is within its bound. */
  add(text: string): boolean {
    this.length += text.length;
    const [first = '', ...others] = text.split('\n');
    this.line += first;
    for (const other of others) {
      this.endLine();
      this.line = other;
    }
    return this.length <= this.maxLength;
  }

  markBlock(): void {
    this.hasBlock = true;
  }

  private endLine(): void {
    if (!this.hasBlock || this.line.trim() !== '') this.done.push(this.line);
    this.hasBlock = false;
  }

  end(): string {
    this.endLine();
    return this.done.join('\n');
  }
}

const separator = ', ';

/** The elements of a list are separated by commas. An object, also in a list, has no text. */
function textOfField(value: unknown): string {
  if (isEmpty(value)) return '';
  if (!Array.isArray(value)) return toText(value)?.trim() ?? '';
  const texts = (value as unknown[]).map((element) => toText(element)?.trim() ?? '');
  return texts.filter((text) => text !== '').join(separator);
}
