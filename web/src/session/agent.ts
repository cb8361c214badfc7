/**
 * The agent for whom this browser uses the inbox. Its tabs share the choice.
 *
 * Promises: the choice belongs to the token by which it was made. Another token acts for no agent until one is chosen.
 */
import { useSyncExternalStore } from 'react';
import { currentSession, onSessionEnd, useSession } from './session.ts';

/** `tokenId`: of the session in which the agent was chosen. */
type Choice = { readonly tokenId: string; readonly agentId: string };

const storageKey = 'inlet.agent';
const listeners = new Set<() => void>();

const storedChoice = (): string | null => localStorage.getItem(storageKey);

function agentOf(stored: string | null, tokenId: string | undefined): string | null {
  try {
    const choice = JSON.parse(stored ?? 'null') as Choice | null;
    return choice !== null && choice.tokenId === tokenId ? choice.agentId : null;
  } catch {
    return null;
  }
}

function notifyAll(): void {
  for (const notify of listeners) notify();
}

/** Null: the token acts. */
export function chooseAgent(agentId: string | null): void {
  const tokenId = currentSession()?.id;
  if (agentId === null || tokenId === undefined) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, JSON.stringify({ tokenId, agentId } satisfies Choice));
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

export function useAgentId(): string | null {
  const { session } = useSession();
  return agentOf(useSyncExternalStore(subscribe, storedChoice), session?.id);
}

/** The header by which a request names the agent who acts. */
export function useAgentHeaders(): Readonly<Record<string, string>> {
  const id = useAgentId();
  return id === null ? {} : { 'x-inlet-user-id': id };
}
