/**
 * Seals every stored secret under the first key of the vault, and adds one audit row that counts them.
 *
 * Promises: it may be interrupted, repeated and run concurrently with other writes: a secret is replaced only if it is
 * unchanged since the read. A secret that no key opens is not changed, and is counted.
 */
import { SecretUnreadable, type Vault } from '../../base/secrets/vault.ts';
import {
  channelSecretLocation,
  mapSecrets,
  secretsOf,
  targetSecretLocation,
} from '../../domain/access/secret-locations.ts';
import { systemActor } from '../../domain/audit/audit.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import type { StoreContext } from '../audit/audited-change.ts';
import { collectionOf, inTransaction, type Collection } from '../db/connection.ts';

export type SecretRotation = {
  /** Secrets that this run sealed under the first key. */
  readonly sealed: number;
  /** Secrets that no key opens. */
  readonly unreadable: number;
  /** Updates that were skipped because the document changed concurrently. The next run repeats them. */
  readonly missed: number;
};

const batchSize = 100;

/** A new `changedAt` changes the etag, so that a concurrent editor cannot write the old secret back. */
const etagChange = { changedAt: '$$NOW' } as const;

/** Writes the audit row. An interrupted run writes none, and the next run counts only the remaining secrets. */
async function recordRotation(
  { connection, audit }: RotationStores,
  { sealed, unreadable, missed }: SecretRotation,
) {
  const entry = {
    actor: systemActor('secrets:rotate'),
    action: 'secrets.rotate',
    target: { type: 'secrets', id: 'secrets' },
    after: { sealed, unreadable, missed },
  } as const;
  await inTransaction(connection, (session) => audit.add(entry, session));
}

type RotationStores = Pick<StoreContext, 'connection' | 'audit'>;

/** A channel, or a target of notices. */
type Owner = Pick<ChannelRecord, '_id' | 'secrets'>;
type Rotating = {
  readonly reseal: (stored: string, location: string) => string;
  readonly count: (replaced: number, matched: number) => void;
};

async function rotateOwners(
  owners: Collection<Owner>,
  locationOf: (id: string, field: string) => string,
  { reseal, count }: Rotating,
): Promise<void> {
  const some = owners.find(
    { secrets: { $exists: true } },
    { projection: { secrets: 1 }, batchSize },
  );
  for await (const { _id, secrets = {} } of some) {
    for (const [field, stored] of Object.entries(secrets)) {
      const sealed = reseal(stored, locationOf(_id, field));
      if (sealed === stored) continue;
      const { matchedCount } = await owners.updateOne(
        { _id, [`secrets.${field}`]: stored },
        { $set: { [`secrets.${field}`]: sealed } },
      );
      count(1, matchedCount);
    }
  }
}

export async function rotateSecrets(stores: RotationStores, vault: Vault): Promise<SecretRotation> {
  const { connection } = stores;
  const rotation = { sealed: 0, unreadable: 0, missed: 0 };

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
    if (replaced === 0) return;
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

  const webhooks = collectionOf<Webhook>(connection, 'webhooks');
  const hasSecret = [
    { 'settings.signature.secrets': { $exists: true } },
    { 'settings.handshake.verifyToken': { $exists: true } },
  ];
  const read = { batchSize } as const;
  const someWebhooks = webhooks.find({ $or: hasSecret }, { projection: { settings: 1 }, ...read });
  for await (const webhook of someWebhooks) await rotateWebhook(webhook);
  const owners = (name: string) => collectionOf<Owner>(connection, name);
  await rotateOwners(owners('channels'), channelSecretLocation, { reseal, count });
  await rotateOwners(owners('notice_targets'), targetSecretLocation, { reseal, count });
  await recordRotation(stores, rotation);
  return rotation;
}
