import { RE2JS } from 're2js';
import { documentProblem } from '../document-problem.ts';
import { charge, type WorkBudget } from '../expressions/work-budget.ts';
import {
  maxResultLength,
  tooLongProblem,
  optionsSchema,
  type Transform,
  type TransformResult,
} from './transform.ts';
import { patternUnits } from '../work-limits.ts';
import { textWith, type PublicText } from '../../base/texts/texts.ts';

type Options = { find?: string; pattern?: string; with?: string; ignoreCase?: boolean };
type Piece = string | number;
type Prepared = {
  find: string;
  replacement: string;
  pattern: RE2JS | null;
  pieces: readonly Piece[];
};

// Instructions of a compiled pattern. Usual patterns have 5 to 50.
const maxProgramSize = 256;

export const replace: Transform<Options, Prepared> = {
  name: 'replace',
  doc: 'Replaces every `find` (a literal text) or `pattern` (a regular expression in RE2 syntax, without look-around and back-references) by `with`, or removes it when `with` is absent. In `with` for a pattern, $1 to $9 are its groups, $0 is the whole match and $$ is a dollar sign.',
  examples: [
    { options: { find: '-', with: ' ' }, from: 'lead-form-site', to: 'lead form site' },
    { options: { find: 'Sr. ' }, from: 'Sr. Exemplo', to: 'Exemplo' },
    { options: { pattern: '\\s+', with: ' ' }, from: 'Ana   Exemplo', to: 'Ana Exemplo' },
    {
      options: { pattern: '^(\\d{2})(\\d+)$', with: '($1) $2' },
      from: '1133330000',
      to: '(11) 33330000',
    },
  ],
  options: optionsSchema(
    {
      find: { type: 'string', minLength: 1, maxLength: 256 },
      pattern: { type: 'string', minLength: 1, maxLength: 256 },
      with: { type: 'string', maxLength: 1_024 },
      ignoreCase: { type: 'boolean' },
    },
    [],
  ),
  workOfOptions: ({ pattern }) => (pattern === undefined ? 0 : workOfPattern(pattern)),
  check(options) {
    if ((options.find === undefined) === (options.pattern === undefined)) {
      return documentProblem('replace_what', 'transform.replace_what');
    }
    if (options.pattern === undefined) {
      return options.ignoreCase ? documentProblem('replace_case', 'transform.replace_case') : null;
    }
    const pattern = compilePattern(options);
    if (!isCompiled(pattern)) return documentProblem('replace_pattern', pattern);
    const missing = piecesOf(options.with ?? '').find(
      (piece) => typeof piece === 'number' && piece > pattern.groupCount(),
    );
    return missing === undefined
      ? null
      : documentProblem(
          'replace_group',
          textWith('transform.replace_group', { group: missing }),
          String(missing),
        );
  },
  prepare(options) {
    const pattern = options.pattern === undefined ? null : compilePattern(options);
    return {
      find: options.find ?? '',
      replacement: options.with ?? '',
      pattern: pattern !== null && isCompiled(pattern) ? pattern : null,
      pieces: piecesOf(options.with ?? ''),
    };
  },
  apply(value, { options, budget }) {
    const text = String(value);
    const { pattern, pieces } = options;
    if (pattern !== null && text.length > maxResultLength) return tooLongProblem();
    return pattern === null
      ? replaceText(text, options)
      : replacePattern(text, { pattern, pieces }, budget);
  },
};

/** The units of work of compiling a pattern twice: once to check it, and once for use. */
function workOfPattern(pattern: string): number {
  const { each, perCharacter, perUnicodeClass, perCopy } = patternUnits;
  const classes = pattern.split(/\\p/i).length - 1;
  const copies = perCopy * copiesIn(pattern);
  return 2 * (each + pattern.length * perCharacter + classes * perUnicodeClass + copies);
}

// The library refuses a part that is copied more often, nested repetitions together.
const maxCopies = 1_000;

/** The most copies that the repetitions of a pattern are compiled to. A repeated group also copies the repetitions in it. */
function copiesIn(pattern: string): number {
  const groups = pattern.match(/\)\{\d/g)?.length ?? 0;
  const counts = countsIn(pattern);
  if (groups === 0) return counts.reduce((sum, count) => sum + count, 0);
  const product = counts.reduce((all, count) => all * Math.max(count, 1), 1);
  return Math.min(product, maxCopies * counts.length);
}

const countsIn = (pattern: string): number[] =>
  [...pattern.matchAll(/\{(\d{1,5})(?:,(\d{0,5}))?\}/g)].map(([, least, most]) =>
    Number(most || least),
  );

const maxReason = 185;

const isCompiled = (pattern: RE2JS | PublicText): pattern is RE2JS => pattern instanceof RE2JS;

function compilePattern({ pattern = '', ignoreCase }: Options): RE2JS | PublicText {
  // A repetition is copied before the size of the program is known.
  if (Math.max(0, ...countsIn(pattern)) > maxProgramSize) return 'transform.pattern_too_large';
  try {
    const compiled = RE2JS.compile(pattern, ignoreCase ? RE2JS.CASE_INSENSITIVE : 0);
    return compiled.programSize() <= maxProgramSize ? compiled : 'transform.pattern_too_large';
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    return textWith('transform.replace_pattern', { reason: reason.slice(0, maxReason) });
  }
}

/** Splits `with` into texts and group numbers. */
const piecesOf = (text: string): Piece[] =>
  text
    .split(/(\$[\d$])/)
    .filter((piece) => piece !== '')
    .map((piece) => {
      if (piece === '$$') return '$';
      return /^\$\d$/.test(piece) ? Number(piece.slice(1)) : piece;
    });

function replaceText(text: string, { find, replacement }: Prepared): TransformResult {
  const parts = text.split(find);
  const length = text.length + (parts.length - 1) * (replacement.length - find.length);
  if (length > Math.max(maxResultLength, text.length)) return tooLongProblem();
  return { value: parts.join(replacement) };
}

/**
 * A search is linear, but it may read the whole rest of the text and match little of it, so each one is charged for the
 * rest: a character takes 50 ns where the library runs an automaton, and up to 15 ns for each instruction otherwise.
 */
function replacePattern(
  text: string,
  { pattern, pieces }: { pattern: RE2JS; pieces: readonly Piece[] },
  budget: WorkBudget,
): TransformResult {
  const weight = Math.max(1 / 4, pattern.programSize() / 16);
  const matcher = pattern.matcher(text);
  const written: string[] = [];
  let [length, end] = [0, 0];
  const write = (piece: string): boolean => {
    written.push(piece);
    length += piece.length;
    return length <= Math.max(maxResultLength, text.length);
  };
  for (;;) {
    charge(budget, 1 + (text.length - end) * weight);
    if (!matcher.find()) break;
    const kept = [
      text.slice(end, matcher.start()),
      ...pieces.map((piece) => groupOf(piece, matcher)),
    ];
    if (!kept.every(write)) return tooLongProblem();
    end = matcher.end();
  }
  return write(text.slice(end)) ? { value: written.join('') } : tooLongProblem();
}

const groupOf = (piece: Piece, matcher: ReturnType<RE2JS['matcher']>): string =>
  typeof piece === 'string' ? piece : (matcher.group(piece) ?? '');
