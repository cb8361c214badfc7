/** Stored state of a request with an Idempotency-Key. Everything in it is derived or sealed. */
export type IdempotencyRecord = {
  /** Derived from token and key. */
  readonly _id: string;
  /** Keyed hash of the request. */
  readonly fingerprint: string;
  readonly owner: string;
  readonly leaseUntil: Date;
  readonly expiresAt: Date;
  /** Sealed response; absent while the request is in progress. */
  readonly answer?: Buffer;
};
