/**
 * The context of the API: what its operations use of the process that runs them. Each operation is a named function that takes
 * it first, `(ctx, …)`.
 */
import type { ProcessContext } from '../context/process-context.ts';
import type { Rejection } from '../domain/webhooks/rejection.ts';
import type { Sample, Webhook } from '../domain/webhooks/webhook.ts';
import type { Attempt } from '../http/requests/idempotency.ts';
import { createIdempotency } from './access/idempotency.ts';
import { createLiveStreams, type LiveStreams } from './live-streams.ts';
import { createComputing, type Computing } from './mappings/computing.ts';

/** What the process gives. */
type ContextParts = ProcessContext & {
  /** `INLET_ADMIN_TOKEN`, or empty. */
  readonly adminToken: string;
  readonly allowedDestinations: readonly string[];
  readonly allowsDrills: boolean;
  /** `INLET_PUBLIC_URL`, or empty. */
  readonly publicUrl: string;
  /** Invalidates the receivers' cache of the webhook, and ends streams that lost access to it. */
  readonly invalidate: (webhookId: string) => void;
  /** Ends the open streams of a token, on every server, that it no longer allows. */
  readonly recheckStreams: (tokenId: string) => void;
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
