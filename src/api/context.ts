/**
 * The context of the API: what its operations use of the process that runs them. Each operation is a named function that takes
 * it first, `(ctx, …)`.
 */
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/observability/logger.ts';
import type { Vault } from '../base/secrets/vault.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { EventRecord } from '../domain/events/event.ts';
import type { Rejection } from '../domain/webhooks/rejection.ts';
import type { Sample, Webhook } from '../domain/webhooks/webhook.ts';
import type { StoredBodies } from '../producers/stored-body.ts';
import type { Attempt } from '../http/requests/idempotency.ts';
import type { EventQueue } from '../queue/process-events.ts';
import type { Stores } from '../store/stores.ts';
import { createIdempotency } from './access/idempotency.ts';
import { createLiveStreams, type LiveStreams } from './live-streams.ts';
import { createComputing, type Computing } from './mappings/computing.ts';

/** What the process gives. */
type ContextParts = Stores & {
  readonly queue: Pick<EventQueue, 'hint' | 'isReady' | 'depth' | 'server' | 'flush'>;
  readonly bodies: StoredBodies;
  readonly vault: Vault;
  readonly logger: Logger;
  readonly clock: Clock;
  /** `INLET_ADMIN_TOKEN`, or empty. */
  readonly adminToken: string;
  readonly allowedDestinations: readonly string[];
  readonly allowsDrills: boolean;
  /** `INLET_PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  /** `INLET_DEFAULT_REGION`: the region of phone numbers without a country code, unless the channel sets one. */
  readonly defaultRegion: string;
  /** Invalidates the receivers' cache of the webhook, and ends streams that lost access to it. */
  readonly invalidate: (webhookId: string) => void;
  /** Ends the open streams of a token, on every server, that it no longer allows. */
  readonly recheckStreams: (tokenId: string) => void;
  /** Throws `not_found`, or `invalid_transition` with the current state. */
  readonly replayEvent: (
    id: string,
    change: 'replay' | 'remap',
    actor: Actor,
  ) => Promise<EventRecord>;
  /** Throws as `replayEvent`. */
  readonly discardEvent: (id: string, actor: Actor) => Promise<EventRecord>;
  /** Records samples as events; idempotent. Returns the number of samples. */
  readonly recordSamples: (samples: AsyncIterable<Sample>, webhook: Webhook) => Promise<number>;
  /**
   * Records a rejected request as an event; idempotent. Calls `audit` before. Throws `invalid_transition` with what keeps it from
   * becoming an event.
   */
  readonly recordRejection: (
    rejection: Rejection,
    options: { readonly webhook: Webhook; readonly audit: () => Promise<void> },
  ) => Promise<{ mode: 'event' | 'held'; eventId: string; duplicate: boolean }>;
  /** Starts the run worker of this process at once. */
  readonly wakeRuns: () => void;
  /** Starts the erasure worker of this process at once. */
  readonly wakeErasure: () => void;
};

export type ApiContext = ContextParts & {
  readonly computing: Computing;
  readonly live: LiveStreams;
  /** Begins a request with an `Idempotency-Key`. */
  readonly attempt: Attempt;
};

/** Makes what the API keeps in memory, once for each process. */
export const createApiContext = (parts: ContextParts): ApiContext => ({
  ...parts,
  computing: createComputing(parts),
  live: createLiveStreams(parts),
  attempt: createIdempotency(parts),
});
