/**
 * The delivery of a message to an outside channel: its own attempts, lease and end, beside the event's, which is done
 * once the message is stored.
 */
export const deliveryStates = ['waiting', 'sending', 'delivered', 'dead'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export type MessageDelivery = {
  readonly state: DeliveryState;
  /** Set until the delivery has ended: all that the courier reads. */
  readonly open?: true;
  /** May be claimed from here on: the retry time, or the end of a lease; null: at once. */
  readonly nextAt: Date | null;
  readonly attempts: number;
  /** Raised by every claim and by whoever sends it again. 0: nobody outside can have heard of the message. */
  readonly fence: number;
  readonly token?: string;
  /** An attempt before this one ended without an answer or a record: the destination may have the message. */
  readonly isUnknown: boolean;
  readonly reason: string | null;
  readonly finishedAt: Date | null;
};

/** What became of one attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | {
      readonly kind: 'retry';
      readonly reason: string;
      /** Not before this, as the destination asked. */
      readonly retryAfterMs?: number;
      /** Nothing tells whether the destination took it. */
      readonly isUnknown: boolean;
      /** Nothing was sent, and that is nobody's failure: it counts as no attempt. */
      readonly isFree?: true;
    }
  | { readonly kind: 'dead'; readonly reason: string };

/** As a message is born: due at once, whatever the clocks of the processes say. */
export const newDelivery = (): MessageDelivery => ({
  state: 'waiting',
  open: true,
  nextAt: null,
  attempts: 0,
  fence: 0,
  isUnknown: false,
  reason: null,
  finishedAt: null,
});
