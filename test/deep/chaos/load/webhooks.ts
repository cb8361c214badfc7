// Five webhooks of different kinds, in two channels.
import type { MappingDocument, Source } from '../../../../src/domain/mappings/mapping.ts';
import type { Client, Webhook } from '../../../support/processes/client.ts';

export const webhookNames = ['crm', 'form', 'batch', 'shop', 'strict'] as const;
export type WebhookName = (typeof webhookNames)[number];

export const lead: MappingDocument = {
  eventType: { path: 'type' },
  eventDate: { path: 'at' },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone' },
    email: { path: 'lead.email' },
    fields: { city: { path: 'lead.city' }, plan: { path: 'lead.plan' } },
  },
  message: { text: { path: 'text' } },
  context: { origin: { path: 'origin' }, labels: [{ path: 'label' }] },
};

const contact = lead.contact ?? {};
const crm: MappingDocument = { ...lead, eventId: { path: 'id' }, filter: "type != 'noise'" };
const city: Source = { join: [{ const: 'City' }, { path: 'lead.city' }] };

type Plan = {
  readonly channel: 'one' | 'two';
  /** As versions: the first is activated at the start, the next ones during the run. */
  readonly mappings: readonly MappingDocument[];
};

export const plans: Readonly<Record<WebhookName, Plan>> = {
  /** Event ids in the body, dates, and a filter. Its second version maps the city differently. */
  crm: {
    channel: 'one',
    mappings: [crm, { ...crm, contact: { ...contact, fields: { ...contact.fields, city } } }],
  },
  /** No event ids: every request is a new event. */
  form: { channel: 'one', mappings: [lead] },
  /** Several leads in one body. */
  batch: { channel: 'one', mappings: [{ ...lead, split: 'leads', eventId: { path: 'id' } }] },
  /** The event id in a header, and no dates. */
  shop: { channel: 'two', mappings: [{ ...lead, eventId: { header: 'X-Event-Id' } }] },
  /** Fails without a phone; its second version also reads another field. */
  strict: {
    channel: 'two',
    mappings: [
      {
        ...lead,
        eventId: { path: 'id' },
        contact: { ...contact, phone: { path: 'lead.phone', required: true } },
      },
      {
        ...lead,
        eventId: { path: 'id' },
        contact: {
          ...contact,
          phone: { first: [{ path: 'lead.phone' }, { path: 'lead.tel' }], required: true },
        },
      },
    ],
  },
};

/** Faults come about once a second, so retries are short and many. */
export const retries = { maxAttempts: 20, delaysSeconds: [1, 1, 2, 3] };

type Target = Webhook & { readonly name: WebhookName; readonly channelId: string };
export type Targets = Readonly<Record<WebhookName, Target>>;

/** Creates the channels and the webhooks, each active with the first version of its mapping. */
export async function setUp(client: Client): Promise<Targets> {
  const channelIds: Record<string, string> = {};
  for (const name of ['one', 'two']) {
    const made = await client.call('createChannel', { body: { name, kind: 'inbox' } });
    channelIds[name] = made.id;
  }
  const targets: Partial<Record<WebhookName, Target>> = {};
  for (const name of webhookNames) {
    const { channel, mappings } = plans[name];
    const channelId = channelIds[channel] ?? '';
    const made = await client.call('createWebhook', { body: { name, channelId } });
    await client.deliver(made.key, { id: 'sample' });
    await client.call('updateWebhookSettings', { params: { id: made.id }, body: { retries } });
    const [first = {}] = mappings;
    await client.activate(made.id, first);
    targets[name] = { ...made, name, channelId };
  }
  return targets as Targets;
}
