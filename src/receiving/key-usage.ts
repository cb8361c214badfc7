/**
 * Counts the uses of each path key, so that a person sees when an old key is no longer used.
 *
 * Promises: counting needs no round trip; counts are written every five seconds, and every minute when 10,000 keys are in use. Counts may be too low
 * and are never too high: a killed process loses unwritten counts, and a write with an unknown outcome is not repeated.
 */
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import type { Db } from '../store/db/connection.ts';
import { addKeyUses } from '../store/webhooks/keys.ts';

type KeyUsageDeps = Db & { readonly logger: Logger };

const flushEveryMs = 5_000;
const maxFlushEveryMs = 60_000;
const maxPerWrite = 500;
/** Keys whose uses are counted between two writes. Further keys are not counted. */
const maxKeys = 50_000;

type Entry = { readonly keyId: string; uses: number; lastUsedMs: number };

export function startKeyUsage(ctx: KeyUsageDeps) {
  const { logger, clock } = ctx;
  const buffer = startWriteBehind<Entry>({
    write: (entries) =>
      addKeyUses(
        ctx,
        entries.map(({ keyId, uses, lastUsedMs }) => ({
          keyId,
          uses,
          lastUsedAt: new Date(lastUsedMs),
        })),
      ),
    onFailure: (err, entries) => logger.warn({ err, keys: entries.length }, 'keys.usage_not_saved'),
    maxEntries: maxKeys,
    maxPerWrite,
    intervalMs: flushEveryMs,
    maxIntervalMs: maxFlushEveryMs,
  });

  return {
    count: (keyId: string): void => {
      const lastUsedMs = +clock.now();
      const entry = buffer.entryOf(keyId, () => ({ keyId, uses: 0, lastUsedMs }));
      if (!entry) return;
      entry.uses += 1;
      entry.lastUsedMs = lastUsedMs;
    },
    /** Writes the counts so far, after a write in progress. Never rejects. */
    flush: buffer.flush,
    close: buffer.close,
  };
}
