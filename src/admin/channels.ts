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
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import { isPhoneRegion } from '../domain/people/phone.ts';
import type { Reason } from '../domain/events/actions.ts';
import type { AdminDeps } from './dependencies.ts';
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

type ChannelDeps = Pick<AdminDeps, 'channels' | 'allowedDestinations' | 'vault'>;

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

export function createChannels({ channels, allowedDestinations, vault }: ChannelDeps) {
  const terms: OutboundOptions = { allowedDestinations, now: () => new Date() };
  const { checkSettings, sealAll, mergeSecrets } = createSettingsRules(terms, vault);

  const get = async (id: string): Promise<ChannelRecord> => orNotFound(await channels.get(id));

  return {
    kinds: channelKinds,
    describeKinds: () =>
      Object.values(channelKinds).map(({ kind, settingsSchema }) => ({
        kind,
        goesOutside: isOutbound(kind),
        settingsSchema,
        secrets: [...secretFields(kind)],
      })),
    list: channels.list,
    get,

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
    ): Promise<ChannelRecord> {
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
        if (changed.ok) return changed.value;
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
  };
}

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
