// Whether the messages of a channel kept its rates, over all workers. A rate is taken before an attempt begins, so a message may
// arrive later than it was allowed to, and the next one sooner after it.
import { plans, recipientMs, type ChannelName } from './channels.ts';
import type { Arrival } from './stand-ins.ts';

type RateTerms = {
  readonly name: ChannelName;
  readonly leaseMs: number;
  /** Whether a fault may have delayed an attempt within the time. */
  readonly isFaulty: (from: number, until: number) => boolean;
};

/** Beyond half of a lease after its claim no attempt begins; the claim and the connection take their time. */
const marginMs = 1_000;
/** As long as a fault can stop the answer of a database or a process. */
const delayedByFaultMs = 8_000;

type Rate = {
  /** The least time between two messages after the first `burst`. */
  readonly everyMs: number;
  readonly burst: number;
};

/** Returns the times of the first breach: more messages than the rate allows in that time. */
function firstBreach(
  times: readonly number[],
  { everyMs, burst }: Rate,
  { leaseMs, isFaulty }: RateTerms,
): string | null {
  const slackMs = leaseMs / 2 + marginMs;
  for (const [first, from] of times.entries()) {
    for (let last = first + burst; last < times.length; last += 1) {
      const until = times[last] ?? 0;
      const lackingMs = (last - first + 1 - burst) * everyMs - (until - from);
      if (lackingMs <= slackMs) continue;
      const isDelayed = isFaulty(from - delayedByFaultMs, until);
      if (lackingMs <= slackMs + (isDelayed ? delayedByFaultMs : 0)) continue;
      return `${last - first + 1} messages in ${until - from} ms`;
    }
  }
  return null;
}

export function findRateBreaches(arrivals: readonly Arrival[], terms: RateTerms): string[] {
  const plan: {
    readonly kind: keyof typeof recipientMs | 'http' | 'smtp';
    readonly perMinute?: number;
  } = plans[terms.name];
  const breaches: string[] = [];
  if (plan.perMinute !== undefined) {
    const rate = { everyMs: 60_000 / plan.perMinute, burst: Math.max(1, plan.perMinute / 60) };
    const found = firstBreach(
      arrivals.map(({ at }) => at),
      rate,
      terms,
    );
    if (found !== null) breaches.push(found);
  }
  const everyMs = recipientMs[plan.kind];
  if (everyMs === undefined) return breaches;
  for (const recipient of new Set(arrivals.map((arrival) => arrival.recipient))) {
    const times = arrivals.filter((one) => one.recipient === recipient).map(({ at }) => at);
    const found = firstBreach(times, { everyMs, burst: 1 }, terms);
    if (found !== null) breaches.push(`${found} to ${recipient}`);
  }
  return breaches;
}
