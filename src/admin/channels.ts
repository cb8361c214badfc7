/** Channels, as people manage them. */
import { AppError, type FieldProblem } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import type { ChannelSettings, OutsideTerms } from '../channels/channel.ts';
import { channelKinds, createDeliverers } from '../channels/registry.ts';
import type { Actor } from '../domain/audit.ts';
import type { ChannelKind, ChannelRecord } from '../domain/channel.ts';
import { isPhoneRegion } from '../domain/phone.ts';
import type { ChannelChange, ChannelStore } from '../store/channels.ts';

export const presentChannel = (channel: ChannelRecord) => ({
  id: channel._id,
  name: channel.name,
  kind: channel.kind,
  settings: channel.settings,
  enabled: channel.enabled,
  createdAt: channel.createdAt.toISOString(),
  updatedAt: channel.updatedAt.toISOString(),
});

export type GivenChannel = {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly settings?: ChannelSettings;
};

export type ChannelDeps = {
  readonly channels: ChannelStore;
  readonly allowedDestinations: readonly string[];
};

/** Longer than any channel's own limit. */
const testWithinMs = 30_000;

export function createChannels({ channels, allowedDestinations }: ChannelDeps) {
  const terms: OutsideTerms = { allowedDestinations, now: () => new Date() };
  const deliverers = createDeliverers(terms);

  /** What the kind's schema cannot say. */
  function checkSettings(kind: ChannelKind, settings: ChannelSettings): void {
    const { region } = settings;
    const problems: FieldProblem[] = [
      ...(channelKinds[kind].outside?.problemsOf(settings, terms) ?? []),
    ];
    if (typeof region === 'string' && !isPhoneRegion(region)) {
      problems.push({ path: '/region', message: 'is no country with phone numbers' });
    }
    if (problems.length === 0) return;
    const fields = problems.map(({ path, message }) => ({ path: `/settings${path}`, message }));
    throw new AppError('invalid_field', { details: { fields } });
  }

  async function get(id: string): Promise<ChannelRecord> {
    const channel = await channels.get(id);
    if (!channel) throw new AppError('not_found');
    return channel;
  }

  return {
    kinds: channelKinds,
    list: channels.list,
    get,

    create({ name, kind, settings = {} }: GivenChannel, actor: Actor): Promise<ChannelRecord> {
      checkSettings(kind, settings);
      return channels.create({ name, kind, settings: { ...settings } }, actor);
    },

    /** Settings are given whole; the kind stays. */
    async change(id: string, set: ChannelChange, actor: Actor): Promise<ChannelRecord> {
      const { kind } = await get(id);
      if (set.settings) checkSettings(kind, set.settings);
      const changed = await channels.change(id, set, actor);
      if (!changed) throw new AppError('not_found');
      return changed;
    },

    /** Sends a message of nobody, marked as a test, once. A channel that leads nowhere has always delivered. */
    async test(id: string) {
      const { kind, settings } = await get(id);
      const deliver = deliverers[kind];
      if (!deliver) return { outcome: 'delivered' as const, reason: null };
      const message = {
        type: 'message',
        id: newId(),
        test: true,
        date: new Date().toISOString(),
        channelId: id,
        webhookId: null,
        eventId: null,
        chatId: null,
        contact: null,
        content: { type: 'text', text: 'Inlet: test' },
      } as const;
      const outcome = await deliver(message, settings, testWithinMs);
      return {
        outcome: outcome.kind === 'delivered' ? ('delivered' as const) : ('failed' as const),
        reason: outcome.kind === 'delivered' ? null : outcome.reason,
      };
    },
  };
}
