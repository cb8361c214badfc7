/**
 * Administration with ten thousand webhooks and a million events: the time of each list and search, beside reading one
 * webhook by its id. All but a hundred events are copies of real ones.
 */
import mongoose from 'mongoose';
import { createActiveWebhook } from './data/create-webhook.ts';
import { originals, storeOriginals } from './data/store-originals.ts';
import { copyDocuments, type Database } from './data/copy-documents.ts';
import { median, quantile } from './measure/statistics.ts';
import { adminToken, startServer } from './processes.ts';
import { printTable } from './measure/print-table.ts';

const webhooks = 10_000;
/** BENCH_EVENTS sets another number. A million takes most of the time of this part. */
const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const rounds = 10;
const pages = 20;

type Get = (
  path: string,
) => Promise<{ readonly pagings?: { readonly next_cursor?: string | null } }>;
type Db = ReturnType<mongoose.mongo.MongoClient['db']>;
/** `send` is timed. */
type Query = { readonly name: string; readonly send: (get: Get) => Promise<unknown> };

/** Half of the copies stay with one webhook, the others are spread over all webhooks. */
async function seedCopies(db: Db): Promise<void> {
  const database = db as unknown as Database;
  const named = ['channelId', 'labelIds', 'sectorId'];
  const [near, spread] = [new Set([...named, 'webhookId']), new Set(named)];
  const copies = Math.ceil(events / originals);
  await copyDocuments(database, {
    collections: ['events', 'contacts', 'identities', 'chats', 'messages'],
    copies,
    stepMs: 60_000,
    kept: (copy) => (copy % 2 === 0 ? near : spread),
  });
  const settings = { collections: ['webhooks', 'keys', 'mappings'], copies: webhooks, stepMs: 1 };
  await copyDocuments(database, { ...settings, kept: () => spread });
}

/** Returns the ids of one processed event, for the filters. */
async function idsOf(db: Db) {
  const event = await db.collection('events').findOne({ state: 'done' });
  if (!event) throw new Error('No event was processed.');
  const { webhookId, externalId, effects, mappingVersion } = event;
  return { webhookId, externalId, contactId: effects.contactId, version: mappingVersion };
}

const day = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

async function walk(get: Get): Promise<void> {
  let cursor: string | null | undefined;
  for (let page = 1; page <= pages; page += 1) {
    const after = !cursor ? '' : `&cursor=${cursor}`;
    const { pagings } = await get(`/v1/admin/events?per_page=50${after}`);
    cursor = pagings?.next_cursor;
  }
}

async function queriesOf(db: Db): Promise<Query[]> {
  const { webhookId, externalId, contactId, version } = await idsOf(db);
  const admin = (name: string, path: string): Query => ({
    name,
    send: (get) => get(`/v1/admin/${path}`),
  });
  const filtered = (name: string, query: string) =>
    admin(`events, by ${name}`, `events?per_page=50&${query}`);
  const chats = (name: string, rest: string): Query => ({
    name,
    send: (get) => get(`/v1/chat?status=my_chats&per_page=50${rest}`),
  });
  const both = `from=${dayBefore(3)}&to=${dayBefore(2)}`;
  return [
    admin('one webhook', `webhooks/${webhookId}`),
    admin('webhooks', 'webhooks?per_page=50'),
    admin('webhooks, a part of the name', 'webhooks?per_page=50&search=enc'),
    admin('webhooks, by name, page 150', 'webhooks?per_page=50&sort_by=name&current_page=150'),
    admin('webhooks, counts', 'webhooks/counts'),
    admin('events', 'events?per_page=50'),
    filtered('webhook', `webhookId=${webhookId}`),
    filtered('state', 'state=dead'),
    filtered('external id', `externalId=${externalId}`),
    filtered('type (nearly all)', 'eventType=lead.created'),
    filtered('type (none)', 'eventType=none'),
    filtered('type (none) and webhook', `eventType=none&webhookId=${webhookId}`),
    filtered('reason', 'reason=required_missing'),
    filtered('version', `mappingVersion=${version}`),
    filtered('version (none)', 'mappingVersion=9'),
    filtered('two days', both),
    filtered('webhook, state and two days', `webhookId=${webhookId}&state=done&${both}`),
    filtered('contact', `contactId=${contactId}`),
    filtered('phone', `phone=${encodeURIComponent('+5511910000005')}`),
    filtered('email', 'email=ana.5@example.com'),
    filtered('end, oldest first', 'sort_by=finishedAt'),
    admin('events, page 1,000', 'events?per_page=10&current_page=1000'),
    { name: `events, ${pages} pages behind a cursor`, send: walk },
    admin('dead letters', 'dead-letters'),
    admin('contacts', 'contacts?per_page=50'),
    admin('contacts, by name', 'contacts?per_page=50&search=ana'),
    admin('contacts, by email', 'contacts?email=ana.5@example.com'),
    admin('contacts, by an unknown name', 'contacts?per_page=50&search=zzz'),
    chats('chats', ''),
    chats('chats, by name', '&filter_name=ana'),
    chats('chats, by a number', '&filter_phone=910000005'),
    chats('chats, unread', '&filter_unread_conversations=true'),
    { name: 'contacts of the inbox', send: (get) => get('/v1/chat/contacts?per_page=50') },
    admin('audit log', 'audit?per_page=50'),
    admin('stats, by hour', 'stats?by=hour'),
    admin('stats, of each webhook', 'stats/webhooks'),
  ];
}

async function timed(query: Query, get: Get): Promise<number> {
  const startedMs = performance.now();
  await query.send(get);
  return performance.now() - startedMs;
}

/** Returns the documents that MongoDB read for each response, and the collections that it read without an index. */
async function readFor(db: Db, queries: readonly Query[], get: Get): Promise<string[]> {
  const read: string[] = [];
  await db.createCollection('system.profile', { capped: true, size: 67_108_864 });
  await db.command({ profile: 2 });
  for (const query of queries) {
    const before = new Date(Math.max(0, ...(await profiledSince(db)).map(({ ts }) => +ts)));
    await query.send(get);
    read.push(summaryOf(await profiledSince(db, before)));
  }
  await db.command({ profile: 0 });
  return read;
}

const profiledSince = (db: Db, since = new Date(0)) =>
  db
    .collection('system.profile')
    .find({ ns: { $not: /system\./ }, ts: { $gt: since } })
    .project<{ ts: Date; ns: string; docsExamined?: number; planSummary?: string }>({
      ts: 1,
      ns: 1,
      docsExamined: 1,
      planSummary: 1,
    })
    .toArray();

function summaryOf(profiled: Awaited<ReturnType<typeof profiledSince>>): string {
  const read = profiled.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
  const scans = profiled.filter(({ planSummary }) => planSummary?.includes('COLLSCAN'));
  const whole = [...new Set(scans.map(({ ns }) => ns.slice(ns.indexOf('.') + 1)))];
  return whole.length === 0 ? `${read}` : `${read} (all of ${whole.join(', ')})`;
}

/** Runs the queries in turns, so that other load on the machine affects all of them. */
async function measure(db: Db, queries: readonly Query[], get: Get): Promise<void> {
  const times = queries.map((): number[] => []);
  for (const query of queries) await query.send(get);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, query] of queries.entries()) {
      times[index]?.push(await timed(query, get));
    }
  }
  const base = median(times[0] ?? []);
  const read = await readFor(db, queries, get);
  const rows = [];
  for (const [index, { name }] of queries.entries()) {
    const took = times[index] ?? [];
    const [p50, p95] = [median(took), quantile(took, 0.95)];
    rows.push([
      name,
      ...[p50, p95, Math.max(...took)].map((ms) => ms.toFixed(1)),
      (p50 / base).toFixed(1),
      read[index] ?? '',
    ]);
  }
  printTable(`Administration, ${events} events, ${webhooks} webhooks, ${rounds} rounds`, [
    ['', 'p50 ms', 'p95 ms', 'max ms', '÷ one webhook', 'documents read'],
    ...rows,
  ]);
}

export async function benchAdmin(): Promise<void> {
  const server = await startServer();
  const connection = await mongoose.createConnection(process.env.MONGODB_URL ?? '').asPromise();
  const db = connection.getClient().db(connection.name);
  await storeOriginals(db, await createActiveWebhook(server.ready));
  await seedCopies(db);
  const get: Get = async (path) => {
    const response = await fetch(new URL(path, server.ready.url), {
      headers: { keyapi: adminToken },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Awaited<ReturnType<Get>> }).data;
  };
  await measure(db, await queriesOf(db), get);
  await connection.close();
  await server.stop();
}
