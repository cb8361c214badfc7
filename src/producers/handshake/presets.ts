/** Challenges of producers, as they document them. */
import type { ChallengeSettings } from '../../domain/webhooks/verification-settings.ts';

export const challengePresets = {
  meta: {
    from: { query: 'hub.challenge' },
    when: { at: { query: 'hub.mode' }, equals: 'subscribe' },
    token: { query: 'hub.verify_token' },
    as: 'text',
  },
  slack: {
    from: { field: 'challenge' },
    when: { at: { field: 'type' }, equals: 'url_verification' },
    as: 'text',
  },
  monday: { from: { field: 'challenge' }, as: 'json' },
  keap: { from: { header: 'X-Hook-Secret' }, as: 'header' },
  asana: { from: { header: 'X-Hook-Secret' }, as: 'header' },
  zoom: {
    from: { field: 'payload.plainToken' },
    when: { at: { field: 'event' }, equals: 'endpoint.url_validation' },
    as: 'json',
    name: 'plainToken',
    hmac: { name: 'encryptedToken', encoding: 'hex' },
  },
  'microsoft-graph': { from: { query: 'validationToken' }, as: 'text' },
} satisfies Record<string, ChallengeSettings>;

/** Returns null for an unknown name. */
export const challengePreset = (name: string): ChallengeSettings | null =>
  Object.entries(challengePresets).find(([preset]) => preset === name)?.[1] ?? null;
