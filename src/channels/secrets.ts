/**
 * The secret settings of channels: what a kind's schema marks as `writeOnly`.
 *
 * Promises: they are sealed before they are stored, and opened only for a message that is about to be sent.
 * Must never: be part of `settings`, which people see.
 */
import type { Vault } from '../base/secrets/vault.ts';
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import { channelSecretLocation } from '../domain/access/secret-locations.ts';
import type { ChannelSettings } from './channel.ts';
import { channelKinds } from './registry.ts';

type Properties = Readonly<Record<string, { readonly writeOnly?: boolean }>>;

export const secretFields = (kind: ChannelKind): readonly string[] =>
  Object.entries((channelKinds[kind].settingsSchema.properties ?? {}) as Properties)
    .filter(([, property]) => property.writeOnly === true)
    .map(([name]) => name);

/** As the kind knows them. Throws SecretUnreadable. */
export const openSettings = (
  channel: ChannelRecord,
  vault: Pick<Vault, 'open'>,
): ChannelSettings => ({
  ...channel.settings,
  ...Object.fromEntries(
    Object.keys(channel.secrets ?? {}).map((field) => [field, openSecret(channel, vault, field)]),
  ),
});

/** One of them; undefined where it is not set. Throws SecretUnreadable. */
export function openSecret(
  { _id, secrets = {} }: ChannelRecord,
  vault: Pick<Vault, 'open'>,
  field: string,
): unknown {
  const stored = secrets[field];
  return stored === undefined
    ? undefined
    : (JSON.parse(vault.open(stored, channelSecretLocation(_id, field))) as unknown);
}

export const sealSecret = (
  vault: Vault,
  value: unknown,
  { channelId, field }: { readonly channelId: string; readonly field: string },
): string => vault.seal(JSON.stringify(value), channelSecretLocation(channelId, field));
