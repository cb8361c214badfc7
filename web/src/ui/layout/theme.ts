/** The theme: light, dark, or that of the system. */
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const storageKey = 'inlet.theme';
const listeners = new Set<() => void>();

let current: Theme = themes.find((theme) => theme === localStorage.getItem(storageKey)) ?? 'system';

function show(): void {
  if (current === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}
show();

export function chooseTheme(theme: Theme): void {
  current = theme;
  localStorage.setItem(storageKey, theme);
  show();
  for (const notify of listeners) notify();
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => current);
