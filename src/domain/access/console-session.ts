/** Sessions of browsers that are signed in to the console. */

/** A stored session, without its secret. `_id` is the SHA-256 of the secret. */
export type ConsoleSession = {
  readonly _id: string;
  readonly tokenId: string;
  /** Binds a session of `INLET_ADMIN_TOKEN` to its value: the hash of secret and token. Null for stored tokens. */
  readonly proof: string | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
};

export const sessionHours = 12;
