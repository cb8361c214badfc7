/**
 * The open toasts by subject: a kind and an id, such as `sample 1`.
 *
 * Promises: queued toasts are closed as well as visible ones.
 */
export type ToastMessage = { readonly text: string; readonly undo?: (() => void) | undefined };

type Queue = {
  readonly add: (
    message: ToastMessage,
    options: { readonly timeout: number; readonly onClose: () => void },
  ) => string;
  readonly close: (key: string) => void;
  readonly clear: () => void;
};

export function createToastRegistry(queue: Queue) {
  const keys = new Map<string, string>();

  /** Shown for 6 seconds, with `undo` for 12. Replaces an open toast about the same subject. */
  function showToast(text: string, undo?: () => void, about?: string): void {
    if (about !== undefined) closeToast(about);
    const onClose = () => {
      if (about !== undefined) keys.delete(about);
    };
    const key = queue.add({ text, undo }, { timeout: undo ? 12_000 : 6_000, onClose });
    if (about !== undefined) keys.set(about, key);
  }

  /** Closes the toast of a subject, when it is outdated or can no longer be undone. */
  function closeToast(about: string): void {
    const key = keys.get(about);
    if (key !== undefined) queue.close(key);
  }

  /** Closes all toasts, or all of one kind. */
  function closeToasts(kind?: string): void {
    if (kind === undefined) {
      queue.clear();
      keys.clear();
      return;
    }
    for (const about of keys.keys()) if (about.startsWith(`${kind} `)) closeToast(about);
  }

  return { showToast, closeToast, closeToasts };
}
