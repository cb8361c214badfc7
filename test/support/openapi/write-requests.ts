// Records of the API, created over HTTP, and requests that change them, each on its own record: for routes that refuse the request
// that the document gives, and for those that would change or delete what others read.
import { newId, sha256 } from '../../../src/base/ids.ts';
import { newDelivery } from '../../../src/domain/messages/delivery.ts';
import type { NoticeDelivery } from '../../../src/domain/notices/notice.ts';
import { collectionOf } from '../services/collections.ts';
import { aRejection, aWebhook } from '../context/builders.ts';
import type { RequestOptions } from '../context/api-request.ts';
import type { TestApi } from '../context/test-api.ts';
import { loopbackRange } from '../services/destination.ts';

export const root = '/v1/admin';
/** The values of the path's parameters, in their order, and the body. */
type RequestInput = RequestOptions & { readonly ids?: readonly (string | number)[] };
type WriteRequest = (things: Fixtures) => Promise<RequestInput>;
export type Fixtures = ReturnType<typeof createFixtures>;

const target = { name: 'On call', kind: 'webhook', settings: { url: 'http://127.0.0.1:9/' } };

export function createFixtures(api: TestApi) {
  async function made(path: string, body: unknown): Promise<string> {
    const answer = await api.ask('POST', `${root}${path}`, { body });
    if (answer.status === 201) return answer.body.data.id;
    throw new Error(`POST ${path} was answered ${answer.status}: ${answer.text}`);
  }
  const channel = () => made('/channels', { name: 'In', kind: 'inbox' });
  const draft = async () => made('/webhooks', { name: 'Leads', channelId: await channel() });
  return {
    made,
    channel,
    agent: () => made('/agents', { name: 'Bia' }),
    target: () => made('/notices/targets', target),
    /** The ids of a target and of a dead delivery of it. */
    async deadNotice(): Promise<readonly [targetId: string, deliveryId: string]> {
      const targetId = await made('/notices/targets', target);
      const _id = newId();
      const delivery = { ...newDelivery(), state: 'dead', reason: 'attempts_spent' } as const;
      await collectionOf<NoticeDelivery>(api.connection, 'notice_deliveries').insertOne({
        _id,
        channelId: targetId,
        createdAt: new Date(),
        entries: [],
        more: 0,
        isReminder: false,
        delivery: { ...delivery, open: undefined },
      });
      return [targetId, _id];
    },
    token: () => made('/tokens', { name: 'Bea', scopes: ['viewer'] }),
    draft,
    key: async () => {
      const id = await draft();
      return [id, await made(`/webhooks/${id}/keys/rotate`, {})];
    },
    sample: async () => {
      const id = await draft();
      return [id, await made(`/webhooks/${id}/samples`, { body: { id: 1 } })];
    },
    /** A list, and a mapping that splits it by now. */
    rejection: async () => {
      const webhook = await aWebhook(api, { mapping: {} });
      const id = await aRejection(api, webhook);
      await api.ask('POST', `${webhook.path}/mappings`, { body: { mapping: { split: '@' } } });
      await api.ask('POST', `${webhook.path}/activate`, { body: { version: 2 } });
      return [webhook.id, id];
    },
    ...webhooksOf(api),
    ...eventsOf(api, made),
    ...peopleOf(api),
    ...conversationsOf(api),
  };
}

/** Webhooks in every state. */
function webhooksOf(api: TestApi) {
  const active = async () => (await api.addWebhook())._id;
  const after = (action: string) => async () => {
    const id = await active();
    await api.ask('POST', `${root}/webhooks/${id}/${action}`);
    return id;
  };
  return {
    active,
    paused: after('pause'),
    archived: after('archive'),
    /** The second of two versions is active. */
    changed: async () => {
      const id = await active();
      await api.ask('POST', `${root}/webhooks/${id}/mappings`, { body: { mapping: {} } });
      await api.ask('POST', `${root}/webhooks/${id}/activate`);
      return id;
    },
    scheduled: async () => {
      const id = await active();
      const at = new Date(Date.now() + 3_600_000).toISOString();
      await api.ask('POST', `${root}/webhooks/${id}/activate`, { body: { at } });
      return id;
    },
    tested: async () => {
      const id = await active();
      const body = { payload: { body: { id: 1 } } };
      const answer = await api.ask('POST', `${root}/webhooks/${id}/test-events`, { body });
      return [id, answer.body.data.eventId];
    },
  };
}

function eventsOf(api: TestApi, made: (path: string, body: unknown) => Promise<string>) {
  /** An event in which the mapping finds no identity. */
  async function dead(): Promise<string> {
    const id = await api.send(await api.addWebhook(), { id: newId() });
    await api.processEvents([id]);
    return id;
  }
  return {
    dead,
    async deadDelivery(): Promise<string> {
      const url = `http://${loopbackRange[0]?.split('/')[0]}:1/`;
      const channelId = await made('/channels', { name: 'Out', kind: 'http', settings: { url } });
      const webhook = await api.addWebhook(undefined, channelId);
      const eventId = await api.send(webhook, { id: newId(), lead: { id: newId() } });
      await api.processEvents([eventId]);
      const messageId = eventId;
      await api.connection
        .collection('messages')
        .updateOne({ _id: messageId as never }, { $set: { 'delivery.state': 'dead' } });
      return messageId;
    },
    async replay(): Promise<string> {
      await dead();
      return made('/events/replay', { filter: { state: 'dead' } });
    },
  };
}

function peopleOf(api: TestApi) {
  /** Two contacts of one channel that one event identified. */
  async function people(): Promise<{ contactIds: string[]; conflictId: string }> {
    const webhook = await api.addWebhook();
    const tell = async (lead: object) =>
      api.processEvents([await api.send(webhook, { id: newId(), lead })]);
    await tell({ email: 'a@example.com' });
    await tell({ phone: '+5511900000001' });
    await tell({ email: 'a@example.com', phone: '+5511900000001' });
    const query = `?channelId=${webhook.channelId}`;
    const found = await api.ask('GET', `${root}/contacts/conflicts${query}`);
    const [{ id: conflictId, contacts }] = found.body.data.results;
    return { conflictId, contactIds: contacts.map(({ id }: { id: string }) => id) };
  }
  return {
    people,
    async blocked(): Promise<string> {
      const _id = newId();
      const row = { kind: 'email', channelId: newId(), blocked: true, erasureId: newId() };
      const identities = api.connection.collection('identities');
      await identities.insertOne({ ...row, blockedAt: new Date(), _id: _id as never });
      return _id;
    },
    contact: async () => (await people()).contactIds[0] ?? '',
    async merged(): Promise<string> {
      const [id = '', contactId] = (await people()).contactIds;
      await api.ask('POST', `${root}/contacts/${id}/merge`, { body: { contactId } });
      return id;
    },
  };
}

function conversationsOf(api: TestApi) {
  const made = async (path: string, body: unknown, key: string): Promise<string> =>
    (await api.ask('POST', `/v1${path}`, { body })).body.data[key];
  let numbers = 0;
  return {
    label: () => made('/label-template', { label: newId(), color: 'red' }, 'label_template_id'),
    sector: () => made('/sector', { name: newId(), color: 'red' }, 'sector_id'),
    /** A chat of an event; taken by the agent of the headers, if given. */
    async chat(headers?: Record<string, string>): Promise<string> {
      const eventId = await api.send(await api.addWebhook(), {
        id: newId(),
        lead: { id: newId() },
      });
      await api.processEvents([eventId]);
      const { body } = await api.ask('GET', `${root}/events/${eventId}`);
      const { chatId } = body.data.effects;
      const taken = { body: { status: 'in_chat' }, ...(headers && { headers }) };
      if (headers) await api.ask('PATCH', `/v1/chat/${chatId}/status`, taken);
      return chatId;
    },
    async newContact() {
      const { channelId } = await api.addWebhook();
      const phone = `119${String(70_000_000 + (numbers += 1))}`;
      return { name: 'Ana', phone_ddi: '55', phone, channel_ids: [channelId] };
    },
  };
}

const one =
  (id: (things: Fixtures) => Promise<string>, body: unknown = {}): WriteRequest =>
  async (things) => ({ ids: [await id(things)], body });

const configurationChanges: Record<string, WriteRequest> = {
  'POST /webhooks/:id/keys/rotate': one((things) => things.draft()),
  'PATCH /agents/:id': one((things) => things.agent(), { name: 'Ana' }),
  'PATCH /tokens/:id': one((things) => things.token(), { name: 'Ana' }),
  'PATCH /channels/:id': one((things) => things.channel(), { name: 'Other' }),
  'PATCH /notices/targets/:id': one((things) => things.target(), { name: 'Other' }),
  'POST /webhooks/:id/keys': async (things) => ({
    ids: [await things.draft()],
    body: { hash: sha256(newId()), lastFour: 'wxyz' },
  }),
  'DELETE /webhooks/:id/keys/:keyId': async (things) => ({ ids: await things.key() }),
  'DELETE /channels/:id': async (things) => ({ ids: [await things.channel()] }),
  'POST /notices/targets': async () => ({ body: target }),
  'DELETE /notices/targets/:id': async (things) => ({ ids: [await things.target()] }),
  'POST /notices/deliveries/:id/retry': one(async (things) => (await things.deadNotice())[1]),
  'POST /notices/targets/:id/retry': one(async (things) => (await things.deadNotice())[0]),
  'PATCH /webhooks/:id/notice-rules': one((things) => things.draft(), {
    dead_rising: { count: 5 },
  }),
  'DELETE /agents/:id': async (things) => ({ ids: [await things.agent()] }),
  'POST /tokens': async () => ({ body: { name: 'Bea', scopes: ['viewer'] } }),
  'DELETE /tokens/:id': async (things) => ({ ids: [await things.token()] }),
};

const webhookChanges: Record<string, WriteRequest> = {
  'POST /webhooks': async (things) => ({
    body: { name: 'Leads', channelId: await things.channel() },
  }),
  'PATCH /webhooks/:id': one((things) => things.draft(), { name: 'Other' }),
  'POST /webhooks/:id/pause': one((things) => things.active()),
  'POST /webhooks/:id/resume': one((things) => things.paused()),
  'POST /webhooks/:id/archive': one((things) => things.active()),
  'POST /webhooks/:id/restore': one((things) => things.archived()),
  'POST /webhooks/:id/activate': one((things) => things.active()),
  'POST /webhooks/:id/rollback': one((things) => things.changed()),
  'DELETE /webhooks/:id/schedule': async (things) => ({ ids: [await things.scheduled()] }),
  'POST /webhooks/:id/samples': one((things) => things.draft(), { body: { id: 1 } }),
  'POST /webhooks/:id/samples/file': async (things) => ({
    ids: [await things.draft()],
    raw: '{"id":1}',
    headers: { 'content-type': 'application/json' },
  }),
  'PATCH /webhooks/:id/samples/:sampleId': async (things) => ({
    ids: await things.sample(),
    body: { pinned: true },
  }),
  'DELETE /webhooks/:id/samples/:sampleId': async (things) => ({ ids: await things.sample() }),
  'DELETE /webhooks/:id/rejections/:rejectionId': async (things) => ({
    ids: await things.rejection(),
  }),
  'POST /webhooks/:id/rejections/:rejectionId/sample': async (things) => ({
    ids: await things.rejection(),
    body: {},
  }),
  'POST /webhooks/:id/rejections/:rejectionId/event': async (things) => ({
    ids: await things.rejection(),
    body: {},
  }),
  'POST /webhooks/:id/test-events': one((things) => things.active(), {
    payload: { body: { id: 1 } },
  }),
  'DELETE /webhooks/:id/test-events/:eventId': async (things) => ({ ids: await things.tested() }),
  'DELETE /webhooks/:id/test-events': async (things) => ({
    ids: [(await things.tested())[0] ?? ''],
  }),
  'POST /webhooks/:id/mappings': one((things) => things.active(), { mapping: {} }),
  'POST /webhooks/:id/mappings/:version/activate': async (things) => ({
    ids: [await things.active(), 1],
    body: {},
  }),
  'PATCH /webhooks/:id/settings': one((things) => things.draft(), { retries: { maxAttempts: 3 } }),
};

/** Events and their results. */
const effectChanges: Record<string, WriteRequest> = {
  'POST /events/replay': async (things) => {
    await things.dead();
    return { body: { filter: { state: 'dead' } } };
  },
  'POST /events/discard': async (things) => {
    await things.dead();
    return { body: { filter: { state: 'dead' } } };
  },
  'POST /replays/:id/cancel': one((things) => things.replay()),
  'POST /events/:id/replay': one((things) => things.dead()),
  'POST /events/:id/discard': one((things) => things.dead()),
  'POST /deliveries/:id/retry': one((things) => things.deadDelivery()),
  'POST /contacts/:id/merge': async (things) => {
    const [id = '', contactId] = (await things.people()).contactIds;
    return { ids: [id], body: { contactId } };
  },
  'POST /contacts/:id/unmerge': one((things) => things.merged()),
  'POST /contacts/:id/erase': one((things) => things.contact()),
  'POST /contacts/erase': async () => ({ body: { email: 'nobody@example.com' } }),
  'DELETE /blocks/:id': async (things) => ({ ids: [await things.blocked()] }),
  'POST /contacts/conflicts/:id/dismiss': one(async (things) => (await things.people()).conflictId),
};

/** By method and path below the root. */
export const writeRequests: Readonly<Record<string, WriteRequest>> = {
  ...configurationChanges,
  ...webhookChanges,
  ...effectChanges,
};

const chat =
  (body: unknown, isTaken = false): WriteRequest =>
  async (things) => {
    const agentId = await things.agent();
    const headers = { 'x-underchat-user-id': agentId };
    return { ids: [await things.chat(isTaken ? headers : undefined)], body, headers };
  };

/** Changes of the conversations API that write an audit row, by method and path below `/v1`. */
export const conversationRequests: Readonly<Record<string, WriteRequest>> = {
  'POST /chat/start-with-contact': async (things) => ({
    body: { contact_id: await things.contact(), worker_id: await things.channel() },
  }),
  'PATCH /chat/:chat_id/status': chat({ status: 'in_chat' }),
  'PATCH /chat/:chat_id/label': async (things) => ({
    ids: [await things.chat()],
    body: [await things.label()],
  }),
  'POST /chat/:chat_id/join': chat({}),
  'POST /chat/:chat_id/leave': chat({}, true),
  'POST /chat/:chat_id/transfer': async (things) => ({
    ids: [await things.chat()],
    body: { user_id: await things.agent() },
  }),
  'POST /chat/contacts': async (things) => ({ body: await things.newContact() }),
  'POST /chat/contacts/batch': async (things) => ({ body: [await things.newContact()] }),
  'PATCH /chat/contacts/:id': one((things) => things.contact(), { name: 'Ana' }),
  'DELETE /label-template/:label_template_id': async (things) => ({ ids: [await things.label()] }),
  'DELETE /sector/:sector_id': async (things) => ({ ids: [await things.sector()] }),
};
