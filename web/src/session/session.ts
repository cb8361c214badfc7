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

const place = 'inlet.session';
/** The reason survives a reload. */
const endingPlace = 'inlet.ending';
const listeners = new Set<() => void>();
const forgetters: (() => void)[] = [];

function kept(): Session | null {
  try {
    return JSON.parse(sessionStorage.getItem(place) ?? 'null') as Session | null;
  } catch {
    return null;
  }
}

let state: State = {
  session: kept(),
  isNew: false,
  ending: sessionStorage.getItem(endingPlace) === 'refused' ? 'refused' : 'none',
};
/** The name of the last accepted token. */
let lastName = state.session?.name;

function become(next: Omit<State, 'isNew'>): void {
  state = { ...next, isNew: next.session !== null };
  if (next.session) sessionStorage.setItem(place, JSON.stringify(next.session));
  else sessionStorage.removeItem(place);
  if (next.ending === 'refused') sessionStorage.setItem(endingPlace, next.ending);
  else sessionStorage.removeItem(endingPlace);
  for (const tell of listeners) tell();
}

export const currentToken = (): string | null => state.session?.token ?? null;

export function signIn(session: Session): void {
  if (session.name !== lastName) handOver();
  lastName = session.name;
  become({ session, ending: 'none' });
}

export function signOut(): void {
  become({ session: null, ending: 'signed-out' });
  handOver();
}

/** Unsaved drafts of this tab are deleted too. */
function handOver(): void {
  sessionStorage.clear();
  for (const forget of forgetters) forget();
}

/**
 * Registers cleanup for signing out and for a token of another name. A new token of the same name continues the
 * session.
 */
export const onSessionEnd = (forget: () => void): void => void forgetters.push(forget);

/** Ends the session when its token was rejected; a newer token is not affected. */
export function endRejectedSession(token: string | null): void {
  if (token !== null && token === currentToken()) become({ session: null, ending: 'refused' });
}

function subscribe(tell: () => void): () => void {
  listeners.add(tell);
  return () => listeners.delete(tell);
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
