/**
 * The secret settings of channels: those that the schema of their kind marks as `writeOnly`.
 *
 * Promises: they are encrypted before they are stored, and decrypted only to send a message.
 * Must never: be part of `settings`, which the API shows.
 */
import type { Vault } from '../base/secrets/vault.ts';
import type { ChannelKind, ChannelRecord } from '../domain/messages/channel.ts';
import { channelSecretLocation } from '../domain/access/secret-locations.ts';
import type { Channel, ChannelSettings } from './channel.ts';
import { channelKinds } from './registry.ts';

/** Returns the names of the secret settings. */
export const writeOnlyNames = ({ properties = {} }: Channel['settingsSchema']): readonly string[] =>
  Object.entries(properties as Readonly<Record<string, { readonly writeOnly?: boolean }>>)
    .filter(([, property]) => property.writeOnly === true)
    .map(([name]) => name);

/** Returns the names of a kind's secret settings. */
export const secretFields = (kind: ChannelKind): readonly string[] =>
  writeOnlyNames(channelKinds[kind].settingsSchema);

type Owner = Pick<ChannelRecord, 'settings' | 'secrets'>;

/** Returns the settings with the secret ones decrypted. `placeOf`: the location of a secret. Throws SecretUnreadable. */
export const openSecrets = (
  { settings, secrets = {} }: Owner,
  vault: Pick<Vault, 'open'>,
  placeOf: (field: string) => string,
): ChannelSettings => ({
  ...settings,
  ...Object.fromEntries(
    Object.entries(secrets).map(([field, stored]) => [
      field,
      JSON.parse(vault.open(stored, placeOf(field))) as unknown,
    ]),
  ),
});

/** Returns a channel's settings with the secret ones decrypted. Throws SecretUnreadable. */
export const openSettings = (channel: ChannelRecord, vault: Pick<Vault, 'open'>): ChannelSettings =>
  openSecrets(channel, vault, (field) => channelSecretLocation(channel._id, field));
