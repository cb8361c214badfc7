/**
 * Detects webhooks whose sender resends stored events. Their requests are counted before they are inserted: an insert that
 * the unique index rejects costs MongoDB several times as much as the count.
 *
 * Promise: it decides only the order of the two. A webhook with few resends never waits for a count.
 */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../base/concurrency/cache.ts';

const maxWebhooks = 10_000;
/** A storm is on from `onAt`. A resend adds one up to `most`, a new event takes two away, so half of each ends it. */
const onAt = 20;
const most = 40;

export function createResendStorms() {
  const scores = new LRUCache<string, number>(atMost(maxWebhooks));
  return {
    /** Whether most of the last requests of the webhook were resends. */
    isOn: (webhookId: string): boolean => (scores.get(webhookId) ?? 0) >= onAt,
    note(webhookId: string, what: 'new' | 'resend'): void {
      const score = scores.get(webhookId);
      if (what === 'resend') scores.set(webhookId, Math.min(most, (score ?? 0) + 1));
      else if (score !== undefined && score > 2) scores.set(webhookId, score - 2);
      else if (score !== undefined) scores.delete(webhookId);
    },
  };
}
