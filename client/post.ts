/**
 * Sends an event to a webhook as a careful sender does.
 *
 * Promises: a request that is rejected with 429 or 5xx is sent again, a bounded number of times, when Inlet says. After a request without an
 * answer the receipt is read before anything is sent again, so that an event without an id does not become two.
 * Must never: put the secret URL into an error.
 */
import { InletError, retryAfterMsOf, type Answer } from './client.ts';

export type PostOptions = {
  /** The value that the mapping reads as the event id, if it reads one. Makes a resend safe, and its receipt exact. */
  readonly externalId?: string;
  readonly contentType?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of all requests together. Default: 6. */
  readonly maxAttempts?: number;
  /** Of one request. Default: 10 s. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  /** Replaced by tests. */
  readonly pause?: (ms: number) => Promise<void>;
};

export type Posted = {
  readonly eventId: string | null;
  readonly duplicate: boolean;
  /** `sample` before activation, `held` while paused. */
  readonly mode: 'event' | 'sample' | 'held';
  /** Requests that were sent; receipts are not counted. */
  readonly attempts: number;
};

type Body = string | Uint8Array<ArrayBuffer>;
type Outcome = Omit<Posted, 'attempts'>;
type Received = Answer<'receiveEvent'>;
type Receipt = Answer<'getReceiptByBody'>;

const firstBackoffMs = 500;
const maxBackoffMs = 60_000;
/** A request without an answer may be in progress for this long. */
const inFlightMs = 9_000;
/** Between the clocks of Inlet and of its answers. */
const toleranceMs = 2_000;

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
const backoffMs = (attempt: number): number =>
  Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2);

const isTemporary = (status: number): boolean => status === 429 || status >= 500;

/** Throws an InletError when Inlet rejects the event, or the last error when it is not known to be stored. */
export async function post(url: string, body: Body, options: PostOptions = {}): Promise<Posted> {
  const { maxAttempts = 6, pause = sleep, signal } = options;
  const beganAt = Date.now();
  for (let attempt = 1; ; attempt += 1) {
    try {
      return { ...(await send(url, body, options)), attempts: attempt };
    } catch (error) {
      signal?.throwIfAborted();
      const hasAnswer = error instanceof InletError;
      if (hasAnswer && !isTemporary(error.status)) throw error;
      // 429 says that nothing was stored; any other failure does not.
      const mustLook = !hasAnswer || error.status !== 429;
      const asked = { ...options, beganAt, pause, mayBeInProgress: !hasAnswer };
      const found = mustLook ? await findStored(url, body, asked) : 'none';
      if (typeof found === 'object') return { ...found, attempts: attempt };
      // Sent again, an event without an id could become two.
      const mayDouble = found === 'unknown' && options.externalId === undefined;
      if (mayDouble || attempt >= maxAttempts) throw withoutUrl(error);
      const askedMs = hasAnswer ? (error.retryAfterMs ?? 0) : 0;
      await pause(Math.min(maxBackoffMs, Math.max(backoffMs(attempt), askedMs)));
      signal?.throwIfAborted();
    }
  }
}

const limited = ({ timeoutMs = 10_000, signal }: PostOptions): AbortSignal => {
  const timeout = AbortSignal.timeout(timeoutMs);
  return signal ? AbortSignal.any([signal, timeout]) : timeout;
};

async function send(url: string, body: Body, options: PostOptions): Promise<Outcome> {
  const { contentType = 'application/json', headers } = options;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': contentType, ...headers },
    body,
    redirect: 'manual',
    signal: limited(options),
  });
  const answer = await readAnswer<Received>(response);
  if (!response.ok) throw new InletError(response.status, answer ?? {}, retryAfterMsOf(response));
  // A webhook may have an answer of its own; then the status alone says that the event is stored.
  const { eventId = null, duplicate = false, mode = 'event' } = answer?.data ?? {};
  return { eventId, duplicate, mode };
}

type Asked = PostOptions & {
  readonly beganAt: number;
  readonly pause: (ms: number) => Promise<void>;
  /** The request had no answer. */
  readonly mayBeInProgress: boolean;
};

/** Asks a second time when the request may be in progress. */
async function findStored(url: string, body: Body, asked: Asked) {
  const first = await readReceipt(url, body, asked);
  if (first !== 'none' || !asked.mayBeInProgress) return first;
  await asked.pause(inFlightMs);
  return readReceipt(url, body, asked);
}

/** `unknown`: the receipts do not answer either. */
async function readReceipt(
  url: string,
  body: Body,
  asked: Asked,
): Promise<Outcome | 'none' | 'unknown'> {
  const { externalId, beganAt, pause, signal, maxAttempts = 6 } = asked;
  const isById = externalId !== undefined;
  const id = isById ? encodeURIComponent(externalId) : `by-body/${await sha256(body)}`;
  // The query may have a token that signs the event.
  const receiptUrl = `${url.replace(/\?.*$/s, '')}/receipts/${id}`;
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const terms = { redirect: 'manual', signal: limited(asked) } as const;
    const response = await fetch(receiptUrl, terms).catch(() => null);
    signal?.throwIfAborted();
    if (response?.ok) {
      const receipt = (await readAnswer<Receipt>(response))?.data;
      if (!receipt || !(isById || isOfThisPost(receipt, response, beganAt))) return 'none';
      const mode = receipt.state === 'held' ? 'held' : 'event';
      return { eventId: receipt.eventId, duplicate: false, mode };
    }
    if (response && !isTemporary(response.status)) return 'none';
    const askedMs = (response && retryAfterMsOf(response)) ?? 0;
    await pause(Math.min(maxBackoffMs, Math.max(backoffMs(attempt), askedMs)));
  }
  return 'unknown';
}

/** An older event may have the same body: it is compared by Inlet's own clock, which the answer has. */
function isOfThisPost({ lastSeenAt }: Receipt, response: Response, beganAt: number): boolean {
  const now = Date.parse(response.headers.get('date') ?? '');
  const ageMs = (Number.isNaN(now) ? Date.now() : now) - Date.parse(lastSeenAt);
  return ageMs <= Date.now() - beganAt + toleranceMs;
}

async function sha256(body: Body): Promise<string> {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

type Enveloped<Data> = {
  readonly data?: Partial<Data> & { readonly code?: string };
  readonly message?: string;
};

async function readAnswer<Data>(
  response: Response,
): Promise<(Enveloped<Data> & { data?: Data }) | null> {
  try {
    return (await response.json()) as Enveloped<Data> & { data?: Data };
  } catch {
    return null;
  }
}

/** The runtime's error may have the URL, which is a secret. */
function withoutUrl(error: unknown): Error {
  if (error instanceof InletError) return error;
  const { cause, name } = error as Error;
  const code = (cause as { code?: string } | undefined)?.code ?? name;
  return new Error(`The webhook did not answer (${code}), and there is no receipt.`);
}
