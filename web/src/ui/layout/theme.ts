/** The theme: light, dark, or that of the system. */
import { useSyncExternalStore } from 'react';

export const themes = ['system', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];

const place = 'inlet.theme';
const listeners = new Set<() => void>();

let current: Theme = themes.find((theme) => theme === localStorage.getItem(place)) ?? 'system';

function show(): void {
  if (current === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = current;
}
show();

export function chooseTheme(theme: Theme): void {
  current = theme;
  localStorage.setItem(place, theme);
  show();
  for (const tell of listeners) tell();
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, () => current);
