/**
 * Repeats calls that Inlet rejects with 429 or 503, a bounded number of times.
 *
 * Promises: a change is repeated under one `Idempotency-Key`, so that it happens once.
 */
import { InletError, type Client, type Operation, type Read, type Request } from './client.ts';

export type RetryOptions = {
  /** Of all requests of a call together. Default: 6. */
  readonly maxAttempts?: number;
  /** Of one request. Default: 60 s. */
  readonly timeoutMs?: number;
  /** Called before each wait, with its length. */
  readonly onPause?: (ms: number) => void;
};
type Given = { readonly headers?: Readonly<Record<string, string>>; readonly signal?: AbortSignal };

const maxPauseMs = 60_000;

/** How long to wait before the next try; null when a repetition cannot help. */
function pauseMsAfter(error: unknown, attempt: number): number | null {
  const usualMs = Math.random() * 250 * 2 ** (attempt - 1);
  if (!(error instanceof InletError)) return error instanceof TypeError ? usualMs : null;
  const isTemporary = error.status === 429 || error.status === 503;
  const isInProgress = error.status === 409 && error.retryAfterMs !== null;
  if (!isTemporary && !isInProgress) return null;
  const askedMs = error.retryAfterMs ?? usualMs;
  return askedMs > maxPauseMs ? null : Math.max(askedMs, usualMs);
}

/** `open` is not repeated: `follow` does it for streams. */
export function withRetries(
  client: Client,
  { maxAttempts = 6, timeoutMs = 60_000, onPause }: RetryOptions = {},
): Client {
  async function read<Name extends Operation>(
    name: Name,
    request: Request<Name>,
  ): Promise<Read<Name>> {
    const { headers, signal: ended } = request as Given;
    const once = { 'idempotency-key': crypto.randomUUID(), ...headers };
    for (let attempt = 1; ; attempt += 1) {
      try {
        const timeout = AbortSignal.timeout(timeoutMs);
        const signal = ended ? AbortSignal.any([ended, timeout]) : timeout;
        return await client.read(name, { ...request, headers: once, signal } as Request<Name>);
      } catch (error) {
        const pauseMs = pauseMsAfter(error, attempt);
        if (pauseMs === null || attempt >= maxAttempts) throw error;
        onPause?.(pauseMs);
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    }
  }
  return {
    read,
    call: async (name, request) => (await read(name, request)).data,
    open: (name, request) => client.open(name, request),
  };
}
