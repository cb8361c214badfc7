/**
 * The way to a webhook for keys that are not remembered: who may look one up, and how many at once.
 *
 * Promises: a remembered key passes without waiting, and one that was good before waits for nobody. Keys that nobody
 * knows yet take turns, so that a flood of wrong ones leaves the database to the others, holds none of the receiving
 * places, and cannot fill the line from one address alone. Whatever key is refused, it was looked up.
 * Must never: answer from an earlier look. Those who wait for the same key share the one look that is still to begin.
 */
import { LRUCache } from 'lru-cache';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import type { WebhookCache, ResolvedKey } from './webhook-cache.ts';

export type KeyLookupLimits = {
  /** Looks for keys that were never good, at once; a process has 32 connections. */
  readonly maxConcurrent: number;
  /** Keys that wait for such a look, and how many of them may be one neighbour's. */
  readonly maxWaiting: number;
  readonly maxWaitingPerNetwork: number;
};

const usual: KeyLookupLimits = { maxConcurrent: 16, maxWaiting: 2_000, maxWaitingPerNetwork: 500 };

/** Then a look takes its 6 s at most, which answers everybody within about 9 s. */
const maxWaitMs = 3_000;

/** Throws `overloaded`. `neighbourOf` is asked only where it matters. */
export type KeyLookup = (keyHash: string, neighbourOf: () => string) => Promise<ResolvedKey | null>;

export type KeyLookupDeps = {
  readonly cache: Pick<WebhookCache, 'get' | 'peek'>;
  readonly isGood: (found: ResolvedKey) => boolean;
  readonly clock: Clock;
  readonly limits?: Partial<KeyLookupLimits> | undefined;
};

/** More keys than there are webhooks. */
const maxRegulars = 20_000;

export function createKeyLookup({ cache, isGood, clock, limits }: KeyLookupDeps): KeyLookup {
  const regulars = new LRUCache<string, true>({ max: maxRegulars });
  const turns = createTurns({ ...usual, ...limits }, clock);
  const shared = new Map<string, Promise<ResolvedKey | null>>();

  async function look(hash: string): Promise<ResolvedKey | null> {
    const found = await cache.get(hash);
    if (found && isGood(found)) regulars.set(hash, true);
    else regulars.delete(hash);
    return found;
  }

  async function lookInTurn(hash: string, turn: Promise<void>): Promise<ResolvedKey | null> {
    await turn.finally(() => shared.delete(hash));
    return look(hash).finally(turns.end);
  }

  return async function enter(hash, neighbourOf) {
    const known = cache.peek(hash);
    if (known) return known;
    if (regulars.has(hash)) return look(hash);
    const waiting = shared.get(hash);
    if (waiting) return waiting;
    if (turns.begin()) return look(hash).finally(turns.end);
    const mine = lookInTurn(hash, turns.await(neighbourOf()));
    shared.set(hash, mine);
    return mine;
  };
}

type Waiter = {
  readonly neighbour: string;
  readonly sinceMs: number;
  readonly admit: () => void;
  readonly refuse: (error: AppError) => void;
};

const overloaded = () => new AppError('overloaded', { retryAfterMs: 2_000 });

function createTurns(limits: KeyLookupLimits, clock: Clock) {
  const line: Waiter[] = [];
  const ofOne = new Map<string, number>();
  let looks = 0;

  function count(neighbour: string, more: 1 | -1): void {
    const waiting = (ofOne.get(neighbour) ?? 0) + more;
    if (waiting > 0) ofOne.set(neighbour, waiting);
    else ofOne.delete(neighbour);
  }

  /** Who has waited too long is told so instead of being looked up. */
  function end(): void {
    for (let next = line.shift(); next; next = line.shift()) {
      count(next.neighbour, -1);
      if (clock.elapsedMs() - next.sinceMs <= maxWaitMs) return next.admit();
      next.refuse(overloaded());
    }
    looks -= 1;
  }

  return {
    end,
    /** False where a turn has to be waited for. */
    begin(): boolean {
      if (looks >= limits.maxConcurrent) return false;
      looks += 1;
      return true;
    },
    await(neighbour: string): Promise<void> {
      const isFull = (ofOne.get(neighbour) ?? 0) >= limits.maxWaitingPerNetwork;
      if (isFull || line.length >= limits.maxWaiting) throw overloaded();
      count(neighbour, 1);
      const sinceMs = clock.elapsedMs();
      return new Promise((admit, refuse) => line.push({ neighbour, sinceMs, admit, refuse }));
    },
  };
}
