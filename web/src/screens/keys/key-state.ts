/** The state of a key, and the usage counts after a rotation. */
import type { Answer } from '../../api/operation.ts';

export type Key = Answer<'listWebhookKeys'>['results'][number];
export type KeyState = 'current' | 'ending' | 'expired' | 'revoked';

/** Keys are sorted newest first. */
export function keyStateOf(key: Key, newest: Key | undefined, now = Date.now()): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  if (key.expiresAt !== null && Date.parse(key.expiresAt) <= now) return 'expired';
  return key.id === newest?.id ? 'current' : 'ending';
}

export type KeyUse = {
  readonly key: Key;
  readonly isNewest: boolean;
  /** The share of requests since the last rotation, 0 to 1; null without requests. */
  readonly share: number | null;
  /** The advice for an old key. */
  readonly verdict: 'silent' | 'unused' | 'quiet' | 'busy';
};

const quietAfterMs = 3_600_000;

/** Only valid keys. */
export function keyUsageOf(keys: readonly Key[], now = Date.now()): KeyUse[] {
  const total = keys.reduce((sum, key) => sum + key.usesSinceRotation, 0);
  return keys.map((key, at) => {
    const isRecent = key.lastUsedAt !== null && now - Date.parse(key.lastUsedAt) < quietAfterMs;
    const used = isRecent ? 'busy' : 'quiet';
    return {
      key,
      isNewest: at === 0,
      share: total === 0 ? null : key.usesSinceRotation / total,
      verdict: total === 0 ? 'silent' : key.usesSinceRotation === 0 ? 'unused' : used,
    };
  });
}

/** As minutes, or hours up to a week. */
export function timeUntil(at: string, now = Date.now()) {
  const minutes = Math.max(0, Math.round((Date.parse(at) - now) / 60_000));
  return minutes < 120
    ? { value: minutes, unit: 'minute' as const }
    : { value: Math.round(minutes / 60), unit: 'hour' as const };
}
