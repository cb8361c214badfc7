/**
 * Batches incoming items: a single item is shown soon, many at most once a second.
 *
 * Must never: hold more than `most` items; the oldest are dropped.
 */
type Clock = {
  readonly now: () => number;
  /** Returns a function that cancels the timer. */
  readonly after: (ms: number, work: () => void) => () => void;
};

const browserClock: Clock = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** Items within this time are shown together. */
const togetherMs = 200;
/** The minimum time between two batches. */
const apartMs = 1_000;

type Batching<Item> = {
  readonly limit: number;
  readonly onBatch: (items: readonly Item[]) => void;
  readonly clock?: Clock;
};

export function createBatcher<Item>({ limit, onBatch, clock = browserClock }: Batching<Item>) {
  let gathered: Item[] = [];
  let lastAt = -Infinity;
  let callOff: (() => void) | undefined;

  function flush() {
    callOff = undefined;
    lastAt = clock.now();
    const batch = gathered;
    gathered = [];
    onBatch(batch);
  }

  function add(item: Item) {
    gathered.push(item);
    if (gathered.length > limit) gathered.shift();
    callOff ??= clock.after(Math.max(togetherMs, lastAt + apartMs - clock.now()), flush);
  }

  /** Drops the pending items. */
  function stop() {
    callOff?.();
    callOff = undefined;
    gathered = [];
  }

  return { add, stop };
}
