/**
 * Invalidations of cached webhooks and tokens over Redis pub/sub, from the process that made the change to all servers.
 *
 * Promises: listening never blocks a start, and resumes by itself after a Redis outage. Those sent in between are lost,
 * so `onGap` is called. An invalidation carries an id and nothing else.
 * Must never be relied on: servers poll the database for the same changes.
 */
import { sleep } from '../base/clock.ts';
import { connectSubscriber } from './connection.ts';

/** Returns the names of the Redis channels. */
export const invalidationChannels = (prefix: string) => ({
  webhooks: `${prefix}:changed-webhooks`,
  tokens: `${prefix}:changed-tokens`,
});

type ListenDeps = {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly onChange: (webhookId: string) => void;
  readonly onTokenChange: (tokenId: string) => void;
  /** Called when invalidations may have been lost: after each subscription, the first one included. */
  readonly onGap: () => void;
};

/** Without a ping, a Redis that hangs looks like one without invalidations. */
const pingEveryMs = 10_000;

export function listenForChanges(deps: ListenDeps) {
  const redis = connectSubscriber(deps.redisUrl);
  const channels = invalidationChannels(deps.prefix);
  const closed = new AbortController();
  let isLive = false;

  async function subscribe(): Promise<void> {
    try {
      await redis.subscribe(channels.webhooks, channels.tokens);
      isLive = true;
      deps.onGap();
    } catch {
      // The connection broke. The next `ready` subscribes again.
    }
  }

  async function pingPeriodically(): Promise<void> {
    while (!closed.signal.aborted) {
      await sleep(pingEveryMs, closed.signal);
      // The connection closes a socket that does not answer in time.
      if (redis.status === 'ready') redis.ping().catch(() => undefined);
    }
  }

  redis.on('ready', () => void subscribe());
  redis.on('close', () => (isLive = false));
  redis.on('message', (channel: string, id: string) => {
    if (channel === channels.tokens) deps.onTokenChange(id);
    else deps.onChange(id);
  });
  void pingPeriodically();
  return {
    /** Whether the subscription is active, as far as this side can tell. */
    isLive: () => isLive,
    close(): void {
      closed.abort();
      redis.disconnect();
    },
  };
}
