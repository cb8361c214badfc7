/** The keyboard shortcuts of the inbox. They work while the focus is in the inbox and not in a field or dialog. */
import { useEffect, useRef } from 'react';

export const shortcutKeys = {
  search: '/',
  reply: 'r',
  take: 't',
  transfer: 'f',
  labels: 'l',
  close: 'c',
  help: '?',
} as const;

type Shortcut = keyof typeof shortcutKeys;
/** Null: nothing happens. */
type Actions = Partial<Readonly<Record<Shortcut, (() => void) | null>>>;

const fields = 'input, textarea, select, [contenteditable="true"]';

function isForInbox({ target, ctrlKey, altKey, metaKey, isComposing }: KeyboardEvent): boolean {
  if (ctrlKey || altKey || metaKey || isComposing || !(target instanceof Element)) return false;
  return target.closest('.inbox') !== null && !target.matches(fields);
}

export function useShortcuts(actions: Actions): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isForInbox(event)) return;
      const found = Object.entries(shortcutKeys).find(([, key]) => key === event.key);
      const act = found && latest.current[found[0] as Shortcut];
      if (!act) return;
      event.preventDefault();
      act();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
}

const focusOn = (selector: string) => (): void =>
  document.querySelector<HTMLElement>(selector)?.focus();

export const focusSearch = focusOn('.inbox-search input');
export const focusComposer = focusOn('.inbox-composer textarea');
