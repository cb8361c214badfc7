import type { TraceContext } from '../base/observability/tracing.ts';

/** A request to a webhook's URL, as the HTTP layer passes it in. */
export type SenderRequest = {
  readonly key: string;
  readonly method: string;
  readonly headers: RequestHeaders;
  /** The query string without its question mark. */
  readonly query: string;
  /** Returns the URL as the sender called it, including the key. */
  url(this: void): string;
  /** Returns the client's IP address; empty when the connection is gone. */
  clientAddress(this: void): string;
  /**
   * Reads the whole body, within the share of the webhook. Rejects with `overloaded`, `request_timeout`, `body_too_large` or
   * `malformed_json`.
   */
  readBody(this: void, webhookId: string): Promise<Buffer>;
  /** The request's log line. The steps add ids as soon as they are known, also for a request that is rejected later. */
  readonly log: { webhookId?: string; eventId?: string };
  /** Refers to the span of the request. Absent: the request is not traced. */
  readonly trace?: TraceContext | undefined;
};

/** Names in lower case. */
type RequestHeaders = Readonly<Record<string, string | string[] | undefined>> & {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
};

/** The parts of a request that its signature, a handshake or a mapping may read. */
export type ParsedRequest = {
  readonly key: string;
  readonly method: string;
  readonly url: string;
  readonly contentType: string | undefined;
  readonly headers: RequestHeaders;
  readonly query: URLSearchParams;
  readonly trace?: TraceContext | undefined;
};

export const parseRequest = ({
  key,
  method,
  headers,
  query,
  url,
  trace,
}: SenderRequest): ParsedRequest => ({
  key,
  method,
  get url() {
    return url();
  },
  contentType: headers['content-type'],
  headers,
  query: new URLSearchParams(query),
  trace,
});
