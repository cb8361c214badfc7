// The producers of the seeded Inlet: the corpus sample of each, its senders, and its setup.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { personOf, textOf, type Person } from '../fixtures/people.ts';
import type { Any, Scenario } from '../processes/scenario.ts';

export type Channels = Readonly<Record<'front' | 'sales' | 'partner', string>>;
export type Producer = {
  readonly id: string;
  readonly url: string;
  /** Posts the n-th of `count` events. */
  readonly send: (n: number) => Promise<string | undefined>;
  readonly count: number;
};
type Plan = {
  readonly name: string;
  readonly channel: keyof Channels;
  readonly file: string;
  readonly count: number;
  /** The values of the n-th event. */
  readonly bodyOf: (body: Any, person: Person, n: number) => Any;
  /** Posts requests that are rejected. */
  readonly reject?: (url: string) => Promise<void>;
  /** The suggested mapping, completed. */
  readonly finish?: (mapping: Any) => Any;
};

const corpus = join(import.meta.dirname, '../../../suggest/corpora/corpus');
export const sampleOf = (name: string): Any =>
  JSON.parse(readFileSync(join(corpus, `${name}.json`), 'utf8'));

const local = (phone: string) => phone.slice(3);

/** These have no phone, which the mapping requires. */
const isWithoutPhone = (n: number) => n % 6 === 5;
/** These have no identity. */
const hasNoContact = (n: number) => n % 29 === 11;
/** For deals: the phone of another person, so that the event identifies two contacts. Not counted below. */
export const conflictingEvent = 111;
/** From this event on the producer uses another field for the phone. */
const phoneFieldChangesAt = 38;

/** The site's form has other field names from this event on. */
const renamedFrom = 42;

const plans: Readonly<Record<'deals' | 'shop' | 'site', Plan>> = {
  deals: {
    name: 'PipeRun · oportunidades',
    channel: 'sales',
    file: 'piperun.deal_automation',
    count: 110,
    bodyOf(body, person, n) {
      body.id = 48_001 + n;
      body.title = `Oportunidade ${body.id}`;
      body.origin.name = ['Google Ads', 'Instagram', 'Indicação'][n % 3];
      body.fields[0].valor = textOf(n);
      body.created_at = body.updated_at = undefined;
      if (hasNoContact(n)) return { ...body, id: undefined, person: null };
      Object.assign(body.person, { id: 9_000 + person.number, name: person.name, cpf: null });
      body.person.contact_emails[0].address = person.email;
      const phone = n === conflictingEvent ? personOf(5).phone : person.phone;
      body.person.contact_phones[0].number = phone.slice(1);
      return body;
    },
    finish: (mapping) => ({
      ...mapping,
      eventId: { path: 'id' },
      contact: { ...mapping.contact, externalId: { path: 'person.id' } },
    }),
  },
  shop: {
    name: 'Hotmart · curso',
    channel: 'sales',
    file: 'hotmart.purchase_approved',
    count: 62,
    bodyOf(body, person, n) {
      body.id = `1f1ab22e-0000-4000-8000-${String(n).padStart(12, '0')}`;
      body.creation_date = body.data.purchase.approved_date = undefined;
      body.data.purchase.transaction = `HP${String(n).padStart(13, '0')}`;
      const { name, firstName, lastName, email } = person;
      const [first_name, last_name] = [firstName, lastName];
      const { buyer } = body.data;
      Object.assign(buyer, { name, first_name, last_name, email, document: undefined });
      buyer.checkout_phone_code = person.phone.slice(3, 5);
      buyer.checkout_phone = person.phone.slice(5);
      if (n < phoneFieldChangesAt) return body;
      const { checkout_phone: _phone, checkout_phone_code: _code, ...rest } = buyer;
      return { ...body, data: { ...body.data, buyer: { ...rest, phone: person.phone } } };
    },
  },
  site: {
    name: 'Site · fale conosco',
    channel: 'front',
    file: 'contact_form_7.cf7_to_webhook',
    count: 48,
    bodyOf(body, person, n) {
      const { name, email } = person;
      const [phone, message] = [local(person.phone), textOf(n)];
      if (n < renamedFrom)
        return {
          ...body,
          'your-name': name,
          'your-email': email,
          'your-phone': isWithoutPhone(n) ? '' : phone,
          'your-message': message,
        };
      const left = Object.entries(body).filter(([key]) => !key.startsWith('your-'));
      return { ...Object.fromEntries(left), full_name: name, email, whatsapp: phone, message };
    },
    async reject(url) {
      const post = (body: string) =>
        fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
      await post('{ "your-name": "Bea "Bia" Lima" }');
      await post('[{ "your-name": "Caio" }, { "your-name": "Duda" }]');
    },
    finish: (mapping) => ({
      ...mapping,
      contact: { ...mapping.contact, phone: { ...mapping.contact.phone, required: true } },
      context: { ...mapping.context, labels: [{ const: 'Site' }] },
    }),
  },
};

/** One active webhook with resends, one of each other state, and one in setup. */
export async function setupProducers(scenario: Scenario, channels: Channels) {
  const active = {
    deals: await setupActive(scenario, channels, plans.deals),
    shop: await setupActive(scenario, channels, plans.shop),
    site: await setupActive(scenario, channels, plans.site),
  };
  const paused = await setupPaused(scenario, channels);
  const sampled = await setupSampled(scenario, channels);
  const draft = await scenario.post('/v1/admin/webhooks', {
    name: 'Pipedrive · novos contatos',
    channelId: channels.partner,
  });
  return { ...active, paused, sampled, draft: String(draft.id) };
}

async function setupActive(scenario: Scenario, channels: Channels, plan: Plan): Promise<Producer> {
  const { id, url } = await scenario.post('/v1/admin/webhooks', {
    name: plan.name,
    channelId: channels[plan.channel],
  });
  const sample = sampleOf(plan.file);
  const bodyOf = (n: number, person: Person) =>
    plan.bodyOf(structuredClone(sample.body), person, n);
  const deliver = (payload: unknown) => scenario.deliver(url, payload);
  await deliver(sample.body);
  await deliver(bodyOf(1, personOf(1)));
  const hook = `/v1/admin/webhooks/${id}`;
  const samples = await scenario.list(`${hook}/samples`);
  const sampleIds = samples.results.map((one) => one.id);
  const suggested = await scenario.post(`${hook}/mappings/suggest`, { sampleIds });
  const { messageTemplate: template } = suggested;
  const mapping =
    template === null
      ? suggested.mapping
      : { ...suggested.mapping, message: { text: { template } } };
  const finished = plan.finish?.(mapping) ?? mapping;
  await scenario.post(`${hook}/mappings`, { mapping });
  await scenario.post(`${hook}/mappings`, { mapping: finished });
  await scenario.post(`${hook}/activate`);
  await plan.reject?.(url);
  return {
    id,
    url,
    count: plan.count,
    // Some people write more than once.
    send: async (n) => (await deliver(bodyOf(n, personOf(n % 70)))).data.eventId,
  };
}

async function setupPaused(scenario: Scenario, channels: Channels): Promise<string> {
  const { body } = sampleOf('hubspot.workflow_contact');
  const hook = await scenario.post('/v1/admin/webhooks', {
    name: 'HubSpot · formulário antigo',
    channelId: channels.front,
  });
  const path = `/v1/admin/webhooks/${hook.id}`;
  await scenario.deliver(hook.url, body);
  const { mapping } = await scenario.post(`${path}/mappings/suggest`, { payloads: [{ body }] });
  await scenario.post(`${path}/mappings`, { mapping });
  await scenario.post(`${path}/activate`);
  await scenario.post(`${path}/pause`);
  for (let n = 0; n < 5; n += 1) await scenario.deliver(hook.url, { ...body, vid: 900 + n });
  return String(hook.id);
}

/** A webhook that waits for its mapping, with two samples of different shape. */
async function setupSampled(scenario: Scenario, channels: Channels): Promise<string> {
  const hook = await scenario.post('/v1/admin/webhooks', {
    name: 'Typeform · pesquisa',
    channelId: channels.front,
  });
  for (const name of ['typeform.form_response', 'typeform.form_response_skipped_answers']) {
    await scenario.deliver(hook.url, sampleOf(name).body);
  }
  return String(hook.id);
}
