/**
 * What judges a request between its key and its body: the address that it comes from, then how often its webhook is called.
 *
 * Promises: it takes no round trip and reads nothing of the body; who is refused by address uses up nobody's rate.
 * Each server counts for itself: N of them let N times the rate through.
 */
import { createTokenBucket } from '../base/rate-limit/token-bucket.ts';
import type { Clock } from '../base/clock.ts';
import { AppError } from '../base/errors.ts';
import {
  isInRange,
  parseAddress,
  parseRange,
  type AddressRange,
} from '../domain/access/ip-address.ts';
import { rateOf } from '../domain/webhooks/source-policy.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';

/** Throws `source_not_allowed` or `rate_limited`. Whoever delivers nothing is judged by address alone. */
export type EnforceSourcePolicy = (
  webhook: Webhook,
  addressOf: () => string,
  by?: 'address',
) => void;

/** More webhooks than one server hears of within the minute that a bucket may take to fill. */
const maxRemembered = 20_000;

export function createSourcePolicy(clock: Clock): EnforceSourcePolicy {
  const buckets = createTokenBucket({ max: maxRemembered, nowMs: () => clock.elapsedMs() });
  const rangesOf = createRanges();

  return function judge({ _id, settings: { allowlist, rateLimit } }, addressOf, by) {
    if (allowlist) {
      const address = parseAddress(addressOf());
      const isAllowed = address && rangesOf(allowlist).some((range) => isInRange(address, range));
      if (!isAllowed) throw new AppError('source_not_allowed');
    }
    if (!rateLimit || by) return;
    const { retryAfterMs, ...quota } = buckets.take(_id, rateOf(rateLimit));
    if (retryAfterMs > 0) throw new AppError('rate_limited', { retryAfterMs, quota });
  };
}

/** Read once for as long as the webhook is remembered. */
function createRanges() {
  const known = new WeakMap<readonly string[], readonly AddressRange[]>();
  return (allowlist: readonly string[]): readonly AddressRange[] => {
    const found = known.get(allowlist);
    if (found) return found;
    const ranges = allowlist.map(parseRange).filter((range) => range !== null);
    known.set(allowlist, ranges);
    return ranges;
  };
}
