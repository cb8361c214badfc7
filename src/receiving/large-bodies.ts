/**
 * Decodes large bodies outside of the event loop, one at a time on a server. Webhooks that wait take turns.
 *
 * Promises: a webhook that is beyond its time, or has too many bodies waiting, is answered `rate_limited`; too many of all webhooks,
 * a wait of more than 4 s, and a thread that fails, are answered `overloaded`. Nothing of such a request is stored, so the sender sends it again.
 */
import type { Clock } from '../base/clock.ts';
import { createFairQueue } from '../base/concurrency/fair-queue.ts';
import { AppError } from '../base/errors.ts';
import { bodyTypeOf } from '../producers/decode/content-type.ts';
import type { DecodeThread } from '../producers/decode-thread/decode-thread.ts';
import type { Decoded, Producer, RawBody } from '../producers/producer.ts';
import type { UsageLimits } from './usage-limits.ts';

/** The most that smaller bodies take is about 10 ms: 0.07 ms for a KiB of JSON, and 0.7 ms of a form. */
const largeJsonBytes = 131_072;
const largeBytes = 16_384;
/** The time of a webhook ends after a few expensive bodies, so a long queue holds cheap ones. */
const bounds = { maxWaiting: 200, maxWaitingOfGroup: 50 };
/** A request is answered after 9 s at most, and a body may take 5 s. */
const maxWaitMs = 4_000;
const retryAfterMs = 5_000;

type Deps = {
  readonly usageLimits: Pick<UsageLimits, 'requireWork' | 'charge' | 'chargeFailure'>;
  readonly thread: Pick<DecodeThread, 'decode' | 'close'>;
  readonly clock: Pick<Clock, 'elapsedMs'>;
};

export function createLargeBodies({ usageLimits, thread, clock }: Deps) {
  const queue = createFairQueue(bounds);

  async function decode(webhookId: string, { name }: Producer, raw: RawBody): Promise<Decoded> {
    usageLimits.requireWork(webhookId);
    try {
      const { decoded, workMs } = await thread.decode(name, raw);
      usageLimits.charge(webhookId, workMs);
      return decoded;
    } catch (cause) {
      usageLimits.chargeFailure(webhookId);
      const internal = 'A body could not be decoded in its thread.';
      throw new AppError('overloaded', { retryAfterMs, cause, internal });
    }
  }

  return {
    /** Whether a body of this length may take long to decode. */
    isLarge({ contentType, body }: RawBody): boolean {
      if (body.length <= largeBytes) return false;
      return body.length > largeJsonBytes || !isPlainJson(contentType);
    },
    decode(webhookId: string, producer: Producer, raw: RawBody): Promise<Decoded> {
      const sinceMs = clock.elapsedMs();
      return queue(webhookId, async () => {
        const hasWaited = clock.elapsedMs() - sinceMs > maxWaitMs;
        if (hasWaited) throw new AppError('overloaded', { retryAfterMs });
        return decode(webhookId, producer, raw);
      });
    },
    close: (): Promise<void> => thread.close(),
  };
}

function isPlainJson(contentType: string | undefined): boolean {
  const type = bodyTypeOf(contentType);
  return type?.format === 'json' && (type.charset === null || type.charset === 'utf-8');
}
