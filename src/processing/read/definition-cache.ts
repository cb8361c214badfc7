/**
 * The webhooks and channels that processing needs, cached so that a set costs no round trip for them.
 *
 * Promises: those that a set lacks are loaded by one statement. A change is noticed within about a second by a poll; without a
 * poll, values expire after 5 s. What does not exist is not cached.
 */
import type { Clock } from '../../base/clock.ts';
import { createCache } from '../../base/concurrency/cache.ts';
import { startChangePoll } from '../../base/concurrency/change-poll.ts';
import { gatherLoads } from '../../base/concurrency/gather-loads.ts';
import type { Logger } from '../../base/observability/logger.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import { getPresentChannels, listChangedChannels } from '../../store/channels/channels.ts';
import type { Db } from '../../store/db/connection.ts';
import { getWebhooks, listChangedWebhooks } from '../../store/webhooks/webhooks.ts';

type ChangedSince = Parameters<typeof startChangePoll>[0]['changedSince'];
type Load<Definition> = (ids: readonly string[]) => Promise<readonly Definition[]>;

type DefinitionCacheDeps = Db & { readonly logger: Logger };

export type DefinitionCache = ReturnType<typeof createDefinitionCache>;

/** More than 10,000 webhooks, each with a channel of its own, which take 19 MB together. */
const maxDefinitions = 12_000;
// A webhook's name and producer and a channel's settings may be this old. What would make an event dead is read again.
const ttlMs = 5_000;
/** In case a change became visible only after the polls that read its time. */
const maxAgeMs = 300_000;

type StoreCacheDeps<Definition> = {
  readonly load: Load<Definition>;
  readonly changedSince: ChangedSince;
  readonly onPollError: (error: unknown) => void;
  readonly clock: Clock;
};

function createStoreCache<Definition extends { readonly _id: string }>(
  deps: StoreCacheDeps<Definition>,
) {
  const { load, changedSince, onPollError: onError, clock } = deps;
  const find = gatherLoads(async (ids) => {
    const found = await load(ids);
    return new Map(found.map((definition) => [definition._id, definition]));
  });
  const cache = createCache<{ readonly found: Definition | null }>({
    max: maxDefinitions,
    ttlMs,
    maxAgeMs,
    nowMs: () => clock.elapsedMs(),
    shouldCache: ({ found }) => found !== null,
    load: async (id) => ({ found: (await find(id)) ?? null }),
  });
  const forget = (ids: ReadonlySet<string>) => cache.invalidate((_found, id) => ids.has(id));
  const { poll, close } = startChangePoll({
    changedSince,
    isIdle: () => cache.isIdle(),
    onChange: (ids) => (ids === 'all' ? cache.invalidate() : forget(ids)),
    onCurrent: (atMs) => cache.confirm(atMs),
    onError,
    clock,
  });
  return { get: async (id: string) => (await cache.get(id)).found, forget, poll, close };
}

export function createDefinitionCache(deps: DefinitionCacheDeps) {
  const { logger, clock } = deps;
  const webhooks = createStoreCache({
    load: (ids) => getWebhooks(deps, ids),
    changedSince: (since, limit) => listChangedWebhooks(deps, since, limit),
    onPollError: (err) => logger.debug({ err }, 'webhooks.poll_failed'),
    clock,
  });
  const channels = createStoreCache({
    load: (ids) => getPresentChannels(deps, ids),
    changedSince: (since, limit) => listChangedChannels(deps, since, limit),
    onPollError: (err) => logger.debug({ err }, 'channels.poll_failed'),
    clock,
  });
  return {
    webhook: webhooks.get,
    channel: channels.get,
    /** What the events need is read from the store when it is needed next. */
    forget(events: readonly Pick<EventRecord, 'webhookId' | 'channelId'>[]): void {
      const ids = new Set(events.flatMap(({ webhookId, channelId }) => [webhookId, channelId]));
      webhooks.forget(ids);
      channels.forget(ids);
    },
    /** Drops what other processes changed. Never rejects. */
    poll: async (): Promise<void> => void (await Promise.all([webhooks.poll(), channels.poll()])),
    close(): void {
      webhooks.close();
      channels.close();
    },
  };
}
