/**
 * The state and the ports that the steps of receiving share. One per process.
 *
 * The steps are functions that take it as their first argument: `acceptRequest`, `answerProbe`, `readReceipt` and
 * `recordSamples`. It holds only what outlives a request: caches, rate limits and counters.
 */
import { systemClock, type Clock } from '../base/clock.ts';
import { createTokenBucket } from '../base/rate-limit/token-bucket.ts';
import type { Vault } from '../base/secrets/vault.ts';
import type { Sample } from '../domain/webhooks/webhook.ts';
import { createDecodeThread } from '../producers/decode-thread/decode-thread.ts';
import type { Producer } from '../producers/producer.ts';
import type { EventStore } from '../store/events/events.ts';
import { createKeyLookup } from './key-lookup.ts';
import { createLargeBodies } from './large-bodies.ts';
import type { RecordEventDeps } from './recording/record-event.ts';
import { createSettingsReader } from './sender-verification.ts';
import { createSourcePolicy } from './source-policy.ts';
import { createUsageLimits } from './usage-limits.ts';
import type { WebhookCache } from './webhook-cache.ts';
import { createWebhookReader } from './webhook-reader.ts';
import type { Db } from '../store/db/connection.ts';
import { getWebhook } from '../store/webhooks/webhooks.ts';

type AuthThrottle = {
  /** Whether this client network has sent too many wrong credentials. */
  isOverBudget(this: void, network: string): boolean;
  /** Delays or rejects the answer to a wrong key; every other outcome of `attempt` passes at once. */
  watch<Result>(
    this: void,
    kind: 'key',
    clientAddress: () => string,
    attempt: Promise<Result>,
  ): Promise<Result>;
};

type Ports = Pick<Db, 'connection'> & {
  readonly authThrottle: AuthThrottle;
  readonly producerOf: (profile: string) => Producer;
  readonly events: Pick<EventStore, 'findByDedupKeys' | 'findByBody'>;
  readonly samples: { add(sample: Sample): Promise<void> };
  /** Called for each request with a valid key. */
  readonly countKeyUse?: ((keyId: string) => void) | undefined;
};

export type ReceivingDeps = Ports &
  Omit<RecordEventDeps, 'clock'> & {
    readonly webhookCache: Pick<WebhookCache, 'get' | 'peek' | 'isRejected'>;
    readonly vault: Pick<Vault, 'open'>;
    readonly clock?: Clock;
  };

export type Receiving = ReturnType<typeof createReceiving>;

/** Webhooks whose rates of samples and of receipts are tracked at the same time. */
const maxRates = 20_000;

export function createReceiving(deps: ReceivingDeps) {
  const { clock = systemClock, webhookCache, vault, ...ports } = deps;
  const usageLimits = createUsageLimits(clock);
  return {
    ...ports,
    clock,
    lookUpKey: createKeyLookup({
      cache: webhookCache,
      clock,
      isOverBudget: deps.authThrottle.isOverBudget,
    }),
    sourcePolicy: createSourcePolicy(clock),
    usageLimits,
    /** Close it: it may hold a thread. */
    largeBodies: createLargeBodies({ usageLimits, thread: createDecodeThread(), clock }),
    readSettings: createSettingsReader(vault),
    /** Limits the samples that are stored, by webhook. */
    sampleRates: createTokenBucket({ max: maxRates, nowMs: () => clock.elapsedMs() }),
    /** Reads a webhook that the cache may have read before the request came. */
    readWebhookAgain: createWebhookReader((id) => getWebhook({ ...deps, clock }, id), clock),
    /** Limits the requests for receipts, by webhook. */
    receiptRates: createTokenBucket({ max: maxRates, nowMs: () => clock.elapsedMs() }),
  };
}
