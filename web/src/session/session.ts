/**
 * The token of this tab, with its scopes.
 *
 * Promises: the token is in the session storage of this tab only, and gone with the tab.
 * Must never: get into a URL, a log or a longer-lived storage.
 */
import { useSyncExternalStore } from 'react';

export type Scope = 'admin' | 'operator' | 'viewer' | 'inbox';

export type Session = {
  readonly token: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
};

/** Why the sign-in screen is shown. */
type Ending = 'none' | 'signed-out' | 'refused';

type State = {
  readonly session: Session | null;
  /** True when the session started on the current page load. */
  readonly isNew: boolean;
  readonly ending: Ending;
};

const storageKey = 'inlet.session';
/** The reason survives a reload. */
const endingKey = 'inlet.ending';
const listeners = new Set<() => void>();
const endListeners: (() => void)[] = [];

function readStoredSession(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}

let state: State = {
  session: readStoredSession(),
  isNew: false,
  ending: sessionStorage.getItem(endingKey) === 'refused' ? 'refused' : 'none',
};
/** The name of the last accepted token. */
let lastName = state.session?.name;

function setState(next: Omit<State, 'isNew'>): void {
  state = { ...next, isNew: next.session !== null };
  if (next.session) sessionStorage.setItem(storageKey, JSON.stringify(next.session));
  else sessionStorage.removeItem(storageKey);
  if (next.ending === 'refused') sessionStorage.setItem(endingKey, next.ending);
  else sessionStorage.removeItem(endingKey);
  for (const notify of listeners) notify();
}

export const currentToken = (): string | null => state.session?.token ?? null;

export function signIn(session: Session): void {
  if (session.name !== lastName) endSession();
  lastName = session.name;
  setState({ session, ending: 'none' });
}

export function signOut(): void {
  setState({ session: null, ending: 'signed-out' });
  endSession();
}

/** Unsaved drafts of this tab are deleted too. */
function endSession(): void {
  sessionStorage.clear();
  for (const listener of endListeners) listener();
}

/**
 * Registers cleanup for signing out and for a token of another name. A new token of the same name continues the
 * session.
 */
export const onSessionEnd = (listener: () => void): void => void endListeners.push(listener);

/** Ends the session when its token was rejected; a newer token is not affected. */
export function endRejectedSession(token: string | null): void {
  if (token !== null && token === currentToken()) setState({ session: null, ending: 'refused' });
}

function subscribe(notify: () => void): () => void {
  listeners.add(notify);
  return () => listeners.delete(notify);
}

export const useSession = (): State => useSyncExternalStore(subscribe, () => state);

const included: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: ['admin', 'operator', 'viewer', 'inbox'],
  operator: ['operator', 'viewer'],
  viewer: ['viewer'],
  inbox: ['inbox'],
};

/** The server's rule: `admin` includes all, `operator` includes `viewer`. */
export const includesScope = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.some((scope) => included[scope].includes(needed));

/** True when the token has the scope; actions without it are hidden. */
export function useHasScope(needed: Scope): boolean {
  const { session } = useSession();
  return session !== null && includesScope(session.scopes, needed);
}
