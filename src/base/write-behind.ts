/**
 * Write-behind buffer: collects entries by key in memory and writes all of them in one call, every few seconds and on close.
 *
 * Promises: callers never wait for a write and never fail by it; one write runs at a time; memory is bounded.
 * An entry is written at most once: a write that failed may have reached the database, so it is dropped, not repeated.
 * A process that dies loses what it has not written yet.
 */
import { startTicker } from './process/ticker.ts';

type WriteBehindOptions<Entry> = {
  /** Called with at least one entry, directly after the buffer was emptied. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  readonly onFailure: (error: unknown, entries: readonly Entry[]) => void;
  readonly maxEntries: number;
  readonly intervalMs: number;
  readonly random?: (() => number) | undefined;
};

export function startWriteBehind<Entry>(options: WriteBehindOptions<Entry>) {
  const { write, onFailure, maxEntries, intervalMs, random } = options;
  let entries = new Map<string, Entry>();
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    if (entries.size === 0) return;
    const taken = [...entries.values()];
    entries = new Map();
    try {
      await write(taken);
    } catch (error) {
      onFailure(error, taken);
    }
  }

  /** Writes what was collected until now, after the write in progress. Never rejects. */
  const flush = (): Promise<void> => (writing = writing.then(writeAll));
  const ticker = startTicker(() => flush().then(() => intervalMs), {
    firstMs: intervalMs,
    ...(random && { random }),
  });

  return {
    /** Returns the entry of this key, created where it is missing, to be changed in place. Returns null when the buffer is full. */
    entryOf: (key: string, create: () => Entry): Entry | null => {
      const known = entries.get(key);
      if (known !== undefined) return known;
      if (entries.size >= maxEntries) return null;
      const created = create();
      entries.set(key, created);
      return created;
    },
    flush,
    /** Stops the timer and flushes. Never rejects. */
    close: async (): Promise<void> => {
      await ticker.close();
      await flush();
    },
  };
}
