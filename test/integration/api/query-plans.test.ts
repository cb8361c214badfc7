// Every list and every look-up uses an index: each GET of the document, with each of its filters and in each of
// its orders, is requested over HTTP while MongoDB's profiler records the query plan.
import { sleep } from '../../../src/base/clock.ts';
import { newId } from '../../../src/base/ids.ts';
import type { EventRecord } from '../../../src/domain/events/event.ts';
import { openStatuses, type ChatRecord } from '../../../src/domain/messages/chat.ts';
import { chatConditions } from '../../../src/store/chats/chat-stages.ts';
import { collectionOf } from '../../support/services/collections.ts';
import { copyDocuments, type Database } from '../../../bench/data/copy-documents.ts';
import { adminToken, createTestApi, type TestApi } from '../../support/context/test-api.ts';

let api: TestApi;
let urls: string[] = [];
beforeAll(async () => {
  api = await createTestApi('http_plans');
  await fill();
  urls = await everyRead();
});
afterAll(() => api.close());

const db = () => api.connection.getClient().db(api.connection.name);

/** Collections that people fill, not senders: they stay small. */
const fewByNature = new Set(['labels', 'sectors']);

/** A verification reads every stored secret. */
const isWholeByNature = (one: Profiled) =>
  /"(?:settings\.signature\.)?secrets":\{"\$exists":true\}/.test(conditionsIn(one));

/** Only bounded results are sorted in memory. */
const maxExamined = 1_000;

async function fill(): Promise<void> {
  const webhook = await api.addWebhook();
  const ids = await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      api.send(webhook, {
        id: `e${n}`,
        type: 'lead',
        at: `2026-01-0${(n % 9) + 1}T00:00:00Z`,
        lead: n === 9 ? {} : { id: `l${n}`, name: `Ana ${n}`, phone: `+55119876543${n}0` },
        text: 'Oi',
        label: 'Lead',
        sector: 'Vendas',
      }),
    ),
  );
  await api.processEvents(ids);
  const database = db() as unknown as Database;
  const kept = new Set(['webhookId', 'channelId', 'labelIds', 'sectorId']);
  const collections = ['events', 'contacts', 'identities', 'chats', 'messages'];
  await copyDocuments(database, { collections, copies: 150, kept: () => kept, stepMs: 60_000 });
  const settings = ['webhooks', 'keys', 'mappings'];
  await copyDocuments(database, {
    collections: settings,
    copies: 1_100,
    kept: () => new Set(),
    stepMs: 1,
  });
}

type Parameter = {
  name: string;
  in: string;
  required: boolean;
  schema: Readonly<Record<string, unknown>>;
};

/** One resource of each kind, whose ids the requests use. */
async function namesOf(): Promise<Record<string, string>> {
  const events = collectionOf<EventRecord>(api.connection, 'events');
  const event = await events.findOne({ state: 'done' });
  const { contactId = '', chatId = '' } = event?.effects ?? {};
  const { webhookId = '', channelId = '', _id: eventId = '', externalId } = event ?? {};
  return {
    webhookId,
    channelId,
    contactId,
    eventId,
    chat_id: chatId,
    filter_worker_id: channelId,
    externalId: externalId ?? '',
    version: '1',
    name: 'Leads',
    search: 'lea',
    phone: '+5511987654300',
    phone_ddi: '55',
    filter_phone: '11987654300',
    email: 'ana@example.com',
    from: hourAgo(),
    to: dayAt(1),
    eventFrom: '2020-01-01',
    eventTo: '2030-01-01',
    filter_date_start: '2020-01-01',
    filter_date_end: '2030-01-01',
    status: 'ura_webhook',
  };
}

/** Of the copied events, the newest six hundred. */
const hourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const dayAt = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

type Operation = { readonly parameters?: readonly Parameter[] };
type Document = { readonly paths: Readonly<Record<string, { readonly get?: Operation }>> };

/** Operations outside the envelope, or without stored data. */
const isList = (path: string) =>
  path.startsWith('/v1/') && !path.startsWith('/v1/webhook') && !path.endsWith('/live');

async function everyRead(): Promise<string[]> {
  const response = await fetch(`${api.url}/v1/openapi.json`);
  const { paths } = (await response.json()) as Document;
  const names = await namesOf();
  return Object.entries(paths)
    .filter(([path, { get }]) => get && isList(path))
    .flatMap(([path, { get }]) => {
      // An export takes no search that matches too many events.
      const search = path.endsWith('/export') ? names.eventId : names.search;
      return readsOf(path, get?.parameters ?? [], { ...names, search: search ?? '' });
    });
}

/** Each filter by itself, in each order; the two directions of a field take turns, because an index is read both ways. */
function readsOf(
  path: string,
  parameters: readonly Parameter[],
  names: Readonly<Record<string, string>>,
): string[] {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => idIn(path, name, names));
  const queries = parameters.filter((one) => one.in === 'query' && !notFilters.has(one.name));
  const pairOf = ({ name, schema }: Parameter) =>
    `${name}=${encodeURIComponent(valueOf(name, schema, names))}`;
  const required = queries.filter((one) => one.required).map(pairOf);
  // Without an external id the webhook of a contact is rejected.
  const isAlone = ({ name }: Parameter) => path !== '/v1/admin/contacts' || name !== 'webhookId';
  const filters = queries
    .filter((one) => one.name !== 'sort_by' && isAlone(one))
    .map((one) => [pairOf(one)]);
  const orders = queries.find(({ name }) => name === 'sort_by')?.schema.enum as
    | string[]
    | undefined;
  const sorts = (orders ?? []).map((order) => `sort_by=${order}`);
  return [[], ...filters].flatMap((given, turn) =>
    ['', ...sorts.filter((_sort, index) => (index + (index >> 1) + turn) % 2 === 0)].map((sort) => {
      const parts = new Set([...required, ...given, sort].filter((part) => part !== ''));
      return parts.size === 0 ? filled : `${filled}?${[...parts].join('&')}`;
    }),
  );
}

const notFilters = new Set(['current_page', 'per_page', 'cursor']);

/** Returns the last literal segment before `{id}`, in the singular. */
function idIn(path: string, name: string, names: Readonly<Record<string, string>>): string {
  const given = names[name];
  if (given) return given;
  const segments = path.split('/');
  const noun = segments[segments.indexOf(`{${name}}`) - 1] ?? '';
  const key = `${noun.replace(/s$/, '')}Id`;
  return names[key] ?? '00000000-0000-4000-8000-000000000000';
}

function valueOf(
  name: string,
  schema: Readonly<Record<string, unknown>>,
  names: Readonly<Record<string, string>>,
): string {
  const item = (schema.items ?? schema) as Readonly<Record<string, unknown>>;
  const { enum: words, const: only, type, pattern } = item;
  if (Array.isArray(words)) return String(words.find((word) => word === names[name]) ?? words[0]);
  if (only !== undefined) return String(only as string | number);
  if (names[name]) return names[name];
  if (type === 'integer') return '1';
  if (type === 'boolean') return 'true';
  if (String(pattern).startsWith('^[0-9a-f]{8}-')) return '00000000-0000-4000-8000-000000000000';
  return 'word';
}

type Profiled = {
  readonly ns: string;
  readonly planSummary?: string;
  readonly docsExamined?: number;
  readonly nreturned?: number;
  readonly hasSortStage?: boolean;
  readonly command: Readonly<Record<string, unknown>>;
};

const collectionIn = ({ ns }: Profiled) => ns.slice(ns.indexOf('.') + 1);
const conditionsIn = ({ command }: Profiled) =>
  JSON.stringify(command.filter ?? command.query ?? command.pipeline ?? {}).slice(0, 300);

/** Sends all requests, a few at a time. Returns the rejected ones. */
async function askAll(): Promise<string[]> {
  const refused: string[] = [];
  const rest = [...urls];
  const askOneByOne = async () => {
    for (let url = rest.shift(); url; url = rest.shift()) {
      const headers = { keyapi: adminToken };
      const response = await fetch(`${api.url}${url}`, { headers });
      // The places of cancelled exports become free a moment later.
      if (response.status === 429) {
        await response.body?.cancel();
        await sleep(50);
        rest.push(url);
        continue;
      }
      const isStream = response.headers.get('content-type')?.includes('ndjson');
      // The first lines of an export are enough to see its plan.
      await (isStream ? response.body?.cancel() : response.arrayBuffer());
      // Some filters and orders of events need a bound.
      const isUnbounded = response.status === 422 && !/[?&]from=/.test(url);
      if (isUnbounded) rest.push(`${url}&from=${hourAgo()}`);
      else if (response.status !== 200 && response.status !== 404) {
        refused.push(`${response.status} ${url}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 4 }, askOneByOne));
  return refused;
}

async function profiled(work: () => Promise<void>): Promise<Profiled[]> {
  await db().createCollection('system.profile', { capped: true, size: 67_108_864 });
  await db().command({ profile: 2 });
  await work();
  await db().command({ profile: 0 });
  const profile = collectionOf<Profiled & { readonly _id: string }>(
    api.connection,
    'system.profile',
  );
  return profile.find({ ns: { $not: /\.system\./ } }).toArray();
}

/** Orders of events without an index are sorted within a webhook or a time range, and within a time limit. */
const isBounded = ({ command: { hint, maxTimeMS, sort } }: Profiled): boolean =>
  ['by_webhook', '_id_'].includes(String(hint)) &&
  maxTimeMS !== undefined &&
  /"(?:finishedAt|eventDate)"/.test(JSON.stringify(sort));

/** A count reads keys and no documents; a page reads about as many as it shows, in the order of the index. */
function isScan({ planSummary = '', docsExamined = 0, nreturned = 0, hasSortStage }: Profiled) {
  if (planSummary.includes('COLLSCAN')) return true;
  return hasSortStage === true && docsExamined > maxExamined + 10 * nreturned;
}

test('every list and look-up uses an index', async () => {
  const seen = await profiled(async () => {
    expect(await askAll()).toEqual([]);
  });
  const scans = seen
    .filter((one) => !fewByNature.has(collectionIn(one)) && !isWholeByNature(one))
    .filter((one) => isScan(one) && !isBounded(one))
    .map((one) => {
      const { planSummary, docsExamined, nreturned } = one;
      const found = `${planSummary} ${docsExamined} for ${nreturned}`;
      return `${collectionIn(one)} ${found}: ${conditionsIn(one)}`;
    });
  expect(seen.length).toBeGreaterThan(urls.length);
  expect([...new Set(scans)]).toEqual([]);
});

test('the chats of an agent are read from the indexes of agents, not from all open chats', async () => {
  const agentId = newId();
  const chats = collectionOf<ChatRecord>(api.connection, 'chats');
  const [one, two] = await chats.find({ open: true }).limit(2).toArray();
  const enteredAt = new Date();
  await chats.updateOne({ _id: one?._id }, { $set: { agent: { agentId, enteredAt } } });
  await chats.updateOne({ _id: two?._id }, { $set: { joined: [{ agentId, enteredAt }] } });
  const where = chatConditions({ statuses: openStatuses, agentIds: [agentId], test: false });
  const found = chats.find(where).sort({ lastMessageAt: -1, _id: -1 });
  const { executionStats } = await found.explain('executionStats');
  expect([executionStats.nReturned, executionStats.totalDocsExamined]).toEqual([2, 2]);
});
