/**
 * Texts for people: a code with its values, and one catalogue of sentences for each language. A sentence is made where the language
 * is known: in a view, in an error's answer, or in a notice.
 *
 * Promises: a code without a sentence in a language, and a sentence with other values, are errors of types.
 */
import { en } from './en.ts';
import { es } from './es.ts';
import { ptBr } from './pt-BR.ts';

export const languages = ['en', 'pt-BR', 'es'] as const;
export type Language = (typeof languages)[number];

/** A text of its own in each language, such as the instructions of a producer. */
export type Localized = Readonly<Record<Language, string>>;

type Catalogue = typeof en;
type TextCode = keyof Catalogue;

/** The names in braces, without the blocks of a template: `{{else}}`. */
type Slots<Sentence> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `{${string}` ? never : Name) | Slots<Rest>
  : never;
type SlotsOf<Code extends TextCode> = Slots<Catalogue[Code]>;
type Values = Readonly<Record<string, string | number>>;

type PlainCode = {
  [Code in TextCode]: [SlotsOf<Code>] extends [never] ? Code : never;
}[TextCode];

type FilledText = { readonly code: TextCode; readonly values: Values };

/** A text without values is its code. */
export type PublicText = PlainCode | FilledText;

export const textWith = <Code extends TextCode>(
  code: Code,
  values: Readonly<Record<SlotsOf<Code>, string | number>>,
): FilledText => ({ code, values });

type Sentences<Texts> = {
  [Code in TextCode]: Code extends keyof Texts
    ? [Slots<Texts[Code]>, SlotsOf<Code>] extends [SlotsOf<Code>, Slots<Texts[Code]>]
      ? string
      : never
    : never;
};

const catalogues: Readonly<Record<Language, Readonly<Record<TextCode, string>>>> = {
  en,
  es: es satisfies Sentences<typeof es>,
  'pt-BR': ptBr satisfies Sentences<typeof ptBr>,
};

export function renderText(text: PublicText, language: Language): string {
  if (typeof text === 'string') return catalogues[language][text];
  const { code, values } = text;
  return catalogues[language][code].replaceAll(/\{(\w+)\}/g, (slot, name: string) =>
    String(values[name] ?? slot),
  );
}

/** Problems with their messages as sentences. */
export const renderMessages = <Problem extends { readonly message: PublicText }>(
  problems: readonly Problem[],
  language: Language,
): (Omit<Problem, 'message'> & { message: string })[] =>
  problems.map((problem) => ({ ...problem, message: renderText(problem.message, language) }));

/** Whether this release has the text, which a later one may have stored. */
export const isKnownText = (text: PublicText): boolean =>
  Object.hasOwn(en, typeof text === 'string' ? text : text.code);
