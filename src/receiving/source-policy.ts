/**
 * The source policy of a webhook: an allowlist of client addresses, and a rate limit.
 *
 * Promises: a check needs no round trip and no body. A request from a forbidden address does not count towards the rate.
 * Limit: each server counts for itself, so N servers let N times the rate through.
 */
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import { createTokenBucket, type Rate } from '../base/rate-limit/token-bucket.ts';
import {
  isInRange,
  parseAddress,
  parseRange,
  type AddressRange,
} from '../domain/access/ip-address.ts';
import { rateOf } from '../domain/webhooks/source-policy.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** Webhooks whose rate is tracked at the same time. The least recently used one starts again with a full bucket. */
const maxRates = 20_000;

/** Without a setting: as much as a setting allows, and more than a server stores. Only abuse reaches it. */
const defaultRate: Rate = { burst: 20_000, everyMs: 0.1 };

export const createSourcePolicy = (clock: Clock) => ({
  /** Rate limits by webhook id. */
  rates: createTokenBucket({ max: maxRates, nowMs: () => clock.elapsedMs() }),
  /** Parsed allowlists, for as long as their webhook is cached. */
  ranges: new WeakMap<readonly string[], readonly AddressRange[]>(),
});
type SourcePolicy = ReturnType<typeof createSourcePolicy>;

/** Throws `source_not_allowed` or `rate_limited`. */
export function requireAllowedSource(
  policy: SourcePolicy,
  webhook: Webhook,
  clientAddress: () => string,
): void {
  requireAllowedAddress(policy, webhook, clientAddress);
  requireWithinRate(policy, webhook);
}

/** Throws `source_not_allowed`. */
export function requireAllowedAddress(
  policy: SourcePolicy,
  { settings: { allowlist } }: Webhook,
  clientAddress: () => string,
): void {
  if (!allowlist) return;
  const address = parseAddress(clientAddress());
  const isAllowed =
    address && rangesOf(policy, allowlist).some((range) => isInRange(address, range));
  if (!isAllowed) throw new AppError('source_not_allowed');
}

function requireWithinRate({ rates }: SourcePolicy, { _id, settings: { rateLimit } }: Webhook) {
  const rate = rateLimit ? rateOf(rateLimit) : defaultRate;
  // A key of its own: the debt of a slower rate that was removed does not apply.
  const key = rateLimit ? _id : `default:${_id}`;
  const { retryAfterMs, ...quota } = rates.take(key, rate);
  if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs, quota });
}

function rangesOf({ ranges }: SourcePolicy, allowlist: readonly string[]) {
  const known = ranges.get(allowlist);
  if (known) return known;
  const parsed = allowlist.map(parseRange).filter((range) => range !== null);
  ranges.set(allowlist, parsed);
  return parsed;
}
