// What clients sent and what they were told: the one book that the checker believes.

/** What an event says of its person, as the harness means it and not as the product reads it. */
export type Said = {
  readonly nonce: string;
  /** Who it is about; null for what names nobody. */
  readonly person: number | null;
  /** The event's id at its producer; null: it stands alone. */
  readonly eventId: string | null;
  /** Milliseconds; null: undated. */
  readonly date: number | null;
  /** What it says of its contact, as the API shows it. */
  readonly fields: Readonly<Record<string, string>>;
  /** What it says otherwise by the second version of its mapping. */
  readonly improved: Readonly<Record<string, string>>;
  /** What must become of it, by mapping version; every version that is not named: done. */
  readonly fate: Readonly<Record<number, 'ignored' | 'dead'>>;
};

/** One body that a producer sends: an event, or several at once. */
export type SentBody = {
  readonly webhook: string;
  readonly said: readonly Said[];
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

export type Sending = {
  readonly at: number;
  readonly to: string;
  readonly parcel: SentBody;
  answer: Answer;
};

/** A fault that happened, in milliseconds of the clock. */
export type InjectedFault = {
  readonly name: string;
  readonly from: number;
  readonly until: number;
  /** Whether a worker may have ended, or lost its leases, by it. */
  readonly mayCostLease: boolean;
};

export type Ledger = {
  readonly sendings: readonly Sending[];
  readonly faults: InjectedFault[];
  /** Opens an entry, as unknown until it is told otherwise. */
  open(parcel: SentBody, to: string): Sending;
  /** An answer that no client should ever get. */
  readonly scandals: string[];
};

export function createLedger(): Ledger {
  const sendings: Sending[] = [];
  return {
    sendings,
    faults: [],
    scandals: [],
    open(parcel, to) {
      const sending: Sending = {
        at: Date.now(),
        to,
        parcel,
        answer: { kind: 'unknown', why: 'never answered' },
      };
      sendings.push(sending);
      return sending;
    },
  };
}

export const acknowledged = (sendings: readonly Sending[]) =>
  sendings.flatMap(({ parcel, answer }) =>
    answer.kind === 'acknowledged' ? [{ parcel, answer }] : [],
  );
