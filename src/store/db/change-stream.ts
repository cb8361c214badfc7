/**
 * What changes in a collection as it happens, from MongoDB's change stream: nothing is written for it, and nobody pays for
 * it while nobody watches.
 *
 * Promises: what is told is what a majority has; each change is told in order, with a token from which to go on. A step-down
 * is survived by the driver; what was lost meanwhile is lost visibly.
 */
import mongoose from 'mongoose';
import type { Collection } from './connection.ts';
import { isUnavailable } from './model.ts';

export type ChangeStream<Told> = {
  /** Everything up to this token has been told, or was before the watch began. */
  readonly position: string;
  /** Waits half a second at most; empty where nothing changed. Rejects where it cannot go on. */
  next(): Promise<Told[]>;
  close(): Promise<void>;
};

/** The token is none, or what it names is no longer in the database's log. */
export class ChangeStreamLost extends Error {
  override readonly name = 'WatchLost';
}

export type Change = {
  readonly _id: { readonly _data: string };
  readonly documentKey: { readonly _id: string };
  readonly wallTime?: Date;
};

export type WatchOptions<Found extends Change, Told> = {
  /** What is told of which changes; what it leaves out never leaves the database. */
  readonly pipeline: readonly object[];
  readonly tell: (changes: readonly Found[]) => Told[] | Promise<Told[]>;
};

const maxBatch = 100;
const waitMs = 500;
/** A timestamp in seconds stands behind the first byte. */
const tokenShape = /^82([0-9A-F]{8})[0-9A-F]{8,1000}$/;
const maxAheadSeconds = 60;

/** Whether it may be a token: one of tomorrow would be waited for. */
export function isResumeToken(text: string, now = Date.now()): boolean {
  const [, seconds = ''] = tokenShape.exec(text) ?? [];
  return Number.parseInt(seconds, 16) <= now / 1_000 + maxAheadSeconds;
}

/** What waiting does not mend: a token that cannot be read, or that the log no longer reaches back to. */
const isLost = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && !isUnavailable(error);

const sayingLost = (cause: unknown): unknown =>
  isLost(cause) ? new ChangeStreamLost('The changes since then cannot be told.', { cause }) : cause;

async function openStream<Stored extends { _id: string }, Found>(
  collection: Collection<Stored>,
  pipeline: readonly object[],
  after: string | undefined,
) {
  const stream = collection.watch([...pipeline], {
    ...(after !== undefined && { resumeAfter: { _data: after } }),
    maxAwaitTimeMS: waitMs,
    batchSize: maxBatch,
  });
  const look = () => stream.tryNext() as unknown as Promise<Found | null>;
  // Its first answer comes when something changes; that it is open is known by its token before that.
  const opened = new Promise<void>((resolve) => {
    stream.once('resumeTokenChanged', () => resolve());
  });
  const first = look();
  await Promise.race([opened, first]);
  return { stream, look, first };
}

/** From now on, or from behind `after`. Resolves once nothing more can be missed. Throws WatchLost. */
export function watchCollection<Stored extends { _id: string }, Found extends Change, Told>(
  collection: Collection<Stored>,
  { pipeline, tell }: WatchOptions<Found, Told>,
) {
  return async function watch(after?: string): Promise<ChangeStream<Told>> {
    if (after !== undefined && !isResumeToken(after))
      throw new ChangeStreamLost('That is no token.');
    const { stream, look, first } = await openStream<Stored, Found>(
      collection,
      pipeline,
      after,
    ).catch((error: unknown) => {
      throw sayingLost(error);
    });
    let waiting: Promise<Found | null> | null = first;
    let position = after ?? '';
    const advance = (token: unknown): void => {
      const { _data } = (token ?? {}) as { _data?: string };
      if (_data !== undefined && _data > position) position = _data;
    };
    // From behind a token nothing has been told yet: the stream may already hold what comes next, and stand behind it.
    if (after === undefined) advance(stream.resumeToken);

    async function gather(): Promise<Found[]> {
      const found: Found[] = [];
      do {
        const change = await (waiting ?? look());
        waiting = null;
        if (change) found.push(change);
      } while (found.length < maxBatch && stream.bufferedCount() > 0);
      return found;
    }

    return {
      get position() {
        return position;
      },
      async next() {
        const found = await gather().catch((error: unknown) => {
          throw sayingLost(error);
        });
        const told = await tell(found);
        advance(found.at(-1)?._id ?? stream.resumeToken);
        return told;
      },
      close: () => stream.close(),
    };
  };
}
