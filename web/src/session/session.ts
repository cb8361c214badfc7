/**
 * Who is signed in. The credential is a cookie that scripts cannot read; this module knows the name and the scopes of its
 * token.
 *
 * Promises: the tabs of a browser are signed in and out together. The unsaved drafts of a tab are deleted when it is signed
 * out, and when a token of another name signs in.
 * Must never: hold or store a token.
 */
import { useSyncExternalStore } from 'react';

export type Scope = 'admin' | 'operator' | 'viewer' | 'inbox';

export type Session = {
  /** Of the token. */
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Restricted to some webhooks or channels. */
  readonly restricted: boolean;
  readonly expiresAt: string | null;
};

/** Why the sign-in screen is shown. */
type Ending = 'none' | 'signed-out' | 'refused';

type State = {
  readonly session: Session | null;
  /** True when the session started on the current page load. */
  readonly isNew: boolean;
  readonly ending: Ending;
};

/** What all tabs know. Absent: signed out. The reason survives a reload. */
type Stored = { readonly session: Session | null; readonly ending: Ending };

/** The server accepts the cookie only with this header, which pages of other origins cannot send. */
export const consoleHeaders = { 'x-inlet-console': '1' } as const;

const storageKey = 'inlet.session';
/** The name of the token whose drafts are in this tab. */
const ownerKey = 'inlet.owner';
const listeners = new Set<() => void>();
const endListeners: (() => void)[] = [];

function readStored(): Stored {
  try {
    const stored = JSON.parse(localStorage.getItem(storageKey) ?? 'null') as Stored | null;
    return stored ?? { session: null, ending: 'signed-out' };
  } catch {
    return { session: null, ending: 'none' };
  }
}

const isSame = (one: Session | null, other: Session | null): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

let state: State = { ...readStored(), isNew: false };
deleteForeignDrafts(state);

function setState(next: State): void {
  deleteForeignDrafts(next);
  state = next;
  for (const notify of listeners) notify();
}

/** Sets the state of this tab and tells the others. */
function publish({ session, ending, isNew }: State): void {
  const stored: Stored = { session, ending };
  if (ending === 'signed-out') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, JSON.stringify(stored));
  setState({ session, ending, isNew });
}

/** Takes over what another tab has stored. */
function adoptStored(): void {
  const { session, ending } = readStored();
  if (ending === state.ending && isSame(session, state.session)) return;
  setState({ session, ending, isNew: session !== null });
}

// The key is null when a tab clears the whole storage.
window.addEventListener('storage', ({ key }) => {
  if (key === storageKey || key === null) adoptStored();
});

function deleteDrafts(): void {
  sessionStorage.clear();
  for (const listener of endListeners) listener();
}

/** The drafts of a rejected session are kept: its user may sign in again. */
function deleteForeignDrafts({ session, ending }: Stored): void {
  if (ending === 'signed-out') deleteDrafts();
  if (session === null || sessionStorage.getItem(ownerKey) === session.name) return;
  deleteDrafts();
  sessionStorage.setItem(ownerKey, session.name);
}

/** Compared by identity: a later session of the same token is another one. */
export const currentSession = (): Session | null => state.session;

export const signIn = (session: Session): void => publish({ session, ending: 'none', isNew: true });

/** Updates the session to what the server knows. */
export function refreshSession(session: Session): void {
  if (!isSame(session, state.session)) publish({ session, ending: 'none', isNew: state.isNew });
}

/** Ends the session on the server and in all tabs. Rejects while the server cannot end it. */
export async function signOut(): Promise<void> {
  const given = { method: 'DELETE', headers: consoleHeaders };
  const { ok, status } = await fetch('/v1/console/session', given);
  // 401: it has ended already.
  if (!ok && status !== 401) throw new Error(`Answered ${status}.`);
  publish({ session: null, ending: 'signed-out', isNew: false });
}

/**
 * Registers cleanup for signing out and for a token of another name. A new token of the same name continues the
 * session.
 */
export const onSessionEnd = (listener: () => void): void => void endListeners.push(listener);

/** Ends the session after its rejection; a newer session, also of another tab, is not affected. */
export function endRejectedSession(rejected: Session | null): void {
  if (rejected === null || rejected !== state.session) return;
  if (isSame(readStored().session, rejected)) {
    publish({ session: null, ending: 'refused', isNew: false });
  } else {
    adoptStored();
  }
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
const includesScope = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.some((scope) => included[scope].includes(needed));

/** True when the token has the scope; actions without it are hidden. */
export function useHasScope(needed: Scope): boolean {
  const { session } = useSession();
  return session !== null && includesScope(session.scopes, needed);
}

/** True when the token is restricted to some webhooks or channels. */
export const useIsRestricted = (): boolean => useSession().session?.restricted === true;
