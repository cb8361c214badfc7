// The webhooks of the steady sender and of the attackers, in a channel of their own.
import type { MappingDocument } from '../../../../src/domain/mappings/mapping.ts';
import type { Client, Webhook } from '../../../support/processes/client.ts';

export type AbuseTargets = {
  readonly channelId: string;
  /** Gets new events at a constant rate. */
  readonly steady: Webhook;
  /** Gets the same thousand events again and again. */
  readonly resent: Webhook;
  /** Gets slow uploads and bodies that cost much. */
  readonly attacked: Webhook;
};

const lead: MappingDocument = {
  eventId: { path: 'id' },
  contact: { externalId: { path: 'person' }, name: { path: 'name' }, phone: { path: 'phone' } },
  message: { text: { path: 'text' } },
};

/** Reads each item several times, and sorts and joins what it reads. */
const expensive: MappingDocument = {
  split: 'items',
  contact: { externalId: { path: 'person' } },
  message: { text: { path: "join(',', sort(map(&to_string(@), parts[*][].value)))" } },
};

export async function createAbuseTargets(client: Client): Promise<AbuseTargets> {
  const { id: channelId } = await client.call('createChannel', {
    body: { name: 'abuse', kind: 'inbox' },
  });
  const create = async (name: string, mapping: MappingDocument): Promise<Webhook> => {
    const made = await client.call('createWebhook', { body: { name, channelId } });
    await client.deliver(made.key, { id: 'sample' });
    await client.activate(made.id, mapping);
    return made;
  };
  return {
    channelId,
    steady: await create('steady', lead),
    resent: await create('resent', lead),
    attacked: await create('attacked', expensive),
  };
}
