/** Whether the window is as narrow as a phone. The width is that of the style sheets. */
import { useSyncExternalStore } from 'react';

const query = window.matchMedia('(max-width: 760px)');

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}

export const useIsPhone = (): boolean => useSyncExternalStore(subscribe, () => query.matches);
