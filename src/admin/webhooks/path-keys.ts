/**
 * Path keys: rotate and revoke.
 *
 * Promises: a new key is shown once. Former keys work until the overlap ends. Receivers reload the webhook's
 * keys before the change is answered.
 */
import { systemClock } from '../../base/clock.ts';
import { invalidField, orNotFound, valueOrThrow } from '../../base/errors.ts';
import { newSecret, sha256 } from '../../base/ids.ts';
import { keyPrefix } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { defaultOverlapHours, type PathKey } from '../../domain/webhooks/webhook.ts';
import type { Rotation } from '../../store/webhooks/keys.ts';
import type { AdminDeps } from '../dependencies.ts';

/** Hours until the earlier keys end; null: they stay as they are. */
type RotationInput = { readonly overlapHours?: number | null; readonly expiresAt?: Date | null };

const hourMs = 3_600_000;

export function createPathKeys({ keys, invalidate, clock = systemClock }: AdminDeps) {
  return {
    get: keys.get,
    list: keys.list,

    /** Creates a new key; only the caller gets it. Throws `invalid_transition` for an archived webhook. */
    async rotate(
      webhookId: string,
      { overlapHours = defaultOverlapHours, expiresAt = null }: RotationInput,
      actor: Actor,
    ): Promise<{ rotation: Rotation; key: string }> {
      if (expiresAt && !(expiresAt > clock.now())) {
        throw invalidField('/expiresAt', 'must be in the future');
      }
      const key = newSecret(keyPrefix);
      const hashed = { hash: sha256(key), lastFour: key.slice(-4) };
      const overlapMs = overlapHours === null ? null : overlapHours * hourMs;
      const rotation = await keys.rotate({ webhookId, ...hashed, expiresAt, overlapMs }, actor);
      invalidate(webhookId);
      return { rotation: valueOrThrow(rotation), key };
    },

    /**
     * Revokes a key; idempotent. Without a valid key the webhook rejects all requests until the next rotation.
     */
    async revoke(webhookId: string, id: string, actor: Actor): Promise<PathKey> {
      const revoked = await keys.revoke(webhookId, id, actor);
      invalidate(webhookId);
      return revoked.ok ? revoked.value : orNotFound(await keys.get(webhookId, id));
    },
  };
}
