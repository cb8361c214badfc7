/**
 * The secret settings of channels: those that the schema of their kind marks as `writeOnly`.
 *
 * Promises: they are encrypted before they are stored, and decrypted only to send a message.
 * Must never: be part of `settings`, which the API shows.
 */
import type { Vault } from '../base/secrets/vault.ts';
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import { channelSecretLocation } from '../domain/access/secret-locations.ts';
import type { ChannelSettings } from './channel.ts';
import { channelKinds } from './registry.ts';

type Properties = Readonly<Record<string, { readonly writeOnly?: boolean }>>;

/** Returns the names of a kind's secret settings. */
export const secretFields = (kind: ChannelKind): readonly string[] =>
  Object.entries((channelKinds[kind].settingsSchema.properties ?? {}) as Properties)
    .filter(([, property]) => property.writeOnly === true)
    .map(([name]) => name);

/** Returns a channel's settings with the secret ones decrypted. Throws SecretUnreadable. */
export const openSettings = (
  channel: ChannelRecord,
  vault: Pick<Vault, 'open'>,
): ChannelSettings => ({
  ...channel.settings,
  ...Object.fromEntries(
    Object.keys(channel.secrets ?? {}).map((field) => [field, openSecret(channel, vault, field)]),
  ),
});

/** Returns one secret setting; undefined when it is not set. Throws SecretUnreadable. */
function openSecret(
  { _id, secrets = {} }: ChannelRecord,
  vault: Pick<Vault, 'open'>,
  field: string,
): unknown {
  const stored = secrets[field];
  return stored === undefined
    ? undefined
    : (JSON.parse(vault.open(stored, channelSecretLocation(_id, field))) as unknown);
}
