/**
 * Registers the URL of a webhook at the service of its channel.
 *
 * The service gets a path key of its own, because only the hash of the others is stored. Promises: the key goes to the service only.
 * The former registration works until the service has taken the new one: a process that ends in between leaves a key without
 * use. When the service refuses, the new key is revoked.
 */
import { AppError, orNotFound } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import { openOrNull } from '../../base/secrets/vault.ts';
import type { ChannelSettings, OutboundOptions, Registration } from '../../channels/channel.ts';
import { inboundOf } from '../../channels/registry.ts';
import { openSettings } from '../../channels/secrets.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Reason } from '../../domain/events/actions.ts';
import { signatureSecretLocation } from '../../domain/access/secret-locations.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { Db } from '../../store/db/connection.ts';
import type { ApiContext } from '../context.ts';
import { revokePathKey, rotatePathKey } from './path-keys.ts';
import { changeSettings, type SettingsChange } from './settings.ts';
import { getWebhook } from '../../store/webhooks/webhooks.ts';
import { findChannel } from '../../store/channels/channels.ts';
import { findKeyByHash } from '../../store/webhooks/keys.ts';

type RegistrationRequest = {
  readonly id: string;
  readonly baseUrl: string;
  readonly check: SettingsChange['check'];
};

type Registered = {
  readonly outcome: 'registered' | 'failed';
  readonly reason: string | null;
  /** The service's own sentence. */
  readonly said: string | null;
};

const withinMs = 14_000;
const maxSecrets = 5;
const plainSecret = /^[A-Za-z0-9_-]{16,256}$/;

export async function registerWebhook(
  ctx: ApiContext,
  { id, baseUrl, check }: RegistrationRequest,
  actor: Actor,
): Promise<Registered> {
  const { webhook, registration, channelSettings } = await readParts(ctx, id);
  if (!channelSettings) return failed('secret_unreadable' satisfies Reason);
  const before = await registration.read(channelSettings, { timeoutMs: withinMs });
  if ('kind' in before) return failed('reason' in before ? before.reason : null);
  const secrets = secretsOf(ctx, webhook);
  const known = secrets.find((secret) => plainSecret.test(secret));
  const secret = known ?? newSecret('');
  const isSigned = webhook.settings.signature !== undefined;
  const addSecret = () => {
    const patch = { signature: { secrets: [secret, ...secrets].slice(0, maxSecrets) } };
    return changeSettings(ctx, { id, patch, check }, actor);
  };
  // A further secret rejects no request. The first one would reject what the service posts until it has the secret.
  if (known === undefined && isSigned) await addSecret();
  const { rotation, key } = await rotatePathKey(ctx, { webhookId: id, overlapHours: null }, actor);
  const url = `${baseUrl}/v1/webhook/${key}`;
  const result = await registration.register(
    channelSettings,
    { url, secret },
    { timeoutMs: withinMs },
  );
  if (result.kind === 'failed') {
    await revokePathKey(ctx, { webhookId: id, keyId: rotation.key._id }, actor);
  }
  if (result.kind !== 'registered')
    return { outcome: 'failed', reason: result.reason, said: result.said };
  if (known === undefined && !isSigned) await addSecret();
  await revokeFormer(ctx, { webhookId: id, url: before.url }, actor);
  return { outcome: 'registered', reason: null, said: result.said };
}

/** Throws `not_found`, and `invalid_transition` for a webhook that its service cannot register. */
async function readParts(ctx: ApiContext, id: string) {
  const webhook = orNotFound(await getWebhook(ctx, id));
  const channel = await findChannel(ctx, webhook.channelId);
  const options: OutboundOptions = {
    allowedDestinations: ctx.allowedDestinations,
    now: () => new Date(),
  };
  const registration = channel && inboundOf(channel, webhook)?.createRegistration?.(options);
  if (!registration || webhook.status === 'archived') {
    throw new AppError('invalid_transition', { details: { state: webhook.status } });
  }
  const opened = openOrNull(() => openSettings(channel, ctx.vault));
  return { webhook, registration, channelSettings: opened };
}

const secretsOf = (
  { vault }: ApiContext,
  { _id, settings: { signature } }: Webhook,
): readonly string[] =>
  (signature?.secrets ?? []).flatMap(
    (stored) => openOrNull(() => vault.open(stored, signatureSecretLocation(_id))) ?? [],
  );

async function revokeFormer(
  ctx: ApiContext,
  { webhookId, url }: { readonly webhookId: string; readonly url: string | null },
  actor: Actor,
): Promise<void> {
  const former = url === null ? null : await findKeyByHash(ctx, keyHashOf(url));
  if (former?.webhookId !== webhookId) return;
  await revokePathKey(ctx, { webhookId, keyId: former._id }, actor);
}

const failed = (reason: string | null): Registered => ({ outcome: 'failed', reason, said: null });

/** The hash of the path key at the end of a URL. */
const keyHashOf = (url: string): string =>
  sha256(/^[^?#]*/.exec(url)?.[0].replace(/\/+$/, '').split('/').at(-1) ?? '');

export type Receiving = {
  /** `here`: at a webhook of this installation. `elsewhere`: at another URL. `nowhere`: the service posts nothing. */
  readonly state: 'here' | 'elsewhere' | 'nowhere';
  readonly webhookId: string | null;
  readonly pending: number;
  readonly lastErrorAt: Date | null;
  readonly lastError: string | null;
};

/** Returns what a service has registered; null when it does not say. */
export async function readReceiving(
  ctx: Db,
  registration: Registration,
  settings: ChannelSettings,
): Promise<Receiving | null> {
  const found = await registration.read(settings, { timeoutMs: withinMs });
  if ('kind' in found) return null;
  const { url, ...rest } = found;
  const key = url === null ? null : await findKeyByHash(ctx, keyHashOf(url));
  const isValid = key !== null && (key.expiresAt === null || key.expiresAt > new Date());
  const state = url === null ? 'nowhere' : isValid ? 'here' : 'elsewhere';
  return { state, webhookId: isValid ? key.webhookId : null, ...rest };
}
