/**
 * Polls the database for the changes that other processes made to what is cached here.
 *
 * Promises: a change is named within about a second, and `onCurrent` is called only after every change until then was named. A
 * poll reads a bounded number of changes. Nothing is polled while the cache is idle.
 */
import type { Clock } from '../clock.ts';

type Changed = { readonly id: string; readonly changedAt: Date };

type ChangePollDeps = {
  readonly changedSince: (since: Date, limit: number) => Promise<readonly Changed[]>;
  readonly isIdle: () => boolean;
  /** `all`: more changes than a poll reads. */
  readonly onChange: (ids: ReadonlySet<string> | 'all') => void;
  /** `atMs`: when the poll began, as `clock.elapsedMs` says. */
  readonly onCurrent: (atMs: number) => void;
  readonly onError: (error: unknown) => void;
  /** Follows the database's time. */
  readonly clock: Clock;
};

const pollEveryMs = 1_000;
/**
 * A cached value lives for 5 s after the last poll, and a change may become visible later than its time says, so each poll reads
 * this far back.
 */
const rereadMs = 15_000;
const maxChanges = 1_000;

export function startChangePoll(deps: ChangePollDeps) {
  const { changedSince, isIdle, onChange, onCurrent, onError, clock } = deps;
  /** Changes that were named within the time that is read again: id → change time. */
  const named = new Map<string, number>();
  let isPolling = false;

  async function readChanges(): Promise<void> {
    const [atMs, now] = [clock.elapsedMs(), +clock.now()];
    const changed = await changedSince(new Date(now - rereadMs), maxChanges);
    const fresh = changed.filter(({ id, changedAt }) => named.get(id) !== +changedAt);
    // Older changes may be missing in a full page.
    if (changed.length === maxChanges) onChange('all');
    else if (fresh.length > 0) onChange(new Set(fresh.map(({ id }) => id)));
    for (const { id, changedAt } of fresh) named.set(id, +changedAt);
    for (const [id, at] of named) if (at < now - 2 * rereadMs) named.delete(id);
    onCurrent(atMs);
  }

  /** Never rejects. */
  async function poll(): Promise<void> {
    if (isPolling || isIdle()) return;
    isPolling = true;
    await readChanges().catch(onError);
    isPolling = false;
  }

  const timer = setInterval(() => void poll(), pollEveryMs);
  timer.unref();
  return { poll, close: (): void => clearInterval(timer) };
}
