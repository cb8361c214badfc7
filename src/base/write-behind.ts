/**
 * Write-behind buffer: collects entries by key in memory and writes them every few seconds and on close.
 *
 * Promises: callers never wait for a write and never fail by it; one write runs at a time; memory is bounded.
 * An entry is written at most once: a write that failed may have reached the database, so its entries are dropped, not repeated.
 * Entries of later writes stay. A process that dies loses what it has not written yet.
 */
import { startTicker } from './process/ticker.ts';

type WriteBehindOptions<Entry> = {
  /** Called with at least one entry, directly after these entries were taken out of the buffer. */
  readonly write: (entries: readonly Entry[]) => Promise<void>;
  readonly onFailure: (error: unknown, entries: readonly Entry[]) => void;
  readonly maxEntries: number;
  /** Entries of one call of `write`. Default: all. */
  readonly maxPerWrite?: number;
  readonly intervalMs: number;
  /** The interval grows with the number of entries up to this, so that ten thousand entries cost no more a second than one thousand. */
  readonly maxIntervalMs?: number;
  readonly random?: (() => number) | undefined;
};

/** 800 entries are written every five seconds, 10,000 every minute. */
const msPerEntry = 6;

export function startWriteBehind<Entry>(options: WriteBehindOptions<Entry>) {
  const { write, onFailure, maxEntries, maxPerWrite = Infinity, intervalMs, random } = options;
  const maxIntervalMs = Math.max(intervalMs, options.maxIntervalMs ?? intervalMs);
  const entries = new Map<string, Entry>();
  let writing: Promise<void> = Promise.resolve();

  function take(count: number): Entry[] {
    const taken: Entry[] = [];
    for (const [key, entry] of entries) {
      if (taken.length === count) break;
      entries.delete(key);
      taken.push(entry);
    }
    return taken;
  }

  /** Writes as many entries as there are now. New ones are behind them. */
  async function writeAll(): Promise<void> {
    for (let left = entries.size; left > 0;) {
      const taken = take(Math.min(left, maxPerWrite));
      left -= taken.length;
      try {
        await write(taken);
      } catch (error) {
        onFailure(error, taken);
        return;
      }
    }
  }

  /** Writes what was collected until now, after the write in progress. Never rejects. */
  const flush = (): Promise<void> => (writing = writing.then(writeAll));

  async function tick(): Promise<number> {
    const waitMs = Math.min(maxIntervalMs, Math.max(intervalMs, entries.size * msPerEntry));
    await flush();
    return waitMs;
  }

  const ticker = startTicker(tick, { firstMs: intervalMs, ...(random && { random }) });

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
