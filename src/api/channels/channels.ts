/**
 * Channels: create, change, delete and test.
 *
 * Promises: secret settings are write-only, and stay with the origin that they were given for. A change that conflicts with
 * another one stores nothing.
 */
import { AppError, orNotFound, type FieldProblem } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { openOrNull } from '../../base/secrets/vault.ts';
import type { ChannelSettings, OutboundOptions, OutgoingMessage } from '../../channels/channel.ts';
import { channelKinds, createDeliverers, isOutbound } from '../../channels/registry.ts';
import { openSettings, secretFields } from '../../channels/secrets.ts';
import { channelSecretLocation } from '../../domain/access/secret-locations.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Reason } from '../../domain/events/actions.ts';
import { healthStateOf, type ChannelHealth } from '../../domain/messages/channel-health.ts';
import type { ChannelKind, ChannelRecord } from '../../domain/messages/channel.ts';
import type { Paged } from '../../domain/pagination.ts';
import { isPhoneRegion } from '../../domain/people/phone.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import {
  createSecretSettings,
  rejectSettings,
  testDestination,
  testWithinMs,
} from './secret-settings.ts';
import { readReceiving, type Receiving } from '../webhooks/registration.ts';

type NewChannel = Pick<ChannelRecord, 'name' | 'kind'> & { readonly settings?: ChannelSettings };

/** Settings are merged (RFC 7396): null removes a setting, absent settings stay. */
type ChannelChange = Partial<Pick<ChannelRecord, 'name' | 'enabled'>> & {
  readonly settings?: ChannelSettings;
};

/** Validates settings against the schema of the kind. Paths are relative to the settings. */
type CheckSettings = (kind: ChannelKind, settings: ChannelSettings) => readonly FieldProblem[];

/**
 * `health`: null while its destination works, and for a kind without one. `pausedUntil`: when the pause ends that the destination
 * asked for; null without one.
 */
export type ChannelWithHealth = ChannelRecord & {
  readonly health?: ChannelHealth | null;
  readonly pausedUntil?: Date | null;
};

type ChannelDeps = Pick<
  ApiContext,
  'keys' | 'channels' | 'channelHealth' | 'channelRates' | 'allowedDestinations' | 'vault'
>;

/** Checks what the schema cannot express. Throws `invalid_field`. */
function checkSettings(kind: ChannelKind, settings: ChannelSettings, terms: OutboundOptions): void {
  const { region } = settings;
  const problems: FieldProblem[] = [
    ...(channelKinds[kind].outbound?.validateSettings(settings, terms) ?? []),
  ];
  if (typeof region === 'string' && !isPhoneRegion(region)) {
    problems.push({ path: '/region', message: 'is not a country with phone numbers' });
  }
  rejectSettings(problems);
}

const rulesOf = (
  kind: ChannelKind,
  { terms, check }: { readonly terms: OutboundOptions; readonly check: CheckSettings },
) => ({
  secretNames: secretFields(kind),
  originOf: (own: ChannelSettings) => channelKinds[kind].outbound?.originOf(own) ?? null,
  check(whole: ChannelSettings) {
    rejectSettings(check(kind, whole));
    checkSettings(kind, whole, terms);
  },
});

const testMessageFor = (channelId: string): OutgoingMessage => ({
  type: 'message',
  id: newId(),
  test: true,
  date: new Date().toISOString(),
  channelId,
  webhookId: null,
  eventId: null,
  chatId: null,
  contact: null,
  from: 'client',
  content: { type: 'text', text: 'Inlet: test' },
});

async function withHealth(
  { channelHealth, channelRates }: ChannelDeps,
  records: readonly ChannelRecord[],
): Promise<ChannelWithHealth[]> {
  const ids = records.map(({ _id }) => _id);
  const [found, pauses] = await Promise.all([
    channelHealth.getMany(ids),
    channelRates.findPauses(ids),
  ]);
  const health = new Map(found.map((one) => [one._id, one]));
  return records.map((one) => ({
    ...one,
    health: health.get(one._id) ?? null,
    pausedUntil: pauses.get(one._id) ?? null,
  }));
}

export function createChannels(deps: ChannelDeps) {
  const { channels, channelHealth, allowedDestinations, vault } = deps;
  const terms: OutboundOptions = { allowedDestinations, now: () => new Date() };
  const { split, merge } = createSecretSettings(vault, channelSecretLocation);
  const deliverers = createDeliverers(terms);

  const get = async (id: string): Promise<ChannelRecord> => orNotFound(await channels.get(id));
  const getWithHealth = async (id: string) =>
    orNotFound((await withHealth(deps, [await get(id)]))[0]);

  return {
    kinds: channelKinds,
    describeKinds,
    async list(...query: Parameters<typeof channels.list>): Promise<Paged<ChannelWithHealth>> {
      const page = await channels.list(...query);
      return { ...page, results: await withHealth(deps, page.results) };
    },
    get: getWithHealth,

    create({ name, kind, settings = {} }: NewChannel, actor: Actor): Promise<ChannelRecord> {
      checkSettings(kind, settings, terms);
      const id = newId();
      const stored = split(id, secretFields(kind), settings);
      return channels.create({ id, name, kind, ...stored }, actor);
    },

    /** Changes name, settings or state; the kind is fixed. Throws `invalid_field` or `conflict`. */
    async change(
      id: string,
      { settings, ...set }: ChannelChange,
      { actor, check }: { readonly actor: Actor; readonly check: CheckSettings },
    ): Promise<ChannelWithHealth> {
      await retryOnConflict(async () => {
        const seen = await get(id);
        const rules = rulesOf(seen.kind, { terms, check });
        return channels.change(
          seen,
          { ...set, ...(settings && merge(seen, settings, rules)) },
          actor,
        );
      });
      // A person who enables it or changes its settings expects the next message to be sent.
      if (set.enabled || settings) await channelHealth.reset(id);
      return getWithHealth(id);
    },

    /**
     * Deletes a channel. Throws `in_use` with some of the webhooks that use it (archived ones do not count) or
     * with open events and deliveries.
     */
    async remove(id: string, actor: Actor): Promise<void> {
      const removed = await channels.remove(id, actor);
      if (removed.ok || removed.reason !== 'in_use') return;
      const usedBy = removed.users.map(({ type, _id, name }) => ({ type, id: _id, name }));
      throw new AppError('in_use', { details: { usedBy } });
    },

    /** Sends one message that is marked as a test. An internal channel always reports `delivered`. */
    async test(id: string): ReturnType<typeof testDestination> {
      const channel = await get(id);
      const deliver = deliverers[channel.kind];
      if (!deliver) return { outcome: 'delivered', reason: null };
      return testDestination(
        openOrNull(() => openSettings(channel, vault)),
        (settings) => deliver(testMessageFor(id), settings, { timeoutMs: testWithinMs }),
      );
    },

    probe: createProbe({ ...deps, get, terms }),
  };
}

const describeKinds = () =>
  Object.values(channelKinds).map(({ kind, settingsSchema, outbound, inbound }) => ({
    kind,
    goesOutside: isOutbound(kind),
    capabilities: outbound?.capabilities ?? null,
    idempotency: outbound?.idempotency ?? null,
    inbound: inbound
      ? { producers: [...inbound.producers], registers: inbound.createRegistration !== undefined }
      : null,
    settingsSchema,
    secrets: [...secretFields(kind)],
  }));

type ProbeDeps = ChannelDeps & {
  readonly get: (id: string) => Promise<ChannelRecord>;
  readonly terms: OutboundOptions;
};

/**
 * Checks the connection and the credentials, without a message. A success ends a failure of the channel, and enables it if Inlet
 * disabled it.
 */
function createProbe({ keys, channels, channelHealth, vault, get, terms }: ProbeDeps) {
  return async function probe(id: string, actor: Actor): Promise<ProbeResult> {
    const channel = await get(id);
    const { outbound, inbound } = channelKinds[channel.kind];
    if (!outbound) return works;
    const settings = openOrNull(() => openSettings(channel, vault));
    if (!settings) return failed('secret_unreadable' satisfies Reason);
    const result = await outbound.createProbe(terms)(settings, { timeoutMs: testWithinMs });
    if (result.kind !== 'delivered') return failed(result.reason);
    const registration = inbound?.createRegistration?.(terms);
    const receives = registration ? await readReceiving({ keys }, registration, settings) : null;
    // Read again: the probe takes a while, in which a worker may have disabled the channel.
    const [now, health] = await Promise.all([get(id), channelHealth.get(id)]);
    if (healthStateOf(health, now) === 'off') {
      const changed = await channels.change(now, { enabled: true }, actor);
      if (!changed.ok) throw new AppError('conflict');
    }
    if (health) await channelHealth.reset(id);
    return { ...works, receives };
  };
}

type ProbeResult = {
  readonly outcome: 'works' | 'failed';
  readonly reason: string | null;
  /** Where the service posts; null for a service that has no such setting, or did not say. */
  readonly receives: Receiving | null;
};
const works: ProbeResult = { outcome: 'works', reason: null, receives: null };
const failed = (reason: string): ProbeResult => ({ outcome: 'failed', reason, receives: null });
