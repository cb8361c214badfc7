/** An attempt under an Idempotency-Key, as it is stored. Everything in it is derived or sealed. */
export type IdempotencyRecord = {
  /** Derived from token and key. */
  readonly _id: string;
  /** A keyed hash of what was asked for. */
  readonly fingerprint: string;
  readonly owner: string;
  readonly leaseUntil: Date;
  readonly expiresAt: Date;
  /** Sealed; absent while the attempt is in hand. */
  readonly answer?: Buffer;
};
