// The list of events shows people: one text finds events by id, person or words, and effects name the contact and the message.
import { newId } from '../../../src/base/ids.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { aChannel } from '../../support/context/builders.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let ours: Webhook;
let theirs: Webhook;
const ids = new Map<string, string>();

const lead = (id: string, person: object, text = 'Hello') => ({
  id,
  type: 'lead.created',
  text,
  lead: { id: `L-${id}`, ...person },
});

beforeAll(async () => {
  api = await createTestApi('http_event_people');
  ours = await api.addWebhook();
  theirs = await api.addWebhook(undefined, await aChannel(api));
  const post = async (webhook: Webhook, body: { id: string }) => {
    ids.set(body.id, await api.send(webhook, body));
  };
  await post(
    ours,
    lead('order-1', { name: 'Ana Souza', phone: '+55 11 99999-0001' }, 'A red bike'),
  );
  await post(ours, lead('order-2', { name: 'Ana Lima', email: 'ana@example.com' }, 'a blue BIKE'));
  await post(ours, lead('lead-3', { name: 'Bruno', email: 'bruno@example.com' }, 'x'.repeat(300)));
  await post(ours, { id: 'nobody' });
  await post(theirs, lead('other-1', { name: 'Ana Outra', email: 'outra@example.com' }, 'red car'));
  await api.processEvents([...ids.values()]);
});
afterAll(() => api.close());

const eventIdOf = (name: string): string => ids.get(name) ?? '';

async function find(query: string, token?: string) {
  const path = `/v1/admin/events?sort_by=receivedAt&${query}`;
  const answer = await api.ask('GET', path, token === undefined ? {} : { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  const { pagings, results } = answer.body.data;
  const names = results.map(({ externalId }: { externalId: string }) => externalId);
  return { names, pagings };
}
const search = async (text: string, rest = '') =>
  (await find(`search=${encodeURIComponent(text)}${rest}`)).names;

test.each([
  ['the whole external id', 'lead-3', ['lead-3']],
  ['the beginning of an external id', 'order-', ['order-1', 'order-2']],
  ['a name in any case', 'ana', ['order-1', 'order-2', 'other-1']],
  ['the beginning of a name, with blanks around', '  Ana S ', ['order-1']],
  ['a number without country code', '(11) 99999-0001', ['order-1']],
  ['an address in any case', 'ANA@example.com', ['order-2']],
  ['a word of a message', 'bike', ['order-1', 'order-2']],
  ['words of a message in any order', 'bike red', ['order-1']],
  ['what nothing has', 'zebra', []],
])('%s finds its events', async (_what, text, expected) => {
  expect(await search(text)).toEqual(expected);
});

test('the id of an event and the id of a contact find their events', async () => {
  const { effects } = (await api.stores.events.get(eventIdOf('order-1'))) ?? {};
  expect(await search(eventIdOf('nobody'))).toEqual(['nobody']);
  expect(await search(eventIdOf('nobody').toUpperCase())).toEqual(['nobody']);
  expect(await search(effects?.contactId ?? '')).toEqual(['order-1']);
  expect(await search(newId())).toEqual([]);
});

test('a text is combined with the other filters', async () => {
  expect(await search('ana', `&webhookId=${theirs._id}`)).toEqual(['other-1']);
  expect(await search('ana', '&state=dead')).toEqual([]);
});

test('pages of a text search continue, and the export has the same events', async () => {
  const first = await find('search=ana&per_page=2');
  const rest = await find(`search=ana&per_page=2&cursor=${first.pagings.next_cursor}`);
  expect([...first.names, ...rest.names]).toEqual(['order-1', 'order-2', 'other-1']);
  expect(first.pagings).toMatchObject({ total: 3, total_exact: true });
  const exported = await fetch(`${api.url}/v1/admin/events/export?search=ana`, {
    headers: { keyapi: adminToken },
  });
  expect((await exported.text()).trim().split('\n')).toHaveLength(3);
});

test('more ids than are considered make the total inexact, and the export is rejected', async () => {
  const crowd = Array.from({ length: 101 }, (_empty, n) => ({ id: `crowd-${n}` }));
  for (const body of crowd) await api.send(ours, body);
  const { pagings } = await find('search=crowd-');
  expect(pagings.total_exact).toBe(false);
  const exported = await api.ask('GET', '/v1/admin/events/export?search=crowd-');
  expect([exported.status, exported.body.data.fields[0].path]).toEqual([400, 'search']);
});

test.each(['search=', 'search=%20', `search=${'x'.repeat(201)}`])(
  '%s is rejected',
  async (query) => {
    const answer = await api.ask('GET', `/v1/admin/events?${query}`);
    expect([answer.status, answer.body.data.code]).toEqual([400, 'invalid_query']);
  },
);

const effectsOf = async (names: readonly string[], token?: string) => {
  const query = `eventId=${names.map(eventIdOf).join()}`;
  const path = `/v1/admin/events/effects?${query}`;
  const answer = await api.ask('GET', path, token === undefined ? {} : { token });
  expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
  return new Map(answer.body.data.results.map((one: { eventId: string }) => [one.eventId, one]));
};

test('effects name the contact and the beginning of the message; an event without effects is absent', async () => {
  const found = await effectsOf(['order-1', 'lead-3', 'nobody']);
  expect(found.get(eventIdOf('order-1'))).toMatchObject({
    contact: { name: 'Ana Souza', phone: '+5511999990001', email: null },
    message: 'A red bike',
  });
  expect(found.get(eventIdOf('lead-3'))).toMatchObject({ message: 'x'.repeat(200) });
  expect(found.has(eventIdOf('nobody'))).toBe(false);
});

test('the effects of a merged contact name the survivor', async () => {
  const contactOf = async (name: string) =>
    (await api.stores.events.get(eventIdOf(name)))?.effects?.contactId ?? '';
  const body = { contactId: await contactOf('order-1') };
  const merged = await api.ask('POST', `/v1/admin/contacts/${await contactOf('lead-3')}/merge`, {
    body,
  });
  expect(merged.status).toBe(200);
  const found = await effectsOf(['order-1', 'lead-3']);
  const shown = [...found.values()].map((one) => (one as { contact: object }).contact);
  expect(shown).toEqual([shown[0], shown[0]]);
  expect(shown[0]).toMatchObject({ id: await contactOf('lead-3'), phone: '+5511999990001' });
  expect(await search('bruno')).toEqual(['order-1', 'lead-3']);
});

describe('a restricted token', () => {
  const restrictedTo = (webhookIds: string[], channelIds: string[]) =>
    api.addToken(['viewer'], { restriction: { webhookIds, channelIds } });

  test('of a channel finds its names and words only, and sees its contacts', async () => {
    const token = await restrictedTo([], [theirs.channelId]);
    expect((await find('search=ana', token)).names).toEqual(['other-1']);
    expect((await find('search=red', token)).names).toEqual(['other-1']);
    const found = await effectsOf(['order-2', 'other-1'], token);
    expect([...found.keys()]).toEqual([eventIdOf('other-1')]);
    expect(found.get(eventIdOf('other-1'))).toMatchObject({ contact: { name: 'Ana Outra' } });
  });

  test('of a webhook sees the messages of its events, and no contacts', async () => {
    const token = await restrictedTo([ours._id], []);
    expect((await find('search=ana', token)).names).toEqual([]);
    expect((await find('search=order-1', token)).names).toEqual(['order-1']);
    const found = await effectsOf(['order-2', 'other-1'], token);
    expect([...found.values()]).toEqual([
      { eventId: eventIdOf('order-2'), contact: null, message: 'a blue BIKE' },
    ]);
  });
});
