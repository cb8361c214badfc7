/** Outcome of one processing attempt of an event. */
import type { EventEffects, EventProblem } from './event.ts';

type EventFacts = {
  readonly eventType: string | null;
  readonly eventDate: Date | null;
  readonly problems: readonly EventProblem[];
};

export type Outcome =
  | ({ readonly kind: 'done'; readonly effects: EventEffects } & EventFacts)
  | { readonly kind: 'split'; readonly items: number }
  | ({ readonly kind: 'ignored'; readonly reason: string } & Partial<EventFacts>)
  | ({ readonly kind: 'dead'; readonly reason: string } & Partial<EventFacts>)
  /** `retryAfterMs`: earliest retry, as requested by the other side. */
  | { readonly kind: 'retry'; readonly reason: Reason; readonly retryAfterMs?: number };

/**
 * Reason codes: why an event or a delivery is dead, ignored or waiting. The code is the part before any
 * `:target`. docs/errors.md explains each; a test compares the two.
 */
export const reasons = [
  'filter',
  'blocked',
  'required_missing',
  'contact_unidentified',
  'filter_failed',
  'split_failed',
  'split_not_array',
  'split_too_late',
  'too_many_items',
  'too_much_work',
  'body_unreadable',
  'item_missing',
  'item_unstorable',
  'mapping_unusable',
  'channel_missing',
  'channel_disabled',
  'secret_unreadable',
  'attempts_spent',
  'crashed_worker',
  'internal_error',
  'store_unavailable',
  'effect_contended',
  'destination_unavailable',
  'destination_rejected',
  'destination_refused',
  'delivery_unknown',
] as const;
export type Reason = (typeof reasons)[number];

/** Crashes after which an event that is processed alone becomes dead. */
export const maxIsolatedCrashes = 3;
