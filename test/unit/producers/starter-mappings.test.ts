import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { MappedEvent, Payload } from '../../../src/domain/mappings/mapping.ts';
import { applyItem, readEventId, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import type { CompiledMapping } from '../../../src/mapping/language/compile.ts';
import { anyFormatBody } from '../../../src/producers/decode/body.ts';
import { answerHandshake } from '../../../src/producers/sender-checks.ts';
import { detectProducer, producerOf, producers } from '../../../src/producers/registry.ts';

type Entry = { value: string; e164?: string; iso?: string | null; plain_text?: string } | null;
type Truth = Record<string, Entry>;
type Sample = {
  producer: string;
  event: string;
  method: string;
  query?: Record<string, string>;
  content_type: string | null;
  headers: Record<string, string>;
  body: unknown;
  raw_body?: string;
  truth: Truth;
  truth_items?: Truth[];
  expected_response?: { status: number; content_type?: string; body?: string };
};

const folder = join(import.meta.dirname, '../../../suggest/corpora/corpus');
const profiles: Readonly<Record<string, string>> = {
  facebook_lead_ads: 'meta',
  telegram_bot: 'telegram',
  rd_station_crm: 'rd-station',
  contact_form_7: 'wordpress-forms',
  elementor_forms: 'wordpress-forms',
  wpforms: 'wordpress-forms',
};
const further = [
  '../corpus2/telegram_bot.message.json',
  '../corpus3/activecampaign.subscribe.json',
  '../corpus3/bitrix24.crm_form.json',
  '../corpus3/rd_station_crm.deal_created.json',
];
const samples = [...readdirSync(folder), ...further]
  .filter((name) => name.endsWith('.json'))
  .map((name): Sample => JSON.parse(readFileSync(join(folder, name), 'utf8')))
  .map((sample) => ({ ...sample, producer: profiles[sample.producer] ?? sample.producer }));
const ours = samples.filter(({ producer }) => producer in producers);
const deliveries = ours.filter(({ expected_response }) => !expected_response);

function payloadOf({
  producer,
  headers,
  query = {},
  content_type,
  body,
  raw_body,
}: Sample): Payload {
  const raw = Buffer.from(raw_body ?? JSON.stringify(body));
  const decoder = producer in producers ? producerOf(producer) : anyFormatBody;
  const decoded = decoder.decodeBody({ contentType: content_type ?? undefined, body: raw });
  if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return { body: decoded.value, headers: Object.fromEntries(lower), query };
}

function compiled(profile: string): CompiledMapping {
  const result = compileMapping(producerOf(profile).starterMapping);
  if (!result.ok) throw new Error(JSON.stringify(result.problems));
  return result.mapping;
}

function readAll(sample: Sample): MappedEvent[] {
  const mapping = compiled(sample.producer);
  const payload = payloadOf(sample);
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  return split.items.map((item) => applyItem(mapping, payload, { defaultRegion: 'BR', item }));
}

const digits = (text: string | undefined) => text?.replaceAll(/\D/g, '') ?? null;

const wanted = ({ truth }: { truth: Truth }) => ({
  externalId: truth.external_id?.value ?? null,
  name: truth.name?.value ?? null,
  phone: truth.phone?.e164 ?? null,
  email: truth.email?.value ?? null,
  document: digits(truth.document?.value),
  text: truth.message?.plain_text ?? truth.message?.value ?? null,
  origin: truth.source?.value ?? null,
  campaign: truth.campaign?.value ?? null,
  eventType: truth.event_type?.value ?? null,
  eventDate: truth.event_date?.iso ?? null,
});

const found = ({ contact, message, context, eventType, eventDate }: MappedEvent) => ({
  externalId: contact.externalId,
  name: contact.name,
  phone: contact.phone,
  email: contact.email,
  document: contact.document,
  text: message.text,
  origin: context.origin,
  campaign: context.campaign,
  eventType,
  eventDate,
});

/** Fields under keys of the account, which only its owner can map. */
const ofTheAccount: Readonly<Record<string, readonly string[]>> = {
  'pipedrive v2_create_person': ['document', 'origin'],
  // The id is that of the answer.
  'wordpress-forms webhooks_addon': ['externalId'],
};

/** Ids that have the type of their record. */
const typedIds: Readonly<Record<string, object>> = {
  'bitrix24 crm_form': { externalId: 'lead_5201' },
};

const withoutEventId: ReadonlySet<string> = new Set([
  'hubspot workflow_contact',
  'wordpress-forms advanced_data',
  'wordpress-forms cf7_to_webhook',
  'wordpress-forms flat_bracket_json',
  'wordpress-forms simple_data',
]);

/** Events without a person, or with one to remove, which the starter mapping ignores. */
const ignored: Readonly<Record<string, MappedEvent['ignored']>> = {
  'kommo leads_add': 'filter',
  'nuvemshop order_created': 'filter',
  'nuvemshop customers_redact': 'removal_requested',
};
const isIgnored = ({ producer, event }: Sample) => `${producer} ${event}` in ignored;
const people = deliveries.filter((sample) => !isIgnored(sample));

test.each(deliveries.filter(isIgnored))(
  'the starter mapping ignores $producer $event',
  (sample) => {
    const reason = ignored[`${sample.producer} ${sample.event}`];
    for (const event of readAll(sample)) expect(event.ignored).toBe(reason);
  },
);

test('every producer with a body format of its own has samples', () => {
  const known = new Set(ours.map(({ producer }) => producer));
  expect(Object.keys(producers).filter((name) => !known.has(name))).toEqual([
    'generic',
    // Those of mail and WhatsApp have their own tests: mail.test.ts, whatsapp.test.ts, whatsapp-gateways.test.ts.
    'cloudflare-email',
    'evolution',
    'mailgun',
    'postmark',
    'sendgrid',
    'standard-webhooks',
    'waha',
    'whatsapp',
  ]);
});

test.each(Object.keys(producers))('the starter mapping of %s is valid', (name) => {
  expect(compileMapping(producerOf(name).starterMapping)).toMatchObject({ ok: true });
  expect(producerOf(name).name).toBe(name);
});

test.each(people.map((sample) => [`${sample.producer} ${sample.event}`, sample] as const))(
  'the starter mapping reads %s',
  (title, sample) => {
    const events = readAll(sample);
    const [first] = events;
    if (!first) throw new Error('No item.');
    const skipped = Object.fromEntries((ofTheAccount[title] ?? []).map((name) => [name, null]));
    expect(found(first)).toEqual({ ...wanted(sample), ...skipped, ...typedIds[title] });
    expect(first.problems.filter(({ code }) => code !== 'zone_unknown')).toEqual([]);
    expect(events).toHaveLength(sample.truth_items?.length ?? 1);
    for (const [i, truth] of (sample.truth_items ?? []).entries()) {
      const expected = Object.entries(wanted({ truth })).filter(([, value]) => value !== null);
      expect(events[i] && found(events[i])).toMatchObject(Object.fromEntries(expected));
    }
  },
);

test.each(people.map((sample) => [`${sample.producer} ${sample.event}`, sample] as const))(
  'each item of %s has an event id of its own, the same when it is sent again',
  (title, sample) => {
    const ids = readAll(sample).map(({ eventId }) => eventId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.includes(null)).toBe(withoutEventId.has(title));
    expect(readAll(sample).map(({ eventId }) => eventId)).toEqual(ids);
  },
);

test.each(
  ours
    .filter(({ method }) => method === 'POST')
    .map((sample) => [`${sample.producer} ${sample.event}`, sample] as const),
)('%s is detected, also by its body alone when that is distinctive', (title, sample) => {
  const payload = payloadOf(sample);
  expect(detectProducer(payload)[0]).toMatchObject({ name: sample.producer });
  const bare = detectProducer({ ...payload, headers: {} })[0];
  if (title !== 'slack url_verification') expect(bare).toMatchObject({ name: sample.producer });
});

test('the corpus of other senders is not detected as a producer', () => {
  const others = samples.filter(
    ({ producer, method }) => !(producer in producers) && method === 'POST',
  );
  expect(others.length).toBeGreaterThan(20);
  const taken = others.flatMap((sample) =>
    detectProducer(payloadOf(sample))
      .filter(({ confidence }) => confidence >= 0.5)
      .map(({ name }) => `${sample.producer}: ${name}`),
  );
  expect(taken).toEqual([]);
});

test.each(
  ours.flatMap((sample) =>
    sample.expected_response ? [[`${sample.producer} ${sample.event}`, sample] as const] : [],
  ),
)('the handshake %s gets the expected answer', (_, sample) => {
  const { method, query = {}, headers, expected_response: expected } = sample;
  const body = sample.body === null ? undefined : payloadOf(sample).body;
  const token = query['hub.verify_token'];
  const handshake = token === undefined ? {} : { verifyToken: token };
  const answer = answerHandshake(
    producerOf(sample.producer),
    { handshake },
    { method, query, headers, body },
  );
  expect(answer).toMatchObject({
    status: expected?.status,
    ...(expected?.content_type !== undefined && { contentType: expected.content_type }),
    ...(expected?.body !== undefined && { body: expected.body }),
  });
});

test.each(deliveries.map((sample) => [`${sample.producer} ${sample.event}`, sample] as const))(
  '%s is neither a handshake nor a ping',
  (_, sample) => {
    const producer = producerOf(sample.producer);
    const payload = payloadOf(sample);
    expect(answerHandshake(producer, {}, { ...payload, method: 'POST' })).toBeNull();
    expect(producer.isPing?.(payload) ?? false).toBe(false);
  },
);

test.each<[string, unknown, Record<string, string>]>([
  ['shopify', { id: 1 }, { 'x-shopify-test': 'true' }],
  ['intercom', { type: 'notification_event', topic: 'ping' }, {}],
  ['stripe', { type: 'ping' }, {}],
  ['hotmart', { data: { purchase: { transaction: 'HP16015479281022' } } }, {}],
  ['meta', { entry: [{ changes: [{ value: { leadgen_id: '444444444444' } }] }] }, {}],
])('a test request of %s is detected', (name, body, headers) => {
  expect(producerOf(name).isPing?.({ body, headers, query: {} })).toBe(true);
});

test('a header id is read by the receiver without the rest of the mapping', () => {
  const mapping = compiled('standard-webhooks');
  const payload = { body: {}, headers: { 'webhook-id': 'msg_1' }, query: {} };
  expect(readEventId(mapping, payload)?.text).toBe('msg_1');
});

test('a delivery report has no message', () => {
  const body = { MessageSid: 'SM1', MessageStatus: 'delivered', From: '+5511900000001' };
  const event = applyItem(
    compiled('twilio'),
    { body, headers: {}, query: {} },
    { defaultRegion: 'BR' },
  );
  expect(event.ignored).toBe('filter');
});

test('two messages of one sender in Messenger are of one contact', () => {
  const contactOf = (MessageSid: string) => {
    const body = { MessageSid, From: 'messenger:7001', Body: 'Oi' };
    const raw = { contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) };
    const decoded = producerOf('twilio').decodeBody(raw);
    if (!decoded.ok) throw new Error(JSON.stringify(decoded.message));
    const payload = { body: decoded.value, headers: {}, query: {} };
    return applyItem(compiled('twilio'), payload, { defaultRegion: 'BR' }).contact.externalId;
  };
  expect([contactOf('SM1'), contactOf('SM2')]).toEqual(['messenger:7001', 'messenger:7001']);
});

test.each([
  ['of an app, without a user', { bot_id: 'B1', subtype: 'bot_message', text: 'Build 7 is done' }],
  ['of an app, with its user', { bot_id: 'B1', user: 'U1', text: 'Build 7 is done' }],
  ['that was edited', { subtype: 'message_changed', message: { user: 'U1', text: 'Oi!' } }],
])('a Slack message %s is ignored', (_what, message) => {
  const body = { event: { type: 'message', ...message }, event_id: 'Ev1' };
  const payload = { body, headers: {}, query: {} };
  expect(applyItem(compiled('slack'), payload, { defaultRegion: 'BR' }).ignored).toBe('filter');
});

test('each change in one body of Kommo has an event id of its own', () => {
  const at = { updated_at: '1767700900' };
  const body = {
    leads: {
      update: [{ id: '1', ...at }],
      status: [{ id: '1', status_id: '3', old_status_id: '2', ...at }],
      responsible: [{ id: '1', old_responsible_user_id: '8', ...at }],
    },
    contacts: {
      add: [
        { id: '1', type: 'contact', ...at },
        { id: '1', type: 'company', ...at },
      ],
    },
  };
  const mapping = compiled('kommo');
  const payload = { body, headers: {}, query: {} };
  const split = splitItems(mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  const ids = split.items.map((item) => readEventId(mapping, payload, { item })?.text ?? null);
  expect(new Set(ids).size).toBe(5);
  expect(ids).not.toContain(null);
});
