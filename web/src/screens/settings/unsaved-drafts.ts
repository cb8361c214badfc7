/**
 * What was written and not saved, in this tab's memory: it is there again after another page, and after signing in anew with a
 * token of the same name. The browser asks before the tab is left, while there is something to lose.
 *
 * Must never: keep a secret, outlive signing out, or be shown to somebody else.
 */
import { onSessionEnd } from '../../session/session.ts';

const kept = new Map<string, unknown>();

const ask = (event: BeforeUnloadEvent) => event.preventDefault();

function followKept(): void {
  if (kept.size > 0) window.addEventListener('beforeunload', ask);
  else window.removeEventListener('beforeunload', ask);
}

onSessionEnd(() => {
  kept.clear();
  followKept();
});

export const storeUnsaved = (place: string, written: unknown): void => {
  if (written === null) kept.delete(place);
  else kept.set(place, written);
  followKept();
};

/** As it was kept under the same place. */
export const loadUnsaved = <Written>(place: string): Written | null =>
  (kept.get(place) as Written | undefined) ?? null;
