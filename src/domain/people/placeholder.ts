/**
 * Placeholders: values that stand for "no value", such as 0, `null`, "não informado", `{{email}}` or (11) 99999-9999.
 *
 * Promises: one place decides for every value of a person. An identity is a placeholder also when that is only nearly certain: all who
 * have it would be one person. A text is one only when nobody can have written it as a value.
 * Must never: throw, or look at more than the value.
 */
import { isPlaceholderDocument } from './placeholder-numbers.ts';
import {
  certainWords,
  compact,
  exampleWords,
  identityWords,
  mailboxWords,
} from './placeholder-words.ts';
import { withAsciiDigits, withoutInvisible } from './visible-text.ts';

/** What a value is used as. `identity` is an external id or an event id; `text` is any other short text, such as a label. */
export type PlaceholderUse = 'identity' | 'phone' | 'email' | 'document' | 'name' | 'text';

/** A longer text is none of these. */
const maxLength = 512;

/** Whether a value of a payload stands for "no value". A phone number is judged as E.164 by `isPlaceholderPhone`. */
export function isPlaceholder(value: string | number | boolean, use: PlaceholderUse): boolean {
  if (typeof value === 'boolean') return use !== 'text';
  const given = String(value);
  if (given.length > maxLength) return false;
  const text = withoutInvisible(given).trim();
  if (text === '' || isUnfilled(text, use) || isProgramText(text)) return true;
  switch (use) {
    case 'text':
      return false;
    case 'name':
      return isNoName(text);
    case 'phone':
      return isNoIdentity(text);
    case 'email':
      return isNoIdentity(text) || isPlaceholderEmail(text);
    case 'document':
      return isNoIdentity(text) || isPlaceholderDocument(text);
    case 'identity':
      return isNoIdentity(text) || isRepeated(text);
  }
}

/** What programs write for no value, and nobody else. `Null` and `None` are names. */
const programTexts = new Set(
  String.raw`null,NULL,undefined,UNDEFINED,Undefined,NaN,\N,(null),(NULL),<null>,[null],(undefined),(none),(not set),(empty)`
    .split(',')
    .concat('#N/A,#N/D,#REF!,#VALUE!,#NAME?,#NULL!,#DIV/0!,#NUM!,#ERROR!'.split(',')),
);

const isProgramText = (text: string): boolean =>
  programTexts.has(text) ||
  /^(?:\[object \w+\],?)+$/.test(text) ||
  /^(?:null|undefined)(?:[\s,;/_-]+(?:null|undefined))+$/i.test(text);

/** A field of a template, which a program puts between braces: these stand in no other text. */
const filledField =
  /\{\{[^{}]{0,200}\}\}|\$\{[^{}]{1,100}\}|\*\|[^|]{1,60}\|\*|<%[^%]{0,100}%>|\{%[^%]{0,100}%\}|\[object \w+\]/;
// Letters come first and few digits last, so that a GUID, a list or the id of a mail in such marks is no field.
const name = String.raw`\s*[\p{L}_$][\p{L}\p{M}_ .$-]{0,60}\d{0,3}\s*`;
const pairs = [
  [String.raw`[#$@]?\{`, String.raw`\}`],
  ['%{1,2}', '%{1,2}'],
  ['<{1,2}', '>{1,2}'],
  [String.raw`\[{1,2}`, String.raw`\]{1,2}`],
  ['__', '__'],
  ['#{1,2}', '#{1,2}'],
  ['@@', '@@'],
  [String.raw`%\(`, String.raw`\)s`],
] as const;
const wholeField = new RegExp(
  `^(?:${pairs.map(([open, close]) => open + name + close).join('|')}|%[sd])$`,
  'u',
);
/** A parameter of a query or of a path. A name may begin with such a sign. */
const parameter = /^[$:][A-Za-z_]\w*$/;
// A GUID may begin with a letter.
const hexInMarks = /^[{[<][\da-f][\da-f-]{7,}[}\]>]$/i;

/** Whether a text is, or for an identity or a name contains, a field of a template that nothing was filled into. */
function isUnfilled(text: string, use: PlaceholderUse): boolean {
  if (!/[{}[\]<>%|$#:@_]/.test(text)) return false;
  const field = filledField.exec(text)?.[0];
  if (use === 'text') return field === text;
  if (use !== 'name' && parameter.test(text)) return true;
  return field !== undefined || (wholeField.test(text) && !hexInMarks.test(text));
}

// Punctuation and spaces; an emoji is the name that some people give themselves.
const noCharacters = /^[\p{P}\p{Sm}\p{Sk}\p{Sc}\p{Z}\p{Cc}\p{Cf}]+$/u;
// Zeros with separators may be joined from two counters; those of a nil GUID are not.
const onlyZeros = /^[+-]?0+(?:[.,]0+)?$/;
const emptyGuid = /^\{?(?:0{8}-(?:0{4}-){3}0{12}|f{8}-(?:f{4}-){3}f{12}|f{32})\}?$/i;

const isNoName = (text: string): boolean =>
  noCharacters.test(text) ||
  onlyZeros.test(text) ||
  /^(?:n\/a|n\.a\.?|false)$/i.test(text) ||
  ['none', 'NONE'].includes(text) ||
  certainWords.has(compact(text));

// Two letters are an abbreviation only with their punctuation.
const abbreviation = /^(?:n[./ ]?a|n[./]d|s[./][dn]|k[./ ]?a|b[./]d|i\/a|e\/t)\.?$/i;

/** Whether no identity of any kind is this text. */
function isNoIdentity(text: string): boolean {
  const plain = withAsciiDigits(text.normalize('NFKC'));
  if (/[1-9]/.test(plain)) return plain === '-1' || plain === '-1.0';
  return (
    noCharacters.test(plain) ||
    onlyZeros.test(plain) ||
    abbreviation.test(plain) ||
    emptyGuid.test(plain) ||
    identityWords.has(compact(plain))
  );
}

// Shorter numbers of one digit are in every sequence of ids. One or two letters may be a code.
const isRepeated = (text: string): boolean => /^(?:([a-z])\1{2,}|(\d)\2{5,})$/i.test(text);

/** Whether the address is made up, such as `naotem@…` or `test@test.com`. Addresses in example.com may be those of people in tests. */
function isPlaceholderEmail(text: string): boolean {
  const [, mailbox, domain] = /^(?:mailto:)?<?([^@<>\s]+)@([^@<>\s]+)>?$/i.exec(text) ?? [];
  if (mailbox === undefined || domain === undefined) return false;
  if (/\.invalid\.?$/i.test(domain)) return true;
  const labels = domain.split('.');
  const [local, label] = [compact(mailbox), compact(labels[0] ?? '')];
  if (mailboxWords.has(local) || (labels.length === 1 && identityWords.has(local))) return true;
  if (exampleWords.has(local) && exampleWords.has(label)) return true;
  if (certainWords.has(local + label)) return true;
  return /^(.)\1+$/u.test(local + label);
}
