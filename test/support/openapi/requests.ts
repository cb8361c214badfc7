/**
 * A valid request for every operation of the API, derived from the document unless an entry says more: the path names shared
 * records, which are created once, and the body is the example of the document. Entries of write-requests.ts have their own
 * records.
 */
import { newId, sha256 } from '../../../src/base/ids.ts';
import { aFile, aRejection } from '../context/builders.ts';
import type { RequestOptions } from '../context/api-request.ts';
import type { TestApi } from '../context/test-api.ts';
import { conversationRequests, writeRequests, root, type Fixtures } from './write-requests.ts';
import { botToken } from '../destinations/telegram-bot.ts';
import type { Operation } from './contract.ts';
import { leadMapping } from '../context/test-context.ts';

export type PathFixtures = Awaited<ReturnType<typeof createPathFixtures>>;

/** A webhook with every kind of subordinate record, and one record of every other kind. */
export async function createPathFixtures(api: TestApi, things: Fixtures) {
  const settings = { url: 'http://127.0.0.1:9/' };
  const channelId = await things.made('/channels', { name: 'Out', kind: 'http', settings });
  const made = await api.ask('POST', `${root}/webhooks`, { body: { name: 'Leads', channelId } });
  const { id: webhookId, key } = made.body.data as { id: string; key: string };
  const post = (path: string, body: object = {}) =>
    api.ask('POST', `${root}/webhooks/${webhookId}${path}`, { body });
  const send = (body: object) => api.ask('POST', `/v1/webhook/${key}`, { token: null, body });
  await send({ id: 'sample', type: 'lead' });
  await post('/mappings', { mapping: leadMapping });
  await post('/activate');
  const lead = {
    id: 'first',
    text: 'hello',
    lead: { id: '7', name: 'Ana', email: 'a@x.test', phone: '+5511900000007' },
  };
  const sent = await send(lead);
  const dead = await send({ id: 'nobody' });
  const withoutId = { text: 'no id' };
  await send(withoutId);
  const eventId: string = sent.body.data.eventId;
  await api.processEvents([eventId, dead.body.data.eventId]);
  const tested = await post('/test-events', { payload: { body: lead } });
  const at = new Date(Date.now() + 3_600_000).toISOString();
  await post('/activate', { at });
  const samples = await api.ask('GET', `${root}/webhooks/${webhookId}/samples`);
  const rejectionId = await aRejection(api, { key, path: `${root}/webhooks/${webhookId}` });
  const keys = await api.ask('GET', `${root}/webhooks/${webhookId}/keys`);
  const event = await api.ask('GET', `${root}/events/${eventId}`);
  const audit = await api.ask('GET', `${root}/audit`);
  const person = { body: { phone: '+5511900000009' } };
  const erasure = await api.ask('POST', `${root}/contacts/erase`, person);
  return {
    channelId,
    webhookId,
    key,
    lead,
    withoutId,
    eventId,
    testEventId: tested.body.data.eventId as string,
    keyId: keys.body.data.results[0].id as string,
    sampleId: samples.body.data.results[0].id as string,
    rejectionId,
    ...(event.body.data.effects as { contactId: string; chatId: string; messageId: string }),
    auditId: audit.body.data.results[0].id as string,
    conflictId: (await things.people()).conflictId,
    erasureId: erasure.body.data.id as string,
    blockedId: await things.blocked(),
    runId: await things.replay(),
    tokenId: await things.token(),
    targetId: await things.target(),
    noticeDeliveryId: (await things.deadNotice())[1],
    telegramHookId: await telegramHook(things),
    fileId: await aFile(api, event.body.data.effects.chatId),
    agentId: await things.agent(),
    labelId: await things.label(),
    sectorId: await things.sector(),
    draftKey: await draftKey(api, channelId),
  };
}

/** Its service does not answer. */
async function telegramHook({ made }: Fixtures): Promise<string> {
  const settings = { botToken, apiUrl: 'http://127.0.0.1:9' };
  const channelId = await made('/channels', { name: 'Bot', kind: 'telegram', settings });
  return made('/webhooks', { name: 'Bot', channelId, producerProfile: 'telegram' });
}

async function draftKey(api: TestApi, channelId: string): Promise<string> {
  const made = await api.ask('POST', `${root}/webhooks`, { body: { name: 'New', channelId } });
  return made.body.data.key;
}

/** The record whose id is the first parameter, by the start of the path. */
const firstIds: readonly (readonly [prefix: string, id: (place: PathFixtures) => string])[] = [
  ['/v1/webhook', ({ key }) => key],
  [`${root}/agents`, ({ agentId }) => agentId],
  [`${root}/channels`, ({ channelId }) => channelId],
  [`${root}/webhooks`, ({ webhookId }) => webhookId],
  [`${root}/events`, ({ eventId }) => eventId],
  [`${root}/replays`, ({ runId }) => runId],
  [`${root}/deliveries`, ({ messageId }) => messageId],
  [`${root}/audit`, ({ auditId }) => auditId],
  [`${root}/contacts/conflicts`, ({ conflictId }) => conflictId],
  [`${root}/blocks`, ({ blockedId }) => blockedId],
  [`${root}/erasures`, ({ erasureId }) => erasureId],
  [`${root}/contacts`, ({ contactId }) => contactId],
  [`${root}/notices/deliveries`, ({ noticeDeliveryId }) => noticeDeliveryId],
  [`${root}/notices/targets`, ({ targetId }) => targetId],
  [`${root}/tokens`, ({ tokenId }) => tokenId],
  ['/v1/chat/transfer/sectors', ({ sectorId }) => sectorId],
  ['/v1/sector', ({ sectorId }) => sectorId],
  ['/v1/label-template', ({ labelId }) => labelId],
  ['/v1/chat/contacts', ({ contactId }) => contactId],
  ['/v1/chat', ({ chatId }) => chatId],
];

const laterIds: Readonly<Record<string, (place: PathFixtures) => string>> = {
  '{sampleId}': ({ sampleId }) => sampleId,
  '{rejectionId}': ({ rejectionId }) => rejectionId,
  '{keyId}': ({ keyId }) => keyId,
  '{file_id}': ({ fileId }) => fileId,
  '{version}': () => '1',
  '{eventId}': ({ testEventId }) => testEventId,
  '{chatId}': ({ chatId }) => chatId,
  '{externalId}': ({ lead }) => lead.id,
  '{sha256}': ({ withoutId }) => sha256(JSON.stringify(withoutId)),
};

/** For the shared records. */
export function pathIn(template: string, place: PathFixtures): string {
  const first = firstIds.find(([prefix]) => template.startsWith(`${prefix}/{`));
  return template.replaceAll(/\{\w+\}/g, (found, at: number) => {
    const isFirst = at === template.indexOf('{');
    const id = (isFirst ? first?.[1] : laterIds[found])?.(place);
    if (id === undefined) throw new Error(`Nothing stands for ${found} in ${template}.`);
    return id;
  });
}

type Request = RequestOptions & { readonly path: string };
type RequestBuilder = (place: PathFixtures) => Asked;
type Asked = RequestOptions & { readonly query?: string; readonly path?: string };

/** Requests that the document does not give, and that change nothing; several where different answers are possible. */
const requestBuilders: Readonly<Record<string, readonly RequestBuilder[]>> = {
  receiveEvent: [
    ({ lead }) => ({ body: { ...lead, id: newId() } }),
    ({ lead }) => ({ body: lead }),
    ({ draftKey }) => ({ path: `/v1/webhook/${draftKey}`, body: { id: 'a sample' } }),
    () => ({ raw: 'id=1&type=form', headers: { 'content-type': form } }),
  ],
  registerWebhook: [
    ({ telegramHookId: id }) => ({ path: `${root}/webhooks/${id}/register`, body: {} }),
  ],
  previewWebhookMappings: [
    ({ lead }) => ({ body: { version: 1, payload: { body: lead } } }),
    () => ({ body: { mapping: { split: '@' }, payload: { body: [{}, {}] } } }),
  ],
  diffWebhookMappings: [() => ({ body: { mapping: {}, last: 10 } })],
  suggestWebhookMappings: [
    ({ sampleId }) => ({ body: { sampleIds: [sampleId] } }),
    ({ lead }) => ({ body: { payloads: [{ body: lead }] } }),
  ],
  repairWebhookMappings: [({ eventId }) => ({ body: { eventId } })],
  replayEvents: [
    ({ webhookId }) => ({ body: { filter: { webhookId, state: 'dead' }, preview: true } }),
  ],
  discardEvents: [
    ({ webhookId }) => ({ body: { filter: { webhookId, state: 'dead' }, preview: true } }),
  ],
  listEventsEffects: [({ eventId }) => ({ query: `eventId=${eventId}` })],
  listEvents: [() => ({}), () => ({ query: 'search=Ana' })],
  exportEvents: [() => ({}), () => ({ query: 'payload=true' })],
  getEvent: [() => ({}), () => ({ query: 'reveal=true' })],
  listChats: [() => ({ query: 'status=my_chats' })],
  searchMessages: [() => ({ query: 'query=hello' })],
  searchChatMessages: [() => ({ query: 'query=hello' })],
  sendMessage: [() => ({ body: { type: 'text', message: 'Hello' } })],
  findChatContactByPhone: [() => ({ query: 'phone_ddi=55&phone=11900000007' })],
};
const form = 'application/x-www-form-urlencoded';

const changeOf = ({ method, path }: Operation) => {
  const [requests, start] = path.startsWith(`${root}/`)
    ? [writeRequests, root]
    : [conversationRequests, '/v1'];
  return requests[`${method} ${path.slice(start.length).replaceAll(/\{(\w+)\}/g, ':$1')}`];
};

/** Valid requests; write requests can be sent once. */
export async function requestsFor(
  operation: Operation,
  { place, things }: { readonly place: PathFixtures; readonly things: Fixtures },
): Promise<Request[]> {
  const { name, path, bodyTypes, bodyExample } = operation;
  const derived: RequestBuilder = () => (bodyTypes.length > 0 ? { body: bodyExample } : {});
  const change = await changeOf(operation)?.(things);
  const known = requestBuilders[name] ?? (change ? [] : [derived]);
  const requests = known.map((build) => {
    const { query, path: given = pathIn(path, place), ...ask } = build(place);
    return { ...ask, path: given + (query ? `?${query}` : '') };
  });
  if (!change) return requests;
  const ids = [...(change.ids ?? [])];
  return [...requests, { ...change, path: path.replaceAll(/\{\w+\}/g, () => String(ids.shift())) }];
}
