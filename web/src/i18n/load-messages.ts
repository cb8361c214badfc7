/**
 * The words of the console: one file a language in each folder that has words, all of a language in one chunk. English is
 * the measure: `Message` ids are its keys, and a test holds the others to them.
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
