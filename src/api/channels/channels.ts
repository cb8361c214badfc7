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
import { channelKinds, isOutbound } from '../../channels/registry.ts';
import { openSettings, secretFields } from '../../channels/secrets.ts';
import { channelSecretLocation } from '../../domain/access/secret-locations.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Reason } from '../../domain/events/actions.ts';
import { healthStateOf, type ChannelHealth } from '../../domain/messages/channel-health.ts';
import type { ChannelKind, ChannelRecord } from '../../domain/messages/channel.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { isPhoneRegion } from '../../domain/people/phone.ts';
import {
  type ChannelFilter,
  readChannelPage,
  findChannel,
  insertChannel,
  updateChannel,
  markChannelDeleted,
} from '../../store/channels/channels.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import {
  mergeSettings,
  rejectSettings,
  sealSettings,
  testDestination,
  testWithinMs,
  type SecretSettings,
  type TestResult,
} from './secret-settings.ts';
import { readReceiving, type Receiving } from '../webhooks/registration.ts';
import { findChannelPauses } from '../../store/channels/channel-rates.ts';
import {
  getChannelHealths,
  resetChannelHealth,
  getChannelHealth,
} from '../../store/channels/channel-health.ts';

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

const outboundOptions = ({ allowedDestinations, clock }: ApiContext): OutboundOptions => ({
  allowedDestinations,
  now: () => clock.now(),
});

/** Checks what the schema cannot express. Throws `invalid_field`. */
function checkSettings(ctx: ApiContext, kind: ChannelKind, settings: ChannelSettings): void {
  const { region } = settings;
  const problems: FieldProblem[] = [
    ...(channelKinds[kind].outbound?.validateSettings(settings, outboundOptions(ctx)) ?? []),
  ];
  if (typeof region === 'string' && !isPhoneRegion(region)) {
    problems.push({ path: '/region', message: 'field.not_a_country' });
  }
  rejectSettings(problems);
}

const secretsOf = ({ vault }: ApiContext, kind: ChannelKind): SecretSettings => ({
  vault,
  names: secretFields(kind),
  locationOf: channelSecretLocation,
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
  ctx: ApiContext,
  records: readonly ChannelRecord[],
): Promise<ChannelWithHealth[]> {
  const ids = records.map(({ _id }) => _id);
  const [found, pauses] = await Promise.all([
    getChannelHealths(ctx, ids),
    findChannelPauses(ctx, ids),
  ]);
  const health = new Map(found.map((one) => [one._id, one]));
  return records.map((one) => ({
    ...one,
    health: health.get(one._id) ?? null,
    pausedUntil: pauses.get(one._id) ?? null,
  }));
}

export async function listChannels(
  ctx: ApiContext,
  filter: ChannelFilter,
  page: Page,
): Promise<Paged<ChannelWithHealth>> {
  const found = await readChannelPage(ctx, filter, page);
  return { ...found, results: await withHealth(ctx, found.results) };
}

const requireChannel = async (ctx: ApiContext, id: string): Promise<ChannelRecord> =>
  orNotFound(await findChannel(ctx, id));

/** Throws `not_found`. */
export const getChannel = async (ctx: ApiContext, id: string): Promise<ChannelWithHealth> =>
  orNotFound((await withHealth(ctx, [await requireChannel(ctx, id)]))[0]);

export function createChannel(
  ctx: ApiContext,
  { name, kind, settings = {} }: NewChannel,
  actor: Actor,
): Promise<ChannelRecord> {
  checkSettings(ctx, kind, settings);
  const id = newId();
  const stored = sealSettings(secretsOf(ctx, kind), id, settings);
  return insertChannel(ctx, { id, name, kind, ...stored }, actor);
}

/** Changes name, settings or state; the kind is fixed. Throws `invalid_field` or `conflict`. */
export async function changeChannel(
  ctx: ApiContext,
  { id, settings, ...set }: ChannelChange & { readonly id: string },
  { actor, check }: { readonly actor: Actor; readonly check: CheckSettings },
): Promise<ChannelWithHealth> {
  await retryOnConflict(async () => {
    const seen = await requireChannel(ctx, id);
    const { kind } = seen;
    const rules = {
      originOf: (own: ChannelSettings) => channelKinds[kind].outbound?.originOf(own) ?? null,
      check(whole: ChannelSettings) {
        rejectSettings(check(kind, whole));
        checkSettings(ctx, kind, whole);
      },
    };
    const stored =
      settings && mergeSettings(secretsOf(ctx, kind), seen, { change: settings, ...rules });
    return updateChannel(ctx, { seen, change: { ...set, ...stored } }, actor);
  });
  // A person who enables it or changes its settings expects the next message to be sent.
  if (set.enabled || settings) await resetChannelHealth(ctx, id);
  return getChannel(ctx, id);
}

/**
 * Deletes a channel. Throws `in_use` with some of the webhooks that use it (archived ones do not count) or
 * with open events and deliveries.
 */
export async function removeChannel(ctx: ApiContext, id: string, actor: Actor): Promise<void> {
  const removed = await markChannelDeleted(ctx, id, actor);
  if (removed.ok || removed.reason !== 'in_use') return;
  const usedBy = removed.users.map(({ type, _id, name }) => ({ type, id: _id, name }));
  throw new AppError('in_use', { details: { usedBy } });
}

/** Sends one message that is marked as a test. An internal channel always reports `delivered`. */
export async function testChannel(ctx: ApiContext, id: string): Promise<TestResult> {
  const channel = await requireChannel(ctx, id);
  const deliver = channelKinds[channel.kind].outbound?.createDeliver(outboundOptions(ctx));
  if (!deliver) return { outcome: 'delivered', reason: null };
  return testDestination(
    openOrNull(() => openSettings(channel, ctx.vault)),
    (settings) => deliver(testMessageFor(id), settings, { timeoutMs: testWithinMs }),
  );
}

export const describeChannelKinds = () =>
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

/**
 * Checks the connection and the credentials, without a message. A success ends a failure of the channel, and enables it if Inlet
 * disabled it.
 */
export async function probeChannel(
  ctx: ApiContext,
  id: string,
  actor: Actor,
): Promise<ProbeResult> {
  const { vault } = ctx;
  const channel = await requireChannel(ctx, id);
  const { outbound, inbound } = channelKinds[channel.kind];
  if (!outbound) return works;
  const settings = openOrNull(() => openSettings(channel, vault));
  if (!settings) return failed('secret_unreadable' satisfies Reason);
  const options = outboundOptions(ctx);
  const result = await outbound.createProbe(options)(settings, { timeoutMs: testWithinMs });
  if (result.kind !== 'delivered') return failed(result.reason);
  const registration = inbound?.createRegistration?.(options);
  const receives = registration ? await readReceiving(ctx, registration, settings) : null;
  // Read again: the probe takes a while, in which a worker may have disabled the channel.
  const [now, health] = await Promise.all([requireChannel(ctx, id), getChannelHealth(ctx, id)]);
  if (healthStateOf(health, now) === 'off') {
    const changed = await updateChannel(ctx, { seen: now, change: { enabled: true } }, actor);
    if (!changed.ok) throw new AppError('conflict');
  }
  if (health) await resetChannelHealth(ctx, id);
  return { ...works, receives };
}

type ProbeResult = {
  readonly outcome: 'works' | 'failed';
  readonly reason: string | null;
  /** Where the service posts; null for a service that has no such setting, or did not say. */
  readonly receives: Receiving | null;
};
const works: ProbeResult = { outcome: 'works', reason: null, receives: null };
const failed = (reason: string): ProbeResult => ({ outcome: 'failed', reason, receives: null });
