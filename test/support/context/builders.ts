// Builders of channels, webhooks and events with defaults. Given a test API they send requests; given a test context they
// call the stores.
import { newId, newSecret, sha256 } from '../../../src/base/ids.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { ChannelKind } from '../../../src/domain/messages/channel.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import type { Stores } from '../../../src/store/stores.ts';
import type { Answer, RequestOptions } from './api-request.ts';
import { valueOf } from './value-of.ts';
import { insertChannel } from '../../../src/store/channels/channels.ts';
import {
  getWebhook,
  insertWebhook,
  markWebhookSampled,
} from '../../../src/store/webhooks/webhooks.ts';
import { activateWebhook } from '../../../src/store/webhooks/activation.ts';
import { insertMapping } from '../../../src/store/webhooks/mappings.ts';

type Api = {
  readonly ask: (method: string, path: string, given?: RequestOptions) => Promise<Answer>;
};
type Context = { readonly stores: Stores };
type Recording = Context & {
  readonly send: (webhook: Webhook, payload: unknown) => Promise<string>;
};

const admin = '/v1/admin';
const actor = { tokenId: 'test', name: 'test' };

type ChannelOptions = {
  readonly name?: string;
  readonly kind?: ChannelKind;
  readonly settings?: Readonly<Record<string, unknown>>;
};

type WebhookOptions = {
  readonly name?: string;
  /** Default: a new inbox channel. */
  readonly channelId?: string;
  /** With a mapping, the webhook has a first sample, too. */
  readonly mapping?: MappingDocument;
  /** Default: active with a mapping, and draft without one. */
  readonly status?: 'draft' | 'active';
};

export type BuiltWebhook = {
  readonly id: string;
  readonly key: string;
  readonly channelId: string;
  /** Path of the webhook in the administration API. */
  readonly path: string;
};

/** Sends a request and returns the data of its answer. Throws when it is rejected. */
async function post(
  api: Api,
  path: string,
  given: RequestOptions = {},
): Promise<Answer['body']['data']> {
  const { status, text, body } = await api.ask('POST', path, given);
  if (status >= 300) throw new Error(`POST ${path} was answered with ${status}: ${text}`);
  return body.data;
}

/** Returns the id of a new channel. Default: an enabled inbox. */
export async function aChannel(given: Api | Context, options: ChannelOptions = {}) {
  const channel = { name: 'Inbox', kind: 'inbox', settings: {}, ...options } as const;
  if ('ask' in given) {
    const { id } = await post(given, `${admin}/channels`, { body: channel });
    return id as string;
  }
  return (await insertChannel(given.stores, channel, actor))._id;
}

/** Creates a webhook: a draft, a draft with a mapping, or an active one. */
export async function aWebhook(
  given: Api | Context,
  options: WebhookOptions = {},
): Promise<BuiltWebhook> {
  const { name = 'Leads', mapping, status = mapping ? 'active' : 'draft' } = options;
  const channelId = options.channelId ?? (await aChannel(given));
  const build = 'ask' in given ? throughApi(given) : throughStores(given);
  const { id, key } = await build.create({ name, channelId });
  const webhook = { id, key, channelId, path: `${admin}/webhooks/${id}` };
  if (mapping) await build.map(webhook, mapping);
  if (status === 'active') await build.activate(webhook);
  return webhook;
}

type Created = Promise<{ id: string; key: string }>;
type Named = { readonly name: string; readonly channelId: string };

const throughApi = (api: Api) => ({
  create: (body: Named): Created => post(api, `${admin}/webhooks`, { body }),
  async map({ key, path }: BuiltWebhook, mapping: MappingDocument) {
    await post(api, `/v1/webhook/${key}`, { token: null, body: {} });
    await post(api, `${path}/mappings`, { body: { mapping } });
  },
  activate: ({ path }: BuiltWebhook): Promise<unknown> => post(api, `${path}/activate`),
});

const throughStores = ({ stores }: Context) => ({
  async create(named: Named): Created {
    const key = newSecret('inlet_wk_');
    const keys = { keyHash: sha256(key), keyLastFour: key.slice(-4) };
    const created = await insertWebhook(
      stores,
      { ...named, ...keys, producerProfile: 'generic' },
      actor,
    );
    return { id: valueOf(created)._id, key };
  },
  async map({ id }: BuiltWebhook, mapping: MappingDocument) {
    await markWebhookSampled(stores, id);
    valueOf(await insertMapping(stores, { webhookId: id, mapping }, actor));
  },
  async activate({ id }: BuiltWebhook): Promise<unknown> {
    const first = { version: 1, previous: null, overlapMs: 0, actor };
    return valueOf(await activateWebhook(stores, id, first));
  },
});

/** Sends a payload to a webhook and returns the event's id. Default: a payload with an id of its own. */
export async function anEvent(
  given: Api | Recording,
  { id, key }: Pick<BuiltWebhook, 'id' | 'key'>,
  payload: object = { id: newId() },
): Promise<string> {
  if ('ask' in given) {
    const answer = await post(given, `/v1/webhook/${key}`, { token: null, body: payload });
    return answer.eventId;
  }
  const webhook = await getWebhook(given.stores, id);
  if (!webhook) throw new Error(`There is no webhook ${id}.`);
  return given.send(webhook, payload);
}

/** Sends a list, which a mapping without `split` rejects, and returns the id of the kept rejection. */
export async function aRejection(
  api: Api & { readonly keepRejections: () => Promise<void> },
  { key, path }: Pick<BuiltWebhook, 'key' | 'path'>,
): Promise<string> {
  await api.ask('POST', `/v1/webhook/${key}`, { token: null, body: [{ id: newId() }] });
  await api.keepRejections();
  const { body } = await api.ask('GET', `${path}/rejections`);
  return body.data.results[0].id;
}

/** Sends a text file to a chat. Returns the id of the file. */
export async function aFile(api: Api, chatId: string): Promise<string> {
  const form = new FormData();
  form.append('documents', new Blob(['hello']), 'hello.txt');
  const request = new Request('http://form.test', { method: 'POST', body: form });
  const data = await post(api, `/v1/chat/${chatId}`, {
    raw: Buffer.from(await request.arrayBuffer()),
    headers: { 'content-type': request.headers.get('content-type') ?? '' },
  });
  return data.content.files[0].file_id;
}
