/** The documents that a query finds: read at once, or one after another. */
import type { mongo } from 'mongoose';
import type { MongodbCommand } from '../../base/observability/metrics.ts';
import { runCommand, type CommandBounds, type CommandTarget } from './command.ts';
import { abortAfter, maxCommandMs } from './deadline.ts';
import { asUnavailable } from './errors.ts';

export class Cursor<Found> {
  private readonly target: CommandTarget;
  private readonly command: MongodbCommand;
  private readonly open: (bounds: CommandBounds) => mongo.AbstractCursor<Found>;

  constructor(
    target: CommandTarget,
    command: MongodbCommand,
    open: (bounds: CommandBounds) => mongo.AbstractCursor<Found>,
  ) {
    this.target = target;
    this.command = command;
    this.open = open;
  }

  /** Reads all documents: one command, however many batches it takes. */
  toArray(): Promise<Found[]> {
    return runCommand(this.target, this.command, (bounds) => this.open(bounds).toArray());
  }

  /** Each batch that is fetched has a time limit of its own. Iteration is not measured: its time is mostly the reader's. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Found, void> {
    const { session, signal, withinMs = maxCommandMs } = this.target;
    const controller = new AbortController();
    const cursor = this.open({ signal: signal ?? controller.signal, session });
    const next = (): Promise<Found | null> => cursor.next();
    const fetchNext = () => (signal ? next() : abortAfter(controller, next, withinMs));
    try {
      for (;;) {
        const found = await (cursor.bufferedCount() > 0 ? next() : fetchNext());
        if (found === null) return;
        yield found;
      }
    } catch (cause) {
      throw session?.inTransaction() ? cause : asUnavailable(cause);
    } finally {
      if (!cursor.closed) await cursor.close().catch(() => undefined);
    }
  }
}
