/**
 * What was told and is not over, by what it is about: its kind, and which one, such as `sample 1`.
 *
 * Promises: what waits behind others to be seen is closed as well as what is seen.
 */
export type ToastMessage = { readonly words: string; readonly undo?: (() => void) | undefined };

type Queue = {
  readonly add: (
    told: ToastMessage,
    options: { readonly timeout: number; readonly onClose: () => void },
  ) => string;
  readonly close: (key: string) => void;
  readonly clear: () => void;
};

export function createToastRegistry(queue: Queue) {
  const keys = new Map<string, string>();

  /** Stays for 6 seconds, with `undo` for 12. What was told before about the same goes: it holds no more. */
  function showToast(words: string, undo?: () => void, about?: string): void {
    if (about !== undefined) closeToast(about);
    const onClose = () => {
      if (about !== undefined) keys.delete(about);
    };
    const key = queue.add({ words, undo }, { timeout: undo ? 12_000 : 6_000, onClose });
    if (about !== undefined) keys.set(about, key);
  }

  /** Closes what was told about it: it is over, or cannot be taken back any more. */
  function closeToast(about: string): void {
    const key = keys.get(about);
    if (key !== undefined) queue.close(key);
  }

  /** Of what was told, or of what was told about that kind, nothing shall be seen any longer, such as names. */
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
