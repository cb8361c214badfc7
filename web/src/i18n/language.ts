/** The language of the console: the chosen one, else the browser's, else English. */
import { useSyncExternalStore } from 'react';

export const languages = ['en', 'pt-BR', 'es'] as const;
export type Language = (typeof languages)[number];

/** Each in its own language. */
export const languageNames: Readonly<Record<Language, string>> = {
  en: 'English',
  'pt-BR': 'Português (Brasil)',
  es: 'Español',
};

const storageKey = 'inlet.language';
const listeners = new Set<() => void>();

const known = (word: string | null): Language | undefined =>
  languages.find((language) => language === word);

function ofBrowser(): Language {
  for (const word of navigator.languages) {
    const start = word.toLowerCase().split('-')[0];
    const found = languages.find((language) => language.toLowerCase().split('-')[0] === start);
    if (found) return found;
  }
  return 'en';
}

let current: Language = known(localStorage.getItem(storageKey)) ?? ofBrowser();

export const currentLanguage = (): Language => current;

export function chooseLanguage(language: Language): void {
  current = language;
  localStorage.setItem(storageKey, language);
  for (const notify of listeners) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export const useLanguage = (): Language => useSyncExternalStore(subscribe, currentLanguage);
