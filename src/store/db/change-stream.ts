/**
 * Reads the changes of a collection from MongoDB's change stream. A stream is open only while a reader uses it.
 *
 * Promises: only majority-committed changes are returned, in order, each with a token to resume from. The driver survives a
 * step-down of the primary; a token that cannot be resumed from causes ChangeStreamLost.
 */
import mongoose from 'mongoose';
import type { Collection } from './collection.ts';
import { asUnavailable, isUnavailable } from './errors.ts';

export type ChangeStream<Item> = {
  /** A resume token. Every change up to it was returned, or precedes the start of the stream. */
  readonly position: string;
  /** Waits at most 500 ms. Returns an empty list when nothing changed. Rejects when the stream cannot continue. */
  next(): Promise<Item[]>;
  close(): Promise<void>;
};

/** The token is invalid, or older than the oplog. */
export class ChangeStreamLost extends Error {
  override readonly name = 'ChangeStreamLost';
}

export type Change = {
  readonly _id: { readonly _data: string };
  readonly documentKey: { readonly _id: string };
  readonly wallTime?: Date;
};

type WatchOptions<Found extends Change, Item> = {
  readonly pipeline: readonly object[];
  readonly toItems: (changes: readonly Found[]) => Item[] | Promise<Item[]>;
};

const maxBatch = 100;
const waitMs = 500;
/** A resume token: one byte, then a timestamp in seconds. */
const tokenShape = /^82([0-9A-F]{8})[0-9A-F]{8,1000}$/;
const maxAheadSeconds = 60;

/** Returns whether the text is a resume token that is not in the future. A stream from a future token would wait until then. */
export function isResumeToken(text: string, now = Date.now()): boolean {
  const [, seconds = ''] = tokenShape.exec(text) ?? [];
  return Number.parseInt(seconds, 16) <= now / 1_000 + maxAheadSeconds;
}

/** Returns whether a retry cannot succeed: the token is unreadable, or older than the oplog. */
const isLost = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && !isUnavailable(error);

const classified = (cause: unknown): unknown =>
  isLost(cause)
    ? new ChangeStreamLost('The changes since the token are no longer in the oplog.', { cause })
    : asUnavailable(cause);

async function openStream<Stored extends { _id: string }, Found>(
  collection: Collection<Stored>,
  pipeline: readonly object[],
  after: string | undefined,
) {
  const stream = collection.driver.watch([...pipeline], {
    ...(after !== undefined && { resumeAfter: { _data: after } }),
    maxAwaitTimeMS: waitMs,
    batchSize: maxBatch,
  });
  const readNext = () => stream.tryNext() as unknown as Promise<Found | null>;
  // The first read resolves at the first change. The event `resumeTokenChanged` shows earlier that the stream is open.
  const opened = new Promise<void>((resolve) => {
    stream.once('resumeTokenChanged', () => resolve());
  });
  const first = readNext();
  await Promise.race([opened, first]);
  return { stream, readNext, first };
}

/** Watches from now on, or from after the token `after`. Resolves when the stream is open. Throws ChangeStreamLost. */
export function watchCollection<Stored extends { _id: string }, Found extends Change, Item>(
  collection: Collection<Stored>,
  { pipeline, toItems }: WatchOptions<Found, Item>,
) {
  return async function watch(after?: string): Promise<ChangeStream<Item>> {
    if (after !== undefined && !isResumeToken(after))
      throw new ChangeStreamLost('The resume token is invalid.');
    const { stream, readNext, first } = await openStream<Stored, Found>(
      collection,
      pipeline,
      after,
    ).catch((error: unknown) => {
      throw classified(error);
    });
    let waiting: Promise<Found | null> | null = first;
    let position = after ?? '';
    const advance = (token: unknown): void => {
      const { _data } = (token ?? {}) as { _data?: string };
      if (_data !== undefined && _data > position) position = _data;
    };
    // After a resume the stream may hold unread changes, so its token may be ahead of the returned changes.
    if (after === undefined) advance(stream.resumeToken);

    async function readBatch(): Promise<Found[]> {
      const found: Found[] = [];
      do {
        const change = await (waiting ?? readNext());
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
        const found = await readBatch().catch((error: unknown) => {
          throw classified(error);
        });
        const items = await toItems(found);
        advance(found.at(-1)?._id ?? stream.resumeToken);
        return items;
      },
      close: () => stream.close(),
    };
  };
}
