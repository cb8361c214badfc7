/**
 * The token of this tab, and what it may do.
 *
 * Promises: the token is in this tab's session storage alone, and gone with the tab.
 * Must never: be put into an address, a log or a longer-lived store.
 */
import { useSyncExternalStore } from 'react';

export type Scope = 'admin' | 'operator' | 'viewer' | 'inbox';

export type Session = {
  readonly token: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
};

/** Why the person is asked to sign in. */
export type Ending = 'none' | 'signed-out' | 'refused';

type State = {
  readonly session: Session | null;
  /** It began on the page that is open. */
  readonly isNew: boolean;
  readonly ending: Ending;
};

const place = 'inlet.session';
/** The reason outlives a reload. */
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
/** Of the last token that was taken. */
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

/** Unsaved work of this tab goes too. */
function handOver(): void {
  sessionStorage.clear();
  for (const forget of forgetters) forget();
}

/** What is to be forgotten on signing out, and before another's token is taken: one that ended is renewed under its name. */
export const onSessionEnd = (forget: () => void): void => void forgetters.push(forget);

/** The server takes this token no more; another may have been taken meanwhile. */
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

/** As the server has it: `admin` includes all, `operator` includes `viewer`. */
export const includesScope = (scopes: readonly Scope[], needed: Scope): boolean =>
  scopes.some((scope) => included[scope].includes(needed));

/** Whether the token may; what it may not is not shown. */
export function useHasScope(needed: Scope): boolean {
  const { session } = useSession();
  return session !== null && includesScope(session.scopes, needed);
}
