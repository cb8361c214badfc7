/**
 * Word of changed webhooks, from the process that made the change to all that receive.
 *
 * Promises: listening holds up nobody, at the start neither, and goes on by itself after Redis was away; what was said
 * meanwhile is lost, so `onGap` is told to look. A notice carries a webhook's id and nothing else.
 * Must never be relied on: receivers poll the database for the same changes.
 */
import { sleep } from '../base/clock.ts';
import { connectBlocking } from './connection.ts';

export const changesChannel = (prefix: string): string => `${prefix}:changed-webhooks`;

export type ChangeListener = {
  /** Whether notices come at present, as far as this side can tell. */
  readonly isLive: () => boolean;
  readonly close: () => void;
};

export type ListenDeps = {
  readonly redisUrl: string;
  readonly prefix: string;
  readonly onChange: (webhookId: string) => void;
  /** Notices may have been lost: listening has just begun, or begun again. */
  readonly onGap: () => void;
};

/** Without a question now and then, a Redis that hangs would look like one with nothing to say. */
const askEveryMs = 10_000;

export function listenForChanges(deps: ListenDeps): ChangeListener {
  const redis = connectBlocking(deps.redisUrl);
  const closing = new AbortController();
  let isLive = false;

  async function begin(): Promise<void> {
    try {
      await redis.subscribe(changesChannel(deps.prefix));
      isLive = true;
      deps.onGap();
    } catch {
      // The connection broke; it begins again once there is another.
    }
  }

  async function keepAsking(): Promise<void> {
    while (!closing.signal.aborted) {
      await sleep(askEveryMs, closing.signal);
      // Whoever does not answer in time is cut off by the connection itself.
      if (redis.status === 'ready') redis.ping().catch(() => undefined);
    }
  }

  redis.on('ready', () => void begin());
  redis.on('close', () => (isLive = false));
  redis.on('message', (_channel: string, webhookId: string) => deps.onChange(webhookId));
  void keepAsking();
  return {
    isLive: () => isLive,
    close() {
      closing.abort();
      redis.disconnect();
    },
  };
}
