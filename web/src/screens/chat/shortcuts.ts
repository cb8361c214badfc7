/** The keyboard shortcuts of the inbox. They work while the focus is on no field, menu or dialog. */
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

/** The button of a select or menu takes letters, too. */
const fields = 'input, textarea, select, [contenteditable="true"], [aria-haspopup]';

function isForInbox(event: KeyboardEvent): boolean {
  const { target, ctrlKey, altKey, metaKey, isComposing, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || isComposing || repeat || defaultPrevented) return false;
  if (!(target instanceof Element) || target.matches(fields)) return false;
  // A click on plain text moves the focus to the page.
  return target.matches('body, main') || target.closest('[data-part="inbox"]') !== null;
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

export const focusSearch = focusOn('[data-part="search"] input');
export const focusComposer = focusOn('[data-part="composer"] textarea');
/** The open chat in the list, else the first one. */
export const focusList = (): void =>
  (
    document.querySelector<HTMLElement>('[data-part="chat"][data-selected]') ??
    document.querySelector<HTMLElement>('[data-part="chat"]')
  )?.focus();
