/**
 * The stored secrets: whether they open with the configured keys, as after a restore, and their sealing under the first key.
 *
 * Promises of the rotation: it may be interrupted, repeated and run concurrently with other writes: a secret is replaced only if
 * it is unchanged since the read. A secret that no key opens is not changed, and is counted.
 */
import { openOrNull, SecretUnreadable, type Vault } from '../../base/secrets/vault.ts';
import {
  channelSecretLocation,
  mapSecrets,
  secretOwners,
  secretsOf,
  targetSecretLocation,
  type SecretOwner,
} from '../../domain/access/secret-locations.ts';
import { systemActor } from '../../domain/audit/audit.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { collectionOf } from '../db/collection.ts';
import type { Connection, Db } from '../db/connection.ts';
import { recordInAudit } from '../audit/audit.ts';

type SecretCount = {
  readonly owner: SecretOwner;
  readonly readable: number;
  readonly unreadable: number;
};

export type SecretRotation = {
  /** Secrets that this run sealed under the first key. */
  readonly sealed: number;
  /** Secrets that no key opens. */
  readonly unreadable: number;
  /** Updates that were skipped because the document changed concurrently. The next run repeats them. */
  readonly missed: number;
};

type Stored = { readonly secret: string; readonly location: string };
/** A channel, or a target of notices. */
type Owner = Pick<ChannelRecord, '_id' | 'secrets'>;

const batchSize = 100;
const locations = { channels: channelSecretLocation, notice_targets: targetSecretLocation };

/** A new `changedAt` changes the etag, so that a concurrent editor cannot write the old secret back. */
const etagChange = { changedAt: '$$NOW' } as const;

/** Reads all of them in batches, or the first `most` of each owner. No secret leaves. */
export async function verifySecrets(db: Db, vault: Vault, most = Infinity): Promise<SecretCount[]> {
  const counts: SecretCount[] = [];
  for (const owner of secretOwners) {
    let [readable, unreadable] = [0, 0];
    for await (const { secret, location } of storedOf(db.connection, owner)) {
      if (openOrNull(() => vault.open(secret, location)) === null) unreadable += 1;
      else readable += 1;
      if (readable + unreadable >= most) break;
    }
    counts.push({ owner, readable, unreadable });
  }
  return counts;
}

async function* storedOf(connection: Connection, owner: SecretOwner): AsyncGenerator<Stored> {
  if (owner !== 'webhook') {
    yield* ownedSecrets(connection, owner === 'channel' ? 'channels' : 'notice_targets');
    return;
  }
  for await (const { _id, settings } of webhooksWithSecrets(connection)) {
    const found: Stored[] = [];
    mapSecrets(settings, _id, (secret, location) => {
      found.push({ secret, location });
      return secret;
    });
    yield* found;
  }
}

async function* ownedSecrets(connection: Connection, name: keyof typeof locations) {
  const owners = collectionOf<Owner>(connection, name);
  const options = { projection: { secrets: 1 }, batchSize };
  for await (const { _id, secrets = {} } of owners.find({ secrets: { $exists: true } }, options)) {
    for (const [field, secret] of Object.entries(secrets))
      yield { secret, location: locations[name](_id, field), _id, field, owners };
  }
}

const webhooksWithSecrets = (connection: Connection) =>
  collectionOf<Webhook>(connection, 'webhooks').find(
    {
      $or: [
        { 'settings.signature.secrets': { $exists: true } },
        { 'settings.handshake.verifyToken': { $exists: true } },
      ],
    },
    { projection: { settings: 1 }, batchSize },
  );

/**
 * Seals every stored secret under the vault's first key, and adds one audit row that counts them. An interrupted run writes no row,
 * and the next run counts only the remaining secrets.
 */
export async function rotateSecrets(db: Db, vault: Vault): Promise<SecretRotation> {
  const rotation = { sealed: 0, unreadable: 0, missed: 0 };
  const webhooks = collectionOf<Webhook>(db.connection, 'webhooks');

  function reseal(stored: string, location: string): string {
    if (vault.isCurrent(stored)) return stored;
    try {
      return vault.seal(vault.open(stored, location), location);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      rotation.unreadable += 1;
      return stored;
    }
  }

  function count(replaced: number, matched: number): void {
    if (matched === 0) rotation.missed += 1;
    else rotation.sealed += replaced;
  }

  async function rotateWebhook({ _id, settings }: Pick<Webhook, '_id' | 'settings'>) {
    const { signature, handshake } = mapSecrets(settings, _id, reseal);
    const after = secretsOf({ signature, handshake });
    const replaced = secretsOf(settings).filter((text, index) => text !== after[index]).length;
    if (replaced === 0) return;
    const { matchedCount } = await webhooks.updateOne(
      {
        _id,
        ...(signature && { 'settings.signature.secrets': settings.signature?.secrets }),
        ...(handshake && { 'settings.handshake.verifyToken': settings.handshake?.verifyToken }),
      },
      [
        {
          $set: {
            ...(signature && { 'settings.signature.secrets': { $literal: signature.secrets } }),
            ...(handshake?.verifyToken !== undefined && {
              'settings.handshake.verifyToken': { $literal: handshake.verifyToken },
            }),
            ...etagChange,
          },
        },
      ],
    );
    count(replaced, matchedCount);
  }

  for await (const webhook of webhooksWithSecrets(db.connection)) await rotateWebhook(webhook);
  for (const name of ['channels', 'notice_targets'] as const) {
    for await (const { secret, location, _id, field, owners } of ownedSecrets(
      db.connection,
      name,
    )) {
      const sealed = reseal(secret, location);
      if (sealed === secret) continue;
      const path = `secrets.${field}`;
      const { matchedCount } = await owners.updateOne(
        { _id, [path]: secret },
        { $set: { [path]: sealed } },
      );
      count(1, matchedCount);
    }
  }
  await recordInAudit(db, {
    actor: systemActor('secrets:rotate'),
    action: 'secrets.rotate',
    target: { type: 'secrets', id: 'secrets' },
    after: { ...rotation },
  });
  return rotation;
}
