// What a request of the API is given, and its answer.

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests read answers without types; their assertions check what they read.
  // oxlint-disable-next-line no-explicit-any
  readonly body: { status: boolean; message: string; data: any };
};

export type RequestOptions = {
  readonly token?: string | null;
  readonly body?: unknown;
  /** Sent unchanged, instead of `body`. */
  readonly raw?: string | Buffer;
  readonly headers?: Record<string, string>;
};
