/**
 * Problems in the language of the caller. All modules and the validator write their messages in English. A test compares these
 * with the translations, in which `{}` stands for any text, which is kept, and the first match decides.
 *
 * Promises: a message without a translation stays in English.
 */
import type { Language } from '../base/errors.ts';
import es from './messages.es.json' with { type: 'json' };
import pt from './messages.pt-BR.json' with { type: 'json' };

const slot = '{}';

const compile = (messages: Readonly<Record<string, string>>) =>
  Object.entries(messages).map(([en, text]) => {
    const parts = en
      .split(slot)
      .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
    return { shape: new RegExp(`^${parts.join('(.+?)')}$`, 's'), text };
  });

const translations = { 'pt-BR': pt, es };
const compiled: Partial<Record<Language, ReturnType<typeof compile>>> = {};

/** Returns the message in the language; in English when it has no translation. */
export function localizeMessage(message: string, language: Language): string {
  if (language === 'en') return message;
  for (const { shape, text } of (compiled[language] ??= compile(translations[language]))) {
    const found = shape.exec(message);
    if (!found) continue;
    const values = found.slice(1);
    return text.replaceAll(slot, () => values.shift() ?? '');
  }
  return message;
}

export const localizeMessages = <Problem extends { readonly message: string }>(
  problems: readonly Problem[],
  language: Language,
): Problem[] =>
  problems.map((problem) => ({ ...problem, message: localizeMessage(problem.message, language) }));
