/** The agent for whom this browser uses the inbox. Its tabs share the choice; signing out deletes it. */
import { useSyncExternalStore } from 'react';
import { onSessionEnd } from './session.ts';

const storageKey = 'inlet.agent';
const listeners = new Set<() => void>();

const currentAgentId = (): string | null => localStorage.getItem(storageKey);

function notifyAll(): void {
  for (const notify of listeners) notify();
}

/** Null: the token acts. */
export function chooseAgent(id: string | null): void {
  if (id === null) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, id);
  notifyAll();
}

onSessionEnd(() => chooseAgent(null));
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) notifyAll();
});

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export const useAgentId = (): string | null => useSyncExternalStore(subscribe, currentAgentId);

/** The header by which a request names the agent who acts. */
export function useAgentHeaders(): Readonly<Record<string, string>> {
  const id = useAgentId();
  return id === null ? {} : { 'x-inlet-user-id': id };
}
