/** Keyboard shortcuts of a screen. They work while the focus is on no field, menu or dialog. */
import { useEffect, useRef } from 'react';

/** The key of each action, as in `KeyboardEvent.key`. */
type ShortcutKeys<Name extends string> = Readonly<Record<Name, string>>;
/** Null: nothing happens. */
type Actions<Name extends string> = Partial<Readonly<Record<Name, (() => void) | null>>>;

/** The button of a select or menu takes letters, too. */
const fields =
  'input:not([type="checkbox"]), textarea, select, [contenteditable="true"], [aria-haspopup]';

function isForPart(event: KeyboardEvent, part: string): boolean {
  const { target, ctrlKey, altKey, metaKey, isComposing, repeat, defaultPrevented } = event;
  if (ctrlKey || altKey || metaKey || isComposing || repeat || defaultPrevented) return false;
  if (!(target instanceof Element) || target.matches(fields)) return false;
  // A click on plain text moves the focus to the page.
  return target.matches('body, main') || target.closest(`[data-part="${part}"]`) !== null;
}

/** Listens while the component is mounted. The focus must be in the element with this `data-part`, or on the page. */
export function useShortcuts<Name extends string>(
  part: string,
  keys: ShortcutKeys<Name>,
  actions: Actions<Name>,
): void {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      if (!isForPart(event, part)) return;
      const found = Object.entries(keys).find(([, key]) => key === event.key);
      const act = found && latest.current[found[0] as Name];
      if (!act) return;
      event.preventDefault();
      act();
    }
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, [part, keys]);
}

const focusOn = (selector: string) => (): void =>
  document.querySelector<HTMLElement>(selector)?.focus();

export const focusSearch = focusOn('[data-part="search"] input');
