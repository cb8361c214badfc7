/**
 * The messages of the console. Each folder with messages has one file per language; a language is one chunk.
 * The English files define the keys, and a test compares the others with them.
 */
import type { Language } from './language.ts';
import type { Messages } from './merge-messages.ts';

export type { Messages };

const loaders: Readonly<Record<Language, () => Promise<{ messages: Messages }>>> = {
  en: () => import('./en.ts'),
  'pt-BR': () => import('./pt-BR.ts'),
  es: () => import('./es.ts'),
};

export const loadMessages = async (language: Language): Promise<Messages> =>
  (await loaders[language]()).messages;
