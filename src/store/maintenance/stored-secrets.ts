/** Whether every stored secret opens with the configured keys, as after a restore. */
import { openOrNull, type Vault } from '../../base/secrets/vault.ts';
import {
  channelSecretLocation,
  mapSecrets,
  secretOwners,
  targetSecretLocation,
  type SecretOwner,
} from '../../domain/access/secret-locations.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf, type Connection } from '../db/connection.ts';
import { mapStoreErrors } from '../db/errors.ts';

type SecretCount = {
  readonly owner: SecretOwner;
  readonly readable: number;
  readonly unreadable: number;
};

type Stored = { readonly secret: string; readonly location: string };
type Owner = Pick<ChannelRecord, '_id' | 'secrets'>;

const batchSize = 100;

export const createStoredSecrets = (connection: Connection) =>
  mapStoreErrors({
    /** Reads all of them in batches. No secret leaves. */
    async verify(vault: Vault): Promise<SecretCount[]> {
      const counts: SecretCount[] = [];
      for (const owner of secretOwners) {
        let [readable, unreadable] = [0, 0];
        for await (const { secret, location } of secretsOf(connection, owner)) {
          if (openOrNull(() => vault.open(secret, location)) === null) unreadable += 1;
          else readable += 1;
        }
        counts.push({ owner, readable, unreadable });
      }
      return counts;
    },
  });

async function* secretsOf(connection: Connection, owner: SecretOwner): AsyncGenerator<Stored> {
  if (owner === 'webhook') {
    yield* webhookSecrets(connection);
    return;
  }
  const [name, locationOf] =
    owner === 'channel'
      ? (['channels', channelSecretLocation] as const)
      : (['notice_targets', targetSecretLocation] as const);
  const owners = collectionOf<Owner>(connection, name).find(
    { secrets: { $exists: true } },
    { projection: { secrets: 1 }, batchSize },
  );
  for await (const { _id, secrets = {} } of owners) {
    for (const [field, secret] of Object.entries(secrets)) {
      yield { secret, location: locationOf(_id, field) };
    }
  }
}

async function* webhookSecrets(connection: Connection): AsyncGenerator<Stored> {
  const webhooks = collectionOf<Webhook>(connection, 'webhooks').find(
    {
      $or: [
        { 'settings.signature.secrets': { $exists: true } },
        { 'settings.handshake.verifyToken': { $exists: true } },
      ],
    },
    { projection: { settings: 1 }, batchSize },
  );
  for await (const { _id, settings } of webhooks) {
    const found: Stored[] = [];
    mapSecrets(settings, _id, (secret, location) => {
      found.push({ secret, location });
      return secret;
    });
    yield* found;
  }
}
