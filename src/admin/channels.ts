/**
 * Channels: create, change, delete and test.
 *
 * Promises: secret settings are write-only, and stay with the origin that they were given for. A change that conflicts with
 * another one stores nothing.
 */
import { AppError, orNotFound, type FieldProblem } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { mergePatch } from '../base/json/merge-patch.ts';
import { openOrNull, type Vault } from '../base/secrets/vault.ts';
import type { ChannelSettings, OutboundOptions } from '../channels/channel.ts';
import { channelKinds, createDeliverers, isOutbound } from '../channels/registry.ts';
import { openSettings, secretFields } from '../channels/secrets.ts';
import { channelSecretLocation } from '../domain/access/secret-locations.ts';
import type { Actor } from '../domain/audit/audit.ts';
import type { ChannelHealth } from '../domain/messages/channel-health.ts';
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import { healthStateOf } from '../domain/messages/channel-health.ts';
import type { Paged } from '../domain/pagination.ts';
import { isPhoneRegion } from '../domain/people/phone.ts';
import type { Reason } from '../domain/events/actions.ts';
import type { AdminDeps } from './dependencies.ts';
import { readReceiving, type Receiving } from './webhooks/registration.ts';
import {
  createSecretSettings,
  rejectSettings,
  requireSecretsAgain,
  splitSettings,
  withoutNulls,
} from './secret-settings.ts';

type NewChannel = {
  readonly name: string;
  readonly kind: ChannelKind;
  readonly settings?: ChannelSettings;
};

/** Settings are merged (RFC 7396): null removes a setting, absent settings stay. */
type ChannelChange = {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly settings?: ChannelSettings;
};

/** Validates settings against the schema of the kind. Paths are relative to the settings. */
export type CheckSettings = (
  kind: ChannelKind,
  settings: ChannelSettings,
) => readonly FieldProblem[];

/**
 * `health`: null while its destination works, and for a kind without one. `pausedUntil`: when the pause ends that the destination
 * asked for; null without one.
 */
export type ChannelWithHealth = ChannelRecord & {
  readonly health?: ChannelHealth | null;
  readonly pausedUntil?: Date | null;
};

type ChannelDeps = Pick<
  AdminDeps,
  'keys' | 'channels' | 'channelHealth' | 'channelRates' | 'allowedDestinations' | 'vault'
>;

const unreadable: Reason = 'secret_unreadable';
/** Longer than the timeout of any channel. */
const testWithinMs = 30_000;
// Each retry follows a conflicting change.
const maxTries = 5;

/** Separates plain from secret settings. */
const split = (kind: ChannelKind, settings: ChannelSettings) =>
  splitSettings(secretFields(kind), settings);

const originOf = ({ kind }: ChannelRecord, settings: ChannelSettings): string | null =>
  channelKinds[kind].outbound?.originOf(settings) ?? null;

function createSettingsRules(terms: OutboundOptions, vault: Vault) {
  /** Checks what the schema cannot express. Throws `invalid_field`. */
  function checkSettings(kind: ChannelKind, settings: ChannelSettings): void {
    const { region } = settings;
    const problems: FieldProblem[] = [
      ...(channelKinds[kind].outbound?.validateSettings(settings, terms) ?? []),
    ];
    if (typeof region === 'string' && !isPhoneRegion(region)) {
      problems.push({ path: '/region', message: 'is not a country with phone numbers' });
    }
    rejectSettings(problems);
  }

  return { checkSettings, ...createSecretSettings(vault, channelSecretLocation) };
}

export function createChannels(deps: ChannelDeps) {
  const { channels, channelHealth, channelRates, allowedDestinations, vault } = deps;
  const terms: OutboundOptions = { allowedDestinations, now: () => new Date() };
  const { checkSettings, sealAll, mergeSecrets } = createSettingsRules(terms, vault);

  const get = async (id: string): Promise<ChannelRecord> => orNotFound(await channels.get(id));
  async function getWithHealth(id: string): Promise<ChannelWithHealth> {
    const [channel, health, pauses] = await Promise.all([
      get(id),
      channelHealth.get(id),
      channelRates.findPauses([id]),
    ]);
    return { ...channel, health, pausedUntil: pauses.get(id) ?? null };
  }

  return {
    kinds: channelKinds,
    describeKinds,
    list: createList(deps),
    get: getWithHealth,

    create({ name, kind, settings = {} }: NewChannel, actor: Actor): Promise<ChannelRecord> {
      checkSettings(kind, settings);
      const id = newId();
      const { plain, secret } = split(kind, settings);
      const secrets = sealAll(id, secret) as Record<string, string>;
      return channels.create({ id, name, kind, settings: plain, secrets }, actor);
    },

    /** Changes name, settings or state; the kind is fixed. Throws `invalid_field` or `conflict`. */
    async change(
      id: string,
      { settings, ...set }: ChannelChange,
      { actor, check }: { readonly actor: Actor; readonly check: CheckSettings },
    ): Promise<ChannelWithHealth> {
      for (let tries = 0; tries < maxTries; tries += 1) {
        const seen = await get(id);
        const { plain, secret: given } = split(seen.kind, settings ?? {});
        const merged = mergePatch(seen.settings, plain) as ChannelSettings;
        const isMoved = originOf(seen, merged) !== originOf(seen, seen.settings);
        const secret = mergeSecrets(seen, given, isMoved);
        if (settings) {
          const whole = { ...merged, ...withoutNulls(secret) };
          rejectSettings(check(seen.kind, whole));
          checkSettings(seen.kind, whole);
          if (isMoved) requireSecretsAgain(seen, given);
        }
        const change = {
          ...set,
          ...(settings && { settings: merged, secrets: sealAll(id, secret) }),
        };
        const changed = await channels.change(seen, change, actor);
        if (!changed.ok) continue;
        // A person who enables it or changes its settings expects the next message to be sent.
        if (set.enabled || settings) await channelHealth.reset(id);
        return getWithHealth(id);
      }
      throw new AppError('conflict');
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

    test: createTest({ get, vault, terms }),
    probe: createProbe({ ...deps, get, terms }),
  };
}

type ListDeps = Pick<ChannelDeps, 'channels' | 'channelHealth' | 'channelRates'>;

function createList({ channels, channelHealth, channelRates }: ListDeps) {
  return async function list(
    ...query: Parameters<typeof channels.list>
  ): Promise<Paged<ChannelWithHealth>> {
    const page = await channels.list(...query);
    const ids = page.results.map(({ _id }) => _id);
    const [found, pauses] = await Promise.all([
      channelHealth.getMany(ids),
      channelRates.findPauses(ids),
    ]);
    const health = new Map(found.map((one) => [one._id, one]));
    const results = page.results.map((one) => ({
      ...one,
      health: health.get(one._id) ?? null,
      pausedUntil: pauses.get(one._id) ?? null,
    }));
    return { ...page, results };
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

type ProbeDeps = Pick<ChannelDeps, 'keys' | 'channels' | 'channelHealth' | 'vault'> & {
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
    if (!settings) return failed(unreadable);
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

type TestDeps = {
  readonly get: (id: string) => Promise<ChannelRecord>;
  readonly vault: Vault;
  readonly terms: OutboundOptions;
};

type TestResult = { readonly outcome: 'delivered' | 'failed'; readonly reason: string | null };

const delivered: TestResult = { outcome: 'delivered', reason: null };

/** Sends one message that is marked as a test. An internal channel always reports `delivered`. */
function createTest({ get, vault, terms }: TestDeps) {
  const deliverers = createDeliverers(terms);

  return async function test(id: string): Promise<TestResult> {
    const channel = await get(id);
    const deliver = deliverers[channel.kind];
    if (!deliver) return delivered;
    const settings = openOrNull(() => openSettings(channel, vault));
    if (!settings) return { outcome: 'failed', reason: unreadable };
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
      from: 'client',
      content: { type: 'text', text: 'Inlet: test' },
    } as const;
    const outcome = await deliver(message, settings, { timeoutMs: testWithinMs });
    return outcome.kind === 'delivered' ? delivered : { outcome: 'failed', reason: outcome.reason };
  };
}
