/**
 * How much each path key is used, so that a person sees when nobody sends with the old one any more.
 *
 * Promises: counting costs a request no round trip; what was counted is written every few seconds, all keys in one
 * command. Cannot promise: the exact number. A process that is killed loses what it had not written, and a write of which
 * nobody knows whether it happened is not repeated: the counts may be too low, and are never too high.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import { startWriteBehind } from '../base/write-behind.ts';
import type { KeyUse } from '../domain/webhooks/webhook.ts';

export type KeyUsageCounter = {
  readonly count: (keyId: string) => void;
  /** Writes down what was counted until now, after what is being written already. Never rejects. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type KeyUsageDeps = {
  readonly keys: { addUses(uses: readonly KeyUse[]): Promise<void> };
  readonly logger: Logger;
  readonly clock?: Clock;
};

const flushEveryMs = 5_000;
/** Between two writes; uses of further keys are not counted. */
const maxKeys = 50_000;

type Noted = { readonly keyId: string; uses: number; lastMs: number };

export function startKeyUsage({
  keys,
  logger,
  clock = systemClock,
}: KeyUsageDeps): KeyUsageCounter {
  const buffer = startWriteBehind<Noted>({
    write: (noted) =>
      keys.addUses(
        noted.map(({ keyId, uses, lastMs }) => ({ keyId, uses, lastUsedAt: new Date(lastMs) })),
      ),
    onFailure: (err, noted) => logger.warn({ err, keys: noted.length }, 'keys.usage_not_saved'),
    maxEntries: maxKeys,
    intervalMs: flushEveryMs,
  });

  return {
    count(keyId) {
      const lastMs = +clock.now();
      const known = buffer.entryOf(keyId, () => ({ keyId, uses: 0, lastMs }));
      if (!known) return;
      known.uses += 1;
      known.lastMs = lastMs;
    },
    flush: () => buffer.flush(),
    close: () => buffer.close(),
  };
}
