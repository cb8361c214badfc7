// The messages of the console by id, so that a scenario runs in every language and finds elements by accessible name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIntl } from 'react-intl';
import { repository } from '../../../scripts/lib/paths.mjs';

const languages = ['en', 'pt-BR', 'es'] as const;
export type Language = (typeof languages)[number];

type Values = Readonly<Record<string, string | number | Date>>;
/** The text of a message id; throws for unknown ids. */
export type TextOf = (id: string, values?: Values) => string;

const root = join(repository, 'web/src');

function messagesOf(language: Language): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const parts = files
    .filter((name) => name.endsWith(`messages.${language}.json`))
    .map((name) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>);
  return Object.assign({}, ...parts) as Record<string, string>;
}

const known = new Map<Language, TextOf>();

export function textsIn(language: Language): TextOf {
  const texts = known.get(language) ?? createTexts(language);
  known.set(language, texts);
  return texts;
}

function createTexts(language: Language): TextOf {
  const intl = createIntl({
    locale: language,
    messages: messagesOf(language),
    timeZone: 'America/Sao_Paulo',
    onError: (error) => {
      throw error;
    },
  });
  return (id, values) => intl.formatMessage({ id }, values);
}
