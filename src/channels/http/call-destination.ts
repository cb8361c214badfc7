/**
 * Makes one HTTP request to a destination.
 *
 * Must never: reach an address that is not allowed, or put a part of the URL or of the answer in an outcome.
 */
import type { FieldProblem } from '../../base/errors.ts';
import type { DeliveryOutcome } from '../../domain/messages/delivery.ts';
import {
  maxTimeoutMs,
  type ChannelSettings,
  type OutboundOptions,
  type Probe,
} from '../channel.ts';
import { addressRefused, notAnswered } from '../outcomes.ts';
import {
  createDestinationPolicy,
  guardedLookup,
  ipLiteralOf,
  DestinationNotAllowed,
  type IsReachable,
} from '../ssrf-guard.ts';
import { retryAfterMsOf } from './retry-after.ts';
import { sendRequest } from './send-request.ts';
import type { PublicText } from '../../base/texts/texts.ts';

type DestinationCall = {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. Absent: a GET. */
  readonly body?: string;
  /** At most `maxTimeoutMs` is waited. */
  readonly timeoutMs: number;
};

export type DestinationAnswer = {
  readonly kind: 'answered';
  readonly status: number;
  readonly retryAfterMs: number | undefined;
  readonly body: string;
};

/** `failed`: the destination did not answer, and the outcome says why. */
type CallResult =
  | DestinationAnswer
  | { readonly kind: 'failed'; readonly outcome: DeliveryOutcome };

/** Returns the address check of a URL; null when the URL itself has an address that is not allowed. */
export function createUrlCheck(allowedDestinations: readonly string[]) {
  const policy = createDestinationPolicy(allowedDestinations);
  return (url: URL): IsReachable | null => {
    const isReachable = policy(url);
    const literal = ipLiteralOf(url);
    return literal === null || isReachable(literal) ? isReachable : null;
  };
}

/** Returns the problems of a setting that is a URL. */
export function urlProblems(
  settings: ChannelSettings,
  name: string,
  { allowedDestinations }: OutboundOptions,
): readonly FieldProblem[] {
  const problem = (message: PublicText): readonly FieldProblem[] => [{ path: `/${name}`, message }];
  const text = String(settings[name]);
  if (!URL.canParse(text)) return problem('field.not_a_url');
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return problem('field.url_credentials');
  if (!createUrlCheck(allowedDestinations)(url)) {
    return problem('field.url_not_allowed');
  }
  if (url.protocol === 'http:' && allowedDestinations.length === 0)
    return problem('field.not_https');
  return [];
}

/** Returns a function that never rejects. */
export function createDestinationCall({ allowedDestinations, now }: OutboundOptions) {
  const reachableOf = createUrlCheck(allowedDestinations);

  return async function call(request: DestinationCall): Promise<CallResult> {
    const { url, headers = {}, body, timeoutMs } = request;
    const isReachable = reachableOf(url);
    if (!isReachable) return { kind: 'failed', outcome: addressRefused };
    const result = await sendRequest({
      method: body === undefined ? 'GET' : 'POST',
      url,
      headers: {
        ...headers,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        'user-agent': 'Inlet',
      },
      body: body ?? '',
      lookup: guardedLookup(isReachable),
      timeoutMs: Math.min(timeoutMs, maxTimeoutMs),
    });
    if (result.kind === 'failed') return { kind: 'failed', outcome: connectionFailure(result) };
    const { retryAfter, ...answer } = result;
    return { ...answer, retryAfterMs: retryAfterMsOf(retryAfter, now()) };
  };
}

export const isAccepted = ({ status }: DestinationAnswer): boolean => status >= 200 && status < 300;

type ProbeRequest = {
  readonly requestOf: (settings: ChannelSettings) => Pick<DestinationCall, 'url' | 'headers'>;
  readonly errorOf: (answer: DestinationAnswer) => DeliveryOutcome;
};

/** Returns a probe that makes one GET. */
export function createGetProbe(
  options: OutboundOptions,
  { requestOf, errorOf }: ProbeRequest,
): Probe {
  const call = createDestinationCall(options);

  return async function probe(settings, { timeoutMs }) {
    const result = await call({ ...requestOf(settings), timeoutMs });
    if (result.kind === 'failed') return result.outcome;
    return isAccepted(result) ? { kind: 'delivered' } : errorOf(result);
  };
}

/** `isSent`: the destination may have the request. */
export function connectionFailure({
  error,
  isSent,
}: {
  readonly error: Error;
  readonly isSent: boolean;
}): DeliveryOutcome {
  if (error instanceof DestinationNotAllowed) return addressRefused;
  const { code } = error as NodeJS.ErrnoException;
  const isTimeout = error.name === 'AbortError' || error.name === 'TimeoutError';
  // Only codes of Node and OpenSSL: a message may contain the URL.
  const detail = isTimeout ? 'timeout' : /^[A-Z0-9_]{1,60}$/.test(code ?? '') ? code : 'failed';
  return notAnswered(detail ?? 'failed', isSent);
}
