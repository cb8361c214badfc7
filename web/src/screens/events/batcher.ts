/**
 * Gathers what comes one by one: a single item soon, a flood once a second, and no more than a screen can hold.
 *
 * Must never: hold more than `most`; of a flood the oldest go.
 */
type Clock = {
  readonly now: () => number;
  /** Returns how to call it off. */
  readonly after: (ms: number, work: () => void) => () => void;
};

const browserClock: Clock = {
  now: () => performance.now(),
  after: (ms, work) => {
    const timer = setTimeout(work, ms);
    return () => clearTimeout(timer);
  },
};

/** What comes within this time is shown together. */
const togetherMs = 200;
/** Between one showing and the next. */
const apartMs = 1_000;

type Batching<Item> = {
  readonly most: number;
  readonly onBatch: (items: readonly Item[]) => void;
  readonly clock?: Clock;
};

export function createBatcher<Item>({ most, onBatch, clock = browserClock }: Batching<Item>) {
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
    if (gathered.length > most) gathered.shift();
    callOff ??= clock.after(Math.max(togetherMs, lastAt + apartMs - clock.now()), flush);
  }

  /** What was gathered is let go of. */
  function stop() {
    callOff?.();
    callOff = undefined;
    gathered = [];
  }

  return { add, stop };
}
