import { changeSettings } from '../../../src/api/webhooks/settings.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { Webhook, WebhookStatus } from '../../../src/domain/webhooks/webhook.ts';

const actor = { tokenId: 'test', name: 'test' };

const contextOf = (status: WebhookStatus) => ({
  webhooks: {
    get: () => Promise.resolve({ _id: 'w', status, settings: {} } as unknown as Webhook),
    configure: () => Promise.resolve({ ok: false, reason: 'invalid_state', status }),
  } as unknown as Parameters<typeof changeSettings>[0]['webhooks'],
  invalidate: () => undefined,
  vault: createVault([]),
});

test.each([
  ['others change it again and again', 'active', { code: 'conflict' }],
  ['it is archived', 'archived', { code: 'invalid_transition', details: { state: 'archived' } }],
] as const)('settings are not changed when %s', async (_why, status, error) => {
  const asked = { id: 'w', patch: { dedup: { windowDays: 30 } }, check: () => [] };
  const change = changeSettings(contextOf(status), asked, actor);
  await expect(change).rejects.toMatchObject(error);
});
