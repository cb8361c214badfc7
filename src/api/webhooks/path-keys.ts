/**
 * Path keys: rotate, revoke and import.
 *
 * Promises: a new key is shown once. Former keys work until the overlap ends. Receivers reload the webhook's
 * keys before the change is answered.
 */
import { AppError, invalidField, orNotFound, valueOrThrow } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import { keyPrefix } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { defaultKeyOverlapHours, type PathKey } from '../../domain/webhooks/webhook.ts';
import {
  type Rotation,
  insertImportedKey,
  rotateKey,
  revokeKey,
  getKey,
} from '../../store/webhooks/keys.ts';
import type { ApiContext } from '../context.ts';

type RotationInput = {
  readonly webhookId: string;
  /** Hours until the earlier keys end; null: they stay as they are. */
  readonly overlapHours?: number | null;
  readonly expiresAt?: Date | null;
};

/** A key of another installation, which only its senders know. */
type KeyImport = Pick<PathKey, 'webhookId' | 'hash' | 'lastFour'> & {
  readonly expiresAt?: Date | null;
};

const hourMs = 3_600_000;
/** Of a webhook, in one answer and in one file. */
export const maxExportedKeys = 100;

const hashOfNothing = sha256('');

function requireFuture({ clock }: ApiContext, expiresAt: Date | null): void {
  if (expiresAt && !(expiresAt > clock.now())) {
    throw invalidField('/expiresAt', 'field.not_in_future');
  }
}

/** Adds a key by its SHA-256. Throws `conflict` when a key has it, and `invalid_transition` for an archived webhook. */
export async function importPathKey(
  ctx: ApiContext,
  { webhookId, hash, lastFour, expiresAt = null }: KeyImport,
  actor: Actor,
): Promise<PathKey> {
  requireFuture(ctx, expiresAt);
  if (hash === hashOfNothing) throw invalidField('/hash', 'field.hash_of_nothing');
  const imported = await insertImportedKey(ctx, { webhookId, hash, lastFour, expiresAt }, actor);
  if (!imported.ok && imported.reason === 'taken') {
    const fields = [{ path: '/hash', message: 'field.hash_taken' as const }];
    throw new AppError('conflict', { details: { fields } });
  }
  ctx.invalidate(webhookId);
  return valueOrThrow(imported);
}

/** Creates a new key; only the caller gets it. Throws `invalid_transition` for an archived webhook. */
export async function rotatePathKey(
  ctx: ApiContext,
  { webhookId, overlapHours = defaultKeyOverlapHours, expiresAt = null }: RotationInput,
  actor: Actor,
): Promise<{ rotation: Rotation; key: string }> {
  requireFuture(ctx, expiresAt);
  const key = newSecret(keyPrefix);
  const hashed = { hash: sha256(key), lastFour: key.slice(-4) };
  const overlapMs = overlapHours === null ? null : overlapHours * hourMs;
  const rotation = await rotateKey(ctx, { webhookId, ...hashed, expiresAt, overlapMs }, actor);
  ctx.invalidate(webhookId);
  return { rotation: valueOrThrow(rotation), key };
}

/** Revokes a key; idempotent. Without a valid key the webhook rejects all requests until the next rotation. */
export async function revokePathKey(
  ctx: ApiContext,
  { webhookId, keyId }: { readonly webhookId: string; readonly keyId: string },
  actor: Actor,
): Promise<PathKey> {
  const revoked = await revokeKey(ctx, { webhookId, id: keyId }, actor);
  ctx.invalidate(webhookId);
  return revoked.ok ? revoked.value : orNotFound(await getKey(ctx, webhookId, keyId));
}
