import { changeSettings } from '../../../src/api/webhooks/settings.ts';
import { createVault } from '../../../src/base/secrets/vault.ts';
import type { WebhookStatus } from '../../../src/domain/webhooks/webhook.ts';
import type { ApiContext } from '../../../src/api/context.ts';
import { scriptedConnection } from '../../support/context/scripted-connection.ts';

const actor = { tokenId: 'test', name: 'test' };

/** Each change finds the webhook changed since it was read. */
const contextOf = (status: WebhookStatus) =>
  ({
    connection: scriptedConnection((name) =>
      name === 'webhooks.findOne' ? { _id: 'w', status, settings: {} } : null,
    ),
    invalidate: () => undefined,
    vault: createVault([]),
  }) as unknown as ApiContext;

test.each([
  ['others change it again and again', 'active', { code: 'conflict' }],
  ['it is archived', 'archived', { code: 'invalid_transition', details: { state: 'archived' } }],
] as const)('settings are not changed when %s', async (_why, status, error) => {
  const asked = { id: 'w', patch: { dedup: { windowDays: 30 } }, check: () => [] };
  const change = changeSettings(contextOf(status), asked, actor);
  await expect(change).rejects.toMatchObject(error);
});
