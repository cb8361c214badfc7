// The times in which the machine is too busy: the tests, a process under test or the database gets no processor.
import { setTimeout as pause } from 'node:timers/promises';
import type mongoose from 'mongoose';
import { watchStalls } from '../preload/stalls.mjs';

/** In milliseconds of the clock. */
export type Stall = { readonly from: number; readonly until: number };

type Database = ReturnType<InstanceType<typeof mongoose.mongo.MongoClient>['db']>;

const lookEveryMs = 200;
const stalledMs = 700;

/** Watches this process and the database. Stalls of other processes are added. */
export function watchMachine(db: Database) {
  const stalls: Stall[] = [];
  const add = ({ from, until }: Stall): void => void stalls.push({ from, until });
  const endOfTests = watchStalls(add);
  let isOver = false;

  async function watchDatabase(): Promise<void> {
    while (!isOver) {
      const from = Date.now();
      await db.command({ ping: 1 }).catch(() => undefined);
      const until = Date.now();
      if (until - from > stalledMs) add({ from, until });
      await pause(lookEveryMs, undefined, { ref: false });
    }
  }
  void watchDatabase();

  return {
    stalls,
    add,
    end(): void {
      isOver = true;
      endOfTests();
    },
  };
}
