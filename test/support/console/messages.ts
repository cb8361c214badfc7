// The console's words by their ids, so that one story can be told in every language: whoever has the page read to them
// finds a button by the same name.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIntl } from 'react-intl';
import { repository } from '../../../scripts/lib/paths.mjs';

export const languages = ['en', 'pt-BR', 'es'] as const;
export type Language = (typeof languages)[number];

type Values = Readonly<Record<string, string | number | Date>>;
/** The words behind an id; throws where there are none. */
export type Say = (id: string, values?: Values) => string;

const root = join(repository, 'web/src');

function messagesOf(language: Language): Record<string, string> {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' });
  const parts = files
    .filter((name) => name.endsWith(`messages.${language}.json`))
    .map((name) => JSON.parse(readFileSync(join(root, name), 'utf8')) as Record<string, string>);
  return Object.assign({}, ...parts) as Record<string, string>;
}

export function wordsOf(language: Language): Say {
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
