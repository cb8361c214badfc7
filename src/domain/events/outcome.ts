/** What became of one event in one processing: a value, never an exception. */
import type { EventEffects, EventProblem } from './event.ts';

type Seen = {
  readonly eventType: string | null;
  readonly eventDate: Date | null;
  readonly problems: readonly EventProblem[];
};

export type Outcome =
  | ({ readonly kind: 'done'; readonly effects: EventEffects } & Seen)
  | { readonly kind: 'split'; readonly items: number }
  | ({ readonly kind: 'ignored'; readonly reason: string } & Partial<Seen>)
  | ({ readonly kind: 'dead'; readonly reason: string } & Partial<Seen>)
  /** `retryAfterMs`: not before, because whoever refused said so. */
  | { readonly kind: 'retry'; readonly reason: Reason; readonly retryAfterMs?: number };

/**
 * Why an event or the delivery of a message is dead or waits, as the machine's word before any `:target`.
 * `docs/errors.md` says for each what a person can do; a test compares the two.
 */
export const reasons = {
  filter: 'The mapping’s filter said no.',
  blocked: 'It names somebody who was forgotten and must not come back.',
  required_missing: 'A required target found nothing in the payload.',
  contact_unidentified: 'No external id, phone, email or document names a person.',
  filter_failed: 'The filter could not be evaluated over this payload.',
  split_failed: 'The split could not be evaluated over this payload.',
  split_not_array: 'The split does not lead to a list in this payload.',
  split_too_late:
    'The event has its effects as a whole, and the mapping would now cut it into items.',
  too_many_items: 'The body holds more items than one delivery may.',
  too_much_work: 'The mapping would do more work on this payload than one event may.',
  body_unreadable: 'The stored body cannot be decoded.',
  item_missing: 'The item is no longer where its parent’s body had it.',
  item_unstorable: 'The item could not be stored as an event of its own.',
  mapping_unusable: 'The pinned mapping version is missing or does not compile.',
  channel_missing: 'The webhook’s channel does not exist, or is an inbox that is disabled.',
  channel_disabled: 'The channel is disabled; what goes to it waits.',
  secret_unreadable: 'A secret of the channel cannot be decrypted with the keys of this process.',
  attempts_spent: 'Every attempt failed or ended without a result.',
  crashed_worker: 'Workers ended again and again while this event was all they had in hand.',
  unforeseen: 'Something unforeseen happened in processing; the log has it under the event’s id.',
  store_unavailable: 'The database did not take the change.',
  effect_contended: 'Others kept changing the same person; it is tried again.',
  destination_unavailable: 'The destination did not answer, or asked to be tried again later.',
  destination_rejected: 'The destination answered that it will not take this message.',
  destination_refused: 'The destination’s address is not one that messages may be sent to.',
  delivery_unknown:
    'Nobody knows whether the message arrived, and the channel holds such messages.',
} as const;
export type Reason = keyof typeof reasons;

/** How often an event may end its worker while nothing else is in hand. */
export const maxIsolatedCrashes = 3;
