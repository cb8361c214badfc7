/** Destinations: a channel does not take messages. */
import { healthStateOf, type ChannelHealth } from '../../domain/messages/channel-health.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Condition } from '../../domain/notices/notice.ts';

const levels = { healthy: 0, failing: 1, off: 10 } as const;

/** Leaves out channels that are deleted, and those that a person disabled. */
export function destinationsFailing(
  healths: readonly ChannelHealth[],
  channels: readonly Pick<ChannelRecord, '_id' | 'name' | 'enabled' | 'deletedAt'>[],
): Condition[] {
  const healthOf = new Map(healths.map((health) => [health._id, health]));
  return channels.flatMap((channel): Condition[] => {
    const health = healthOf.get(channel._id);
    const state = healthStateOf(health, channel);
    const isLeftOut = Boolean(channel.deletedAt) || (!channel.enabled && state !== 'off');
    if (!health || state === 'healthy' || isLeftOut) return [];
    return [
      {
        kind: 'destination_failing',
        webhookId: null,
        subject: channel._id,
        level: levels[state],
        facts: { name: channel.name, since: health.failingSince ?? health.since },
      },
    ];
  });
}
