import { createLead, leadMapping } from './lead.ts';
import { adminToken, type Ready } from '../processes.ts';

/** Creates an active webhook through the administration API. Returns its secret URL. */
export async function createActiveWebhook({ url = '' }: Ready): Promise<string> {
  async function post(path: string, body: unknown): Promise<Record<string, string>> {
    const response = await fetch(new URL(path, url), {
      method: 'POST',
      headers: { keyapi: adminToken, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok)
      throw new Error(`A request of the set-up failed with ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Record<string, string> }).data;
  }
  const channel = await post('/v1/admin/channels', { name: 'bench', kind: 'inbox' });
  const webhook = await post('/v1/admin/webhooks', { name: 'bench', channelId: channel.id });
  const secret = webhook.url ?? '';
  await post(secret, createLead(0));
  await post(`/v1/admin/webhooks/${webhook.id}/mappings`, { mapping: leadMapping });
  await post(`/v1/admin/webhooks/${webhook.id}/activate`, {});
  return secret;
}
