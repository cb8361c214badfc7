// What the two writers of a race share: webhooks, agents, people and their chats.
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { collectionOf } from '../services/collections.ts';
import { createErasureContext } from './erasures.ts';
import { createTestContext, leadMapping } from './test-context.ts';
import { valueOf } from './value-of.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';

export const actor = { tokenId: 'test', name: 'test' };

export const phone = '+55 11 90000-0001';
export const otherPhone = '+55 11 90000-0002';
export const email = 'ana@example.com';

type Payload = { readonly id: string } & Record<string, unknown>;

/** The n-th event, of the n-th day, about a person. */
export const eventOf = (n: number, lead: object, over: object = {}): Payload => ({
  id: `e${n}`,
  at: `2026-01-0${n}T12:00:00Z`,
  text: `hello ${n}`,
  lead: { name: `Ana ${n}`, ...lead },
  origin: `origin ${n}`,
  label: `Label ${n}`,
  ...over,
});

export type Effects = { readonly contactId: string; readonly chatId: string };
export type Field = Awaited<ReturnType<typeof createField>>;

/** The second version of the mapping reads the other person of the payload. */
const remapped = {
  ...leadMapping,
  contact: { ...leadMapping.contact, phone: { path: 'other.phone' } },
};

export async function createField(name: string) {
  const context = await createTestContext(name);
  const { connection, stores } = context;
  const webhook = await context.addWebhook();
  valueOf(await insertMapping(stores, { webhookId: webhook._id, mapping: remapped }, actor));
  const splitting = await context.addWebhook({ ...leadMapping, split: 'items' }, webhook.channelId);
  const elsewhere = await context.addWebhook();
  const agentOf = async (its: string) =>
    valueOf(
      await stores.agents.create(
        { name: its, lastName: null, email: null, sectorIds: [] } as never,
        actor,
      ),
    )._id;
  const agentId = await agentOf('Bia');

  const send = (payload: object, to: Webhook = webhook) => context.send(to, payload);

  /** Stores and processes an event; returns its effects. */
  async function tell(payload: object): Promise<Effects> {
    const id = await send(payload);
    await context.newProcessing()([id]);
    const { contactId = '', chatId = '' } = (await stores.events.get(id))?.effects ?? {};
    return { contactId, chatId };
  }

  return {
    context,
    stores,
    webhook,
    splitting,
    otherChannelId: elsewhere.channelId,
    by: { agentId, actor },
    erasures: createErasureContext(context),
    send,
    tell,
    /** Processes the events as another worker process. */
    process: (...ids: readonly string[]) => context.newProcessing()(ids),
    remap: (eventId: string, mappingVersion = 2) =>
      stores.events.replay(
        {
          eventId,
          change: 'remap',
          channelId: webhook.channelId,
          mappingVersion,
          maxAttempts: undefined,
          state: 'received',
        },
        actor,
      ),
    async clear(): Promise<void> {
      await context.clear();
      const more = ['sets', 'merges', 'erasures', 'resends'];
      await Promise.all(more.map((one) => collectionOf(connection, one).deleteMany({})));
    },
  };
}
