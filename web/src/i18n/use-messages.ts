/**
 * The messages shown, and the language that could not be loaded.
 *
 * Promises: some messages are always shown: the previous ones, else English, else only `missing`.
 */
import { useEffect, useState } from 'react';
import type { Language } from './language.ts';
import { loadMessages, type Messages } from './load-messages.ts';

type LoadedMessages = { readonly language: Language; readonly messages: Messages };

const messagesOf = async (language: Language): Promise<LoadedMessages> => ({
  language,
  messages: await loadMessages(language),
});

export function useMessages(language: Language) {
  const [text, setText] = useState<LoadedMessages | null>(null);
  const [missing, setMissing] = useState<Language | null>(null);
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    let isWanted = true;
    const show = (loaded: LoadedMessages | null, failed: Language | null) => {
      if (!isWanted) return;
      setText((before) => loaded ?? before);
      setMissing(failed);
    };
    messagesOf(language)
      .then((loaded) => show(loaded, null))
      .catch(async () => {
        const fallback = text === null && language !== 'en' ? await messagesOf('en') : null;
        show(fallback, language);
      })
      .catch(() => show(null, language));
    return () => {
      isWanted = false;
    };
    // Changes of `loaded` do not reload.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [language, attempt]);
  const shown = text?.language;
  useEffect(() => {
    document.documentElement.lang = shown ?? 'en';
  }, [shown]);
  return { text, missing, retry: () => setAttempt((before) => before + 1) };
}
