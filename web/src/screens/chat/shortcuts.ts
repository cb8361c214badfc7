/** The keyboard shortcuts of the inbox. */
import { useShortcuts } from '../../ui/shortcuts/use-shortcuts.ts';

export const shortcutKeys = {
  search: '/',
  reply: 'r',
  take: 't',
  transfer: 'f',
  labels: 'l',
  close: 'c',
  help: '?',
} as const;

type Actions = Parameters<typeof useShortcuts<keyof typeof shortcutKeys>>[2];

export const useInboxShortcuts = (actions: Actions): void =>
  useShortcuts('inbox', shortcutKeys, actions);

const focusOn = (selector: string) => (): void =>
  document.querySelector<HTMLElement>(selector)?.focus();

export const focusComposer = focusOn('[data-part="composer"] textarea');
/** The open chat in the list, else the first one. */
export const focusList = (): void =>
  (
    document.querySelector<HTMLElement>('[data-part="chat"][data-selected]') ??
    document.querySelector<HTMLElement>('[data-part="chat"]')
  )?.focus();
