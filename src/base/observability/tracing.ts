/**
 * Traces: spans of the steps that an event takes through servers and workers.
 *
 * Promises: while tracing is off, every span is the same object, and starting one allocates nothing. A trace that a sender
 * or a client names becomes a link, never the parent, so that no outsider decides what is sampled.
 * Must never: take a path, a text of a request or the message of an error. Attributes have names of a fixed list, and values
 * are ids, codes, route templates and numbers.
 */
import type { IncomingMessage } from 'node:http';

/** A span that others may refer to. Ids are in lower-case hex. */
export type SpanReference = {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
};

/** A reference as it is stored: trace id, span id and flags, in 25 bytes. */
export type TraceContext = Buffer;

type AttributeName =
  | 'http.request.method'
  | 'http.request.body.size'
  | 'http.response.status_code'
  | 'http.route'
  | 'messaging.batch.message_count'
  | 'messaging.destination.name'
  | 'messaging.operation.name'
  | 'messaging.operation.type'
  | 'messaging.system'
  | 'inlet.attempt'
  | 'inlet.channel.id'
  | 'inlet.event.id'
  | 'inlet.message.id'
  | 'inlet.outcome'
  | 'inlet.reason'
  | 'inlet.webhook.id';

export type Span = {
  /** The reference to store or to send on. Null unless the span is sampled. */
  readonly context: TraceContext | null;
  set(name: AttributeName, value: string | number): void;
  /** Marks the span as failed: by a fault of Inlet or of a destination, not of a sender. */
  fail(): void;
  link(to: TraceContext): void;
  /** Must be called exactly once. */
  end(): void;
};

/** `name` has few values. A request to the API is named by its method and the template of its route. */
type SpanName = 'receive' | 'process set' | 'process event' | 'deliver' | `${string} /v1/${string}`;

export type SpanOptions = {
  readonly kind: 'server' | 'consumer' | 'client';
  /** The stored reference of the span that caused this one. Without a valid one, the span begins a trace of its own. */
  readonly parent?: TraceContext | undefined;
  readonly links?: readonly SpanReference[];
  /** It was decided already that the span is worth sampling, because of the spans that it is linked to. */
  readonly isSampled?: true;
};

export type Tracing = {
  /** Whether spans are recorded. Callers build options and links only then. */
  readonly isOn: boolean;
  start(name: SpanName, options: SpanOptions): Span;
  /** Sends what is recorded, within two seconds. Never rejects. */
  close(): Promise<void>;
};

/** The span of everything that is not traced. */
export const noSpan: Span = Object.freeze({
  context: null,
  set() {},
  fail() {},
  link() {},
  end() {},
});

export const noTracing: Tracing = Object.freeze({
  isOn: false,
  start: () => noSpan,
  close: () => Promise.resolve(),
});

const traceIdBytes = 16;
const contextBytes = 25;
const sampledFlag = 1;

export const encodeContext = ({ traceId, spanId, isSampled }: SpanReference): TraceContext =>
  Buffer.from(`${traceId}${spanId}${isSampled ? '01' : '00'}`, 'hex');

/** Returns null for what is not a stored reference, such as one of another length that another release wrote. */
export function decodeContext(stored: Uint8Array | null | undefined): SpanReference | null {
  if (!(stored instanceof Uint8Array) || stored.length !== contextBytes) return null;
  const hex = Buffer.from(stored).toString('hex');
  const flags = stored[contextBytes - 1] ?? 0;
  return referenceOf(
    hex.slice(0, 2 * traceIdBytes),
    hex.slice(2 * traceIdBytes, 2 * (contextBytes - 1)),
    flags,
  );
}

/** https://www.w3.org/TR/trace-context/: a version other than 00 may append fields. */
const traceparentShape =
  /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[!-~]*)?$/;
const maxTraceparentChars = 256;

/** Returns null for a malformed header, which is ignored. */
export function parseTraceparent(header: unknown): SpanReference | null {
  if (typeof header !== 'string' || header.length > maxTraceparentChars) return null;
  const [, version, traceId = '', spanId = '', flags = '', more] =
    traceparentShape.exec(header) ?? [];
  if (version === undefined || (version === '00' && more !== undefined)) return null;
  return referenceOf(traceId, spanId, Number.parseInt(flags, 16));
}

function referenceOf(traceId: string, spanId: string, flags: number): SpanReference | null {
  if (/^0*$/.test(traceId) || /^0*$/.test(spanId)) return null;
  return { traceId, spanId, isSampled: (flags & sampledFlag) !== 0 };
}

/** The label of exemplars that leads to the trace; empty when there is none. */
export function traceLabelOf(stored: Uint8Array | null | undefined): { trace_id?: string } {
  const reference = stored ? decodeContext(stored) : null;
  return reference ? { trace_id: reference.traceId } : {};
}

/** Returns the value of the header that continues the trace at a destination. */
export function traceparentOf(context: TraceContext): string {
  const hex = context.toString('hex');
  const ids = `${hex.slice(0, 2 * traceIdBytes)}-${hex.slice(2 * traceIdBytes, -2)}`;
  return `00-${ids}-${hex.slice(-2)}`;
}

/** The methods that the name and the attributes of a span may have; a client may send any word as its method. */
const knownMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** `name` null: by method and route. `route` is a template, never a path. */
export type SpanTitle = { readonly name: 'receive' | null; readonly route: string };

/** Starts the span of an inbound request. */
export function startRequestSpan(
  tracing: Tracing,
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  { name, route }: SpanTitle,
): Span {
  if (!tracing.isOn) return noSpan;
  const { method = '', headers } = request;
  const named = knownMethods.has(method) ? method : '_OTHER';
  const shownAs: SpanName = name ?? (`${named} ${route}` as `${string} /v1/${string}`);
  const from = parseTraceparent(headers.traceparent);
  const span = tracing.start(shownAs, { kind: 'server', ...(from && { links: [from] }) });
  span.set('http.request.method', named);
  span.set('http.route', route);
  return span;
}
