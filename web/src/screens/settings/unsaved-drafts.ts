/**
 * Unsaved settings in the memory of this tab. They survive navigation, and a new sign-in with a token of the
 * same name. The browser asks before the tab closes while there are unsaved edits.
 *
 * Must never: keep a secret, outlive signing out, or be shown to another user.
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

/** As stored under the same key. */
export const loadUnsaved = <Written>(place: string): Written | null =>
  (kept.get(place) as Written | undefined) ?? null;
