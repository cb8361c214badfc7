/**
 * How much each path key is used, so that a person sees when nobody sends with the old one any more.
 *
 * Promises: counting costs a request no round trip; what was counted is written every few seconds, all keys in one
 * command. Cannot promise: the exact number. A process that is killed loses what it had not written, and a write of which
 * nobody knows whether it happened is not repeated: the counts may be too low, and are never too high.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { startTicker } from '../base/ticker.ts';
import type { KeyUse } from '../domain/webhook.ts';

export type KeyMeter = {
  readonly note: (keyId: string) => void;
  /** Writes down what was counted until now, after what is being written already. Never rejects. */
  readonly flush: () => Promise<void>;
  readonly close: () => Promise<void>;
};

export type KeyMeterDeps = {
  readonly keys: { count(uses: readonly KeyUse[]): Promise<void> };
  readonly logger: Logger;
  readonly clock?: Clock;
};

const flushEveryMs = 5_000;

export function startKeyMeter({ keys, logger, clock = systemClock }: KeyMeterDeps): KeyMeter {
  let noted = new Map<string, { uses: number; lastMs: number }>();
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if (noted.size === 0) return;
    const uses = [...noted].map(([keyId, { uses: more, lastMs }]) => ({
      keyId,
      uses: more,
      lastUsedAt: new Date(lastMs),
    }));
    noted = new Map();
    try {
      await keys.count(uses);
    } catch (err) {
      logger.warn({ err, keys: uses.length }, 'keys.not_counted');
    }
  }

  const flush = () => (writing = writing.then(write));
  const tick = () => flush().then(() => flushEveryMs);
  const ticker = startTicker(tick, { firstMs: flushEveryMs });
  return {
    note(keyId) {
      const lastMs = +clock.now();
      const known = noted.get(keyId);
      if (!known) noted.set(keyId, { uses: 1, lastMs });
      else {
        known.uses += 1;
        known.lastMs = lastMs;
      }
    },
    flush,
    async close() {
      await ticker.close();
      await flush();
    },
  };
}
