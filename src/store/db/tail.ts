/**
 * Streams stored changes to subscribers.
 *
 * Promises: a process has one database watch for all subscribers, opened for the first and closed after the
 * last. A subscriber that returns with its last id misses nothing and gets nothing twice. A slow subscriber is
 * disconnected with a notice; until then a bounded number of items waits for it.
 * Must never: send what the filter excludes.
 */
import { sleep } from '../../base/clock.ts';
import { createBoundedQueue, type BoundedQueue } from '../../base/concurrency/bounded-queue.ts';
import type { Logger } from '../../base/observability/logger.ts';
import { isResumeToken, ChangeStreamLost, type ChangeStream } from './change-stream.ts';

/** `too_slow`: reconnect with the last id. `history_lost`: changes since that id are no longer available. */
type LiveNote = 'too_slow' | 'history_lost';

type Happened = { readonly token: string };
type OpenWatch<One> = (after?: string) => Promise<ChangeStream<One>>;
type WatchItem<One> = One | 'history_lost';

export type TailRequest = {
  readonly signal: AbortSignal;
  readonly lastEventId: string | undefined;
};

type TailOptions<One, Item> = {
  readonly open: OpenWatch<One>;
  readonly shown: (one: One) => Item;
  readonly logger: Logger;
  /** Maximum number of items that wait for one subscriber. */
  readonly maxWaiting?: number | undefined;
};

const notice = (note: LiveNote) => ({ event: note, data: { at: new Date() } });

/** The stream starts now or after the last id, and resolves when no later item can be missed. */
export function createTail<One extends Happened, Item>(options: TailOptions<One, Item>) {
  const { open, shown, logger, maxWaiting = 1_000 } = options;
  const sharedWatch = createSharedWatch(open, logger);
  type Matches = (one: One) => boolean;

  /** Yields the changes between two tokens. Throws `ChangeStreamLost`. */
  async function* changesBetween(after: string, upTo: string): AsyncGenerator<One> {
    if (after >= upTo) return;
    const watch = await open(after);
    try {
      while (watch.position < upTo) {
        for (const one of await watch.next()) if (one.token <= upTo) yield one;
      }
    } finally {
      await watch.close();
    }
  }

  /** Yields what a subscriber missed. Returns the token up to which it has everything. */
  async function* catchUp(matches: Matches, lastEventId: string, since: string) {
    try {
      if (!isResumeToken(lastEventId)) throw new ChangeStreamLost('That is no token.');
      for await (const one of changesBetween(lastEventId, since))
        if (matches(one)) yield shown(one);
      return lastEventId > since ? lastEventId : since;
    } catch (error) {
      if (!(error instanceof ChangeStreamLost)) throw error;
      yield notice('history_lost');
      return since;
    }
  }

  async function* follow(
    matches: Matches,
    { lastEventId }: TailRequest,
    joined: Subscription<One>,
  ) {
    const { queue, since } = joined;
    try {
      const seen = lastEventId === undefined ? since : yield* catchUp(matches, lastEventId, since);
      for await (const item of queue.items()) {
        if (item === 'history_lost') yield notice(item);
        else if (item.token > seen) yield shown(item);
      }
      if (queue.isOverflowed) yield notice('too_slow');
    } finally {
      joined.leave();
    }
  }

  return async function tail(matches: Matches, terms: TailRequest) {
    const queue = createBoundedQueue<WatchItem<One>>(maxWaiting);
    const joined = await sharedWatch.join(queue, (item) => {
      if (item === 'history_lost' || matches(item)) queue.push(item);
    });
    if (terms.signal.aborted) joined.leave();
    terms.signal.addEventListener('abort', joined.leave, { once: true });
    return follow(matches, terms, joined);
  };
}

type Subscription<One> = {
  readonly queue: BoundedQueue<WatchItem<One>>;
  /** The subscription starts after this token. */
  readonly since: string;
  leave(this: void): void;
};

const retryMs = 1_000;
const maxRetryMs = 15_000;

function createSharedWatch<One>(open: OpenWatch<One>, logger: Logger) {
  const listeners = new Set<(item: WatchItem<One>) => void>();
  let opening: Promise<ChangeStream<One>> | null = null;

  const notifyAll = (item: WatchItem<One>): void => {
    for (const listener of listeners) listener(item);
  };

  /** Reads the watch while there are listeners. After an error it continues from the last position. */
  async function pump(first: ChangeStream<One>): Promise<void> {
    let watch = first;
    let pauseMs = retryMs;
    while (listeners.size > 0) {
      try {
        for (const one of await watch.next()) notifyAll(one);
        pauseMs = retryMs;
      } catch (error) {
        if (listeners.size === 0) break;
        logger.warn({ err: error }, 'live.interrupted');
        watch = await reopen(watch, error, pauseMs);
        // New subscribers start at this watch's position.
        opening = Promise.resolve(watch);
        pauseMs = Math.min(pauseMs * 2, maxRetryMs);
      }
    }
    opening = null;
    await watch.close().catch(() => undefined);
  }

  async function reopen(watch: ChangeStream<One>, error: unknown, pauseMs: number) {
    await watch.close().catch(() => undefined);
    await sleep(pauseMs);
    const isLost = error instanceof ChangeStreamLost;
    try {
      const fresh = await open(isLost ? undefined : watch.position);
      if (isLost) notifyAll('history_lost');
      return fresh;
    } catch (cause) {
      // The next iteration fails and reopens it.
      return { ...watch, position: watch.position, next: () => Promise.reject(cause) };
    }
  }

  return {
    async join(queue: BoundedQueue<WatchItem<One>>, listener: (item: WatchItem<One>) => void) {
      const leave = () => {
        listeners.delete(listener);
        queue.close();
      };
      listeners.add(listener);
      try {
        if (opening === null) {
          opening = open();
          void opening.then(pump, () => {
            opening = null;
          });
        }
        const watch = await opening;
        return { queue, since: watch.position, leave };
      } catch (error) {
        leave();
        throw error;
      }
    },
  };
}
