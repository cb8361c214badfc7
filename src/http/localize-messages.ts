/**
 * Problems in the language of the caller. All modules and the validator write their messages in English.
 *
 * Promises: a message without a translation stays in English.
 */
import type { Language } from '../base/errors.ts';
import { fieldMessages } from './field-messages.ts';
import { problemMessages } from './problem-messages.ts';

const slot = '{}';

type Compiled = { readonly shape: RegExp } & Readonly<Record<Exclude<Language, 'en'>, string>>;

let compiled: readonly Compiled[] | undefined;

const compile = (): readonly Compiled[] =>
  [...problemMessages, ...fieldMessages].map(([en, pt, es]) => {
    const parts = en
      .split(slot)
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return { shape: new RegExp(`^${parts.join('(.+?)')}$`, 's'), 'pt-BR': pt, es };
  });

/** Returns the message in the language; in English when it has no translation. */
export function localizeMessage(message: string, language: Language): string {
  if (language === 'en') return message;
  for (const { shape, [language]: text } of (compiled ??= compile())) {
    const found = shape.exec(message);
    if (!found) continue;
    const values = found.slice(1);
    return text.replaceAll(slot, () => values.shift() ?? '');
  }
  return message;
}

type WithMessage = { readonly message: string };

export const localizeMessages = <Problem extends WithMessage>(
  problems: readonly Problem[],
  language: Language,
): Problem[] =>
  problems.map((problem) => ({ ...problem, message: localizeMessage(problem.message, language) }));
