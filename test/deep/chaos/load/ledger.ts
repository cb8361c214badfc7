// Records what the clients sent and which answers they got. The checker compares the stored data with it.

/** The content of an event as the harness composed it, independent of the product's mapping. */
export type ComposedEvent = {
  readonly nonce: string;
  /** The number of its person; null without an identity. */
  readonly person: number | null;
  /** The event's id at its producer; null: none. */
  readonly eventId: string | null;
  /** Milliseconds; null: undated. */
  readonly date: number | null;
  /** The contact's fields, as the API shows them. */
  readonly fields: Readonly<Record<string, string>>;
  /** The fields that differ under the second version of its mapping. */
  readonly improved: Readonly<Record<string, string>>;
  /** The final state under the first and under the second mapping, where it is not `done`. */
  readonly fate: Readonly<Partial<Record<1 | 2, 'ignored' | 'dead'>>>;
};

/** One body that a producer sends: an event, or several at once. */
export type WebhookRequest = {
  readonly webhook: string;
  readonly composed: readonly ComposedEvent[];
  readonly isBatch: boolean;
  readonly body: unknown;
  readonly headers: Readonly<Record<string, string>>;
};

/**
 * `acknowledged`: 200, with an event id. `refused`: it cannot have been stored. `unknown`: no answer, or one that leaves
 * open whether it was stored.
 */
export type Answer =
  | {
      readonly kind: 'acknowledged';
      readonly eventId: string;
      readonly duplicate: boolean;
      readonly held: boolean;
    }
  | { readonly kind: 'refused' | 'unknown'; readonly why: string };

type Sending = {
  readonly at: number;
  readonly to: string;
  readonly webhookRequest: WebhookRequest;
  answer: Answer;
};

/** A fault that happened, in milliseconds of the clock. */
export type InjectedFault = {
  readonly name: string;
  readonly from: number;
  readonly until: number;
  /** Whether it can have ended a worker or cost it its leases. */
  readonly mayCostLease: boolean;
};

/** A message that an agent sent with an idempotency key of its own. */
export type Reply = { readonly text: string; readonly chatId: string; isAcknowledged: boolean };

export type Ledger = {
  readonly sendings: readonly Sending[];
  readonly replies: Reply[];
  readonly faults: InjectedFault[];
  /** Adds an entry whose answer is unknown until it is set. */
  open(webhookRequest: WebhookRequest, to: string): Sending;
  /** Answers that no client must get. */
  readonly wrongAnswers: string[];
};

export function createLedger(): Ledger {
  const sendings: Sending[] = [];
  return {
    sendings,
    replies: [],
    faults: [],
    wrongAnswers: [],
    open(webhookRequest, to) {
      const sending: Sending = {
        at: Date.now(),
        to,
        webhookRequest,
        answer: { kind: 'unknown', why: 'never answered' },
      };
      sendings.push(sending);
      return sending;
    },
  };
}

export const acknowledged = (sendings: readonly Sending[]) =>
  sendings.flatMap(({ webhookRequest, answer }) =>
    answer.kind === 'acknowledged' ? [{ webhookRequest, answer }] : [],
  );
