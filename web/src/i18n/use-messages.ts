/**
 * The messages shown, and the language that could not be loaded.
 *
 * Promises: some messages are always shown: the previous ones, else English, else only `missing`.
 */
import { useEffect, useState } from 'react';
import type { Language } from './language.ts';
import { loadMessages, type Messages } from './load-messages.ts';

type Words = { readonly language: Language; readonly messages: Messages };

const wordsOf = async (language: Language): Promise<Words> => ({
  language,
  messages: await loadMessages(language),
});

export function useMessages(language: Language) {
  const [words, setWords] = useState<Words | null>(null);
  const [missing, setMissing] = useState<Language | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    const show = (loaded: Words | null, failed: Language | null) => {
      if (!isWanted) return;
      setWords((before) => loaded ?? before);
      setMissing(failed);
    };
    wordsOf(language)
      .then((loaded) => show(loaded, null))
      .catch(async () => {
        const fallback = words === null && language !== 'en' ? await wordsOf('en') : null;
        show(fallback, language);
      })
      .catch(() => show(null, language));
    return () => {
      isWanted = false;
    };
    // Changes of `loaded` do not reload.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [language, attempt]);
  const shown = words?.language;
  useEffect(() => {
    document.documentElement.lang = shown ?? 'en';
  }, [shown]);
  return { words, missing, retry: () => setAttempt((before) => before + 1) };
}
