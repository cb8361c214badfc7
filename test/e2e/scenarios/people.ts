// Administrator scenarios about contacts. The database is read only to check that data is erased or unchanged.
import { waitForValue } from '../../support/processes/client.ts';
import type { Any } from '../../support/processes/scenario.ts';
import { scenario } from './shared-scenario.ts';

const ana = {
  id: 'L-ana',
  name: 'Ana Quintela',
  phone: '(11) 90000-0011',
  email: 'ana.quintela@example.com',
};
const bia = {
  id: 'L-bia',
  name: 'Bia Moura',
  phone: '(11) 90000-0022',
  email: 'bia.moura@example.com',
};
let day = 0;
function crm(eventId: string, lead: object, over: object = {}) {
  day += 1;
  const createdAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  return { event_id: eventId, created_at: createdAt, lead, message: `Hello ${eventId}`, ...over };
}
const mapping = {
  eventId: { path: 'event_id' },
  eventDate: { path: 'created_at', transforms: ['date'] },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone', transforms: ['phone'] },
    email: { path: 'lead.email', transforms: ['email'] },
  },
  message: { text: { path: 'message', required: true } },
};

test('what happened to a lead is found by phone or email: its events, attempts, resends with what differed, receipt, and who touched it', async () => {
  const { get, post, list } = scenario;
  const webhook = await scenario.addWebhook('Found', mapping);
  const payload = crm('x-1', ana);
  const event = await scenario.lead(webhook.url, payload);
  await scenario.deliver(webhook.url, payload);
  await scenario.deliver(webhook.url, { ...payload, message: 'Hello, and my street is Rua A' });
  await post(`/v1/admin/events/${event.id}/replay`, { remap: true });
  await scenario.settled(event.id, ['done']);

  for (const clue of ['phone=%2B5511900000011', 'email=Ana.Quintela%40example.com']) {
    const { results } = await list(`/v1/admin/events?webhookId=${webhook.id}&${clue}`);
    expect(results.map(({ id }) => id)).toEqual([event.id]);
    const people = (await list(`/v1/admin/contacts?channelId=${webhook.channelId}&${clue}`))
      .results;
    expect(people).toMatchObject([{ id: event.effects.contactId, name: 'Ana Quintela' }]);
  }
  const whole = await get(`/v1/admin/events/${event.id}`);
  expect(whole.timeline.map(({ state }: Any) => state)).toEqual([
    'received',
    'processing',
    'done',
    'received',
    'processing',
    'done',
  ]);
  expect(whole.attemptHistory).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }]);
  expect(whole.payload).toEqual(payload);

  const deliveries = await list(`/v1/admin/events/${event.id}/deliveries?sort_by=number`);
  expect(deliveries.results).toMatchObject([
    { number: 1, sameBody: true },
    { number: 2, sameBody: true, changes: null },
    {
      number: 3,
      sameBody: false,
      changes: [{ path: '/message', kind: 'changed', after: 'Hello, and my street is Rua A' }],
    },
  ]);
  const receipt = await scenario.ask('GET', `${webhook.url}/receipts/x-1`, { token: null });
  expect(receipt.data).toMatchObject({
    eventId: event.id,
    state: 'done',
    deliveries: 3,
    messageId: event.effects.messageId,
  });
  const rows = await list(`/v1/admin/audit?targetType=event&targetId=${event.id}`);
  expect(rows.results).toMatchObject([
    { actor: { name: 'INLET_ADMIN_TOKEN' }, address: '127.0.0.1' },
  ]);
});

type Doc = Record<string, unknown>;

/** All documents of the database, with bodies as text. */
async function everything(): Promise<string> {
  const texts: string[] = [];
  for (const { name } of await scenario.db.listCollections().toArray()) {
    const options = { promoteBuffers: true };
    const found = await scenario.db.collection<Doc>(name).find({}, options).toArray();
    texts.push(`${name}: ${JSON.stringify(found, spoken)}`);
  }
  return texts.join('\n');
}

/** Buffers arrive in the form of `toJSON`. */
function spoken(_key: string, value: unknown): unknown {
  const { type, data } = (value ?? {}) as { type?: string; data?: number[] };
  return type === 'Buffer' && data ? Buffer.from(data).toString() : value;
}

test('a person who asks to be forgotten is nowhere any more, does not come back by replay or resend', async () => {
  const { get, post, list } = scenario;
  const caio = {
    id: 'L-caio',
    name: 'Caio Tarouca',
    phone: '(11) 90000-0033',
    email: 'caio.tarouca@example.com',
  };
  const traces = /Caio|Tarouca|90000-?0033/i;
  const webhook = await scenario.addWebhook('Forgotten', mapping);
  const hook = `/v1/admin/webhooks/${webhook.id}`;
  await post(`${hook}/samples`, { body: crm('sample', caio) });
  const sent = crm('f-1', caio, { message: 'Hello, Caio here' });
  const done = await scenario.lead(webhook.url, sent);
  const dead = await scenario.lead(webhook.url, crm('f-2', caio, { message: '' }));
  const other = await scenario.lead(webhook.url, crm('f-3', bia));
  await scenario.deliver(webhook.url, { ...sent, message: 'Caio, once more' });
  const { contactId } = done.effects;
  const edit = { name: 'Caio M. Tarouca', pins: ['name'] };
  expect((await scenario.patch(`/v1/admin/contacts/${contactId}`, edit)).status).toBe(200);
  expect(dead.state).toBe('dead');
  expect(await everything()).toMatch(traces);

  const order = { block: true, reason: 'request 17' };
  const { id } = await post(`/v1/admin/contacts/${contactId}/erase`, order);
  const certificate = await waitForValue('nothing is left', async () => {
    const erasure = await get(`/v1/admin/erasures/${id}`);
    return erasure.state === 'done' ? erasure : undefined;
  });
  expect(certificate).toMatchObject({
    contactIds: [contactId],
    block: true,
    counts: { events: 2, samples: 1, messages: 1, chats: 1, contacts: 1 },
    audit: { id: expect.any(String) },
  });
  expect(await everything()).not.toMatch(traces);
  expect(scenario.output()).not.toMatch(traces);

  // Nothing brings the person back.
  for (const one of [done, dead]) {
    const replay = `/v1/admin/events/${one.id}/replay`;
    expect((await scenario.ask('POST', replay, { body: { remap: true } })).status).toBe(409);
  }
  const resent = await scenario.deliver(webhook.url, sent);
  expect(resent).toMatchObject({ status: 200, data: { eventId: done.id, duplicate: true } });
  expect(await scenario.lead(webhook.url, crm('f-4', caio))).toMatchObject({
    state: 'ignored',
    reason: 'blocked',
  });
  expect((await list(`/v1/admin/contacts?search=caio`)).results).toEqual([]);
  expect(await everything()).not.toMatch(traces);
  expect(await get(`/v1/admin/contacts/${other.effects.contactId}`)).toMatchObject({
    name: 'Bia Moura',
  });
});

test('a wrong merge is undone: the conflict is seen, the two are merged, and taken apart they are exactly as before', async () => {
  const { get, post, list } = scenario;
  const webhook = await scenario.addWebhook('Merged', mapping);
  const one = (await scenario.lead(webhook.url, crm('m-1', ana))).effects;
  const two = (await scenario.lead(webhook.url, crm('m-2', bia))).effects;
  await scenario.lead(webhook.url, crm('m-3', { phone: ana.phone, email: bia.email }));

  const found = await list(`/v1/admin/contacts/conflicts?channelId=${webhook.channelId}`);
  const both = [one.contactId, two.contactId];
  expect(found.results).toHaveLength(1);
  const [{ contacts }] = found.results;
  expect(new Set(contacts.map(({ id }: Any) => id))).toEqual(new Set(both));

  const stays = `/v1/admin/contacts/${one.contactId}`;
  const goes = `/v1/admin/contacts/${two.contactId}`;
  const shown = async () => {
    const people = await Promise.all([get(stays), get(goes)]);
    const chats = await list(`/v1/chat?status=my_chats&filter_worker_id=${webhook.channelId}`);
    // A merge and its undo leave only the records of both.
    return { people: people.map(({ history: _history, ...rest }) => rest), chats: chats.results };
  };
  const stored = async () => {
    const of = { channelId: webhook.channelId };
    const { db } = scenario;
    const found = [
      ...['contacts', 'chats', 'messages'].map((name) => db.collection<Doc>(name).find(of)),
      db.collection<Doc>('identities').find({ contactId: { $in: both } }),
    ].map((cursor) => cursor.toArray());
    return (await Promise.all(found)).map((all) => all.toSorted(byId));
  };
  const before = { shown: await shown(), stored: await stored() };
  expect(before.stored.map((all) => all.length > 0)).toEqual([true, true, true, true]);

  await post(`${stays}/merge`, { contactId: two.contactId });
  expect(await get(goes)).toMatchObject({ status: 'merged', mergedInto: one.contactId });
  const survivors = await list(
    `/v1/admin/contacts?channelId=${webhook.channelId}&email=${bia.email}`,
  );
  expect(survivors.results.map(({ id }) => id)).toEqual([one.contactId]);
  expect(await stored()).not.toEqual(before.stored);

  await post(`${stays}/unmerge`);
  expect({ shown: await shown(), stored: await stored() }).toEqual(before);
});

const byId = (a: Doc, b: Doc) => (JSON.stringify(a._id) < JSON.stringify(b._id) ? -1 : 1);
