// Erasures in a test context without processes: the test calls each tick and ends each wait.
import { randomUUID } from 'node:crypto';
import { assembleErasure } from '../../../src/assemble/server.ts';
import { eraseContact } from '../../../src/api/people/erasures.ts';
import type { ErasureRecord } from '../../../src/domain/people/erasure.ts';
import type { ProcessContext } from '../../../src/context/process-context.ts';
import { databaseOf } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../services/collections.ts';
import { readCollections } from '../services/documents.ts';
import { apiContextOf } from './api-context.ts';
import { testConfig, type TestContext } from './test-context.ts';

const eraser = { tokenId: randomUUID(), name: 'eraser' };

export function createErasureContext(context: TestContext) {
  const { connection, newResources } = context;
  const records = collectionOf<ErasureRecord>(connection, 'erasures');
  const api = apiContextOf(context, { defaultRegion: 'BR' });
  /** Runs the erasure as far as possible; locks of other processes are released. */
  async function tick(over: Partial<ProcessContext> = {}): Promise<ErasureRecord[]> {
    await records.updateMany({ open: true }, { $set: { nextAt: new Date(0) } });
    const ticker = assembleErasure(testConfig, newResources(), over);
    await ticker.tick();
    await ticker.close();
    return records.find({ open: true }).toArray();
  }

  return {
    api,
    records,
    tick,
    /** No worker has anything in hand any more. */
    async toEnd(): Promise<void> {
      for (let n = 0; (await tick()).length > 0; n += 1) {
        if (n > 20) throw new Error('An erasure does not come to its end.');
        await records.updateMany({ open: true }, { $set: { waitUntil: null } });
      }
    },
    erase: (contactId: string, options: { block?: boolean; reason?: string } = {}) =>
      eraseContact(api, { ...options, id: contactId }, eraser),
    async read(id: string): Promise<ErasureRecord> {
      const found = await records.findOne({ _id: id });
      if (!found) throw new Error('There is no such erasure.');
      return found;
    },
  };
}

/** All documents of the database as one text, with bodies as text. */
export async function databaseText(
  { connection }: TestContext,
  except: readonly string[] = [],
): Promise<string> {
  const listed = await databaseOf(connection).listCollections({}, { nameOnly: true }).toArray();
  const names = listed.map(({ name }) => name).filter((name) => !except.includes(name));
  return JSON.stringify(await readCollections(connection, names), spoken);
}

/** Buffers arrive in the form of `toJSON`. */
function spoken(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
  return type === 'Buffer' && data ? Buffer.from(data).toString() : value;
}
