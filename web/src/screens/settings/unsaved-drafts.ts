/**
 * Unsaved settings in the memory of this tab. They survive navigation, and a new sign-in with a token of the
 * same name. The browser asks before the tab closes while there are unsaved edits.
 *
 * Must never: keep a secret, outlive signing out, or be shown to another user.
 */
import { onSessionEnd } from '../../session/session.ts';

const drafts = new Map<string, unknown>();

const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();

function updateUnloadGuard(): void {
  if (drafts.size > 0) window.addEventListener('beforeunload', preventUnload);
  else window.removeEventListener('beforeunload', preventUnload);
}

onSessionEnd(() => {
  drafts.clear();
  updateUnloadGuard();
});

export const storeUnsaved = (key: string, draft: unknown): void => {
  if (draft === null) drafts.delete(key);
  else drafts.set(key, draft);
  updateUnloadGuard();
};

/** As stored under the same key. */
export const loadUnsaved = <Draft>(key: string): Draft | null =>
  (drafts.get(key) as Draft | undefined) ?? null;
