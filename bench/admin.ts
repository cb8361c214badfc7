/**
 * Administration at size: ten thousand webhooks and a million events, and how long each list and search takes that an
 * administrator uses, beside reading one webhook by its id. All but a hundred events are copies of real ones.
 */
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createActiveWebhook } from './data/create-webhook.ts';
import { createLead } from './data/lead.ts';
import { copyDocuments, type Database } from './data/copy-documents.ts';
import { median, quantile } from './measure/statistics.ts';
import { adminToken, startServer, startWorker } from './processes.ts';
import { printTable } from './measure/print-table.ts';

const originals = 100;
const webhooks = 10_000;
/** A million takes most of the part's time; BENCH_EVENTS asks for another number. */
const events = Number(process.env.BENCH_EVENTS ?? 1_000_000);
const rounds = 10;
const processedWithinMs = 60_000;
const pages = 20;

type Ask = (
  path: string,
) => Promise<{ readonly pagings?: { readonly next_cursor?: string | null } }>;
type Db = ReturnType<mongoose.mongo.MongoClient['db']>;
/** `ask` is what is timed. */
type Question = { readonly name: string; readonly ask: (ask: Ask) => Promise<unknown> };

/** Every tenth lead has no phone, and ends as a dead letter. */
const leadFor = (number: number) => {
  const body = createLead(number);
  return number % 10 === 0 ? { ...body, lead: { ...body.lead, fields: [] } } : body;
};

async function seedOriginals(db: Db, secret: string): Promise<void> {
  for (let number = 1; number <= originals; number += 1) {
    const response = await fetch(secret, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(leadFor(number)),
    });
    if (!response.ok) throw new Error(`A lead was answered ${response.status}.`);
  }
  const worker = await startWorker();
  const until = performance.now() + processedWithinMs;
  while ((await db.collection('events').countDocuments({ open: true })) > 0) {
    if (performance.now() > until) throw new Error('The first events were not processed in time.');
    await pause(100);
  }
  await worker.stop();
}

/** Half of the events stay with one webhook, the others are spread over all of them. */
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

/** One of each, by which everything else is asked for. */
async function namesIn(db: Db) {
  const event = await db.collection('events').findOne({ state: 'done' });
  if (!event) throw new Error('No event was processed.');
  const { webhookId, externalId, effects, mappingVersion } = event;
  return { webhookId, externalId, contactId: effects.contactId, version: mappingVersion };
}

const day = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * day).toISOString().slice(0, 10);

async function walk(ask: Ask): Promise<void> {
  let cursor: string | null | undefined;
  for (let page = 1; page <= pages; page += 1) {
    const behind = !cursor ? '' : `&cursor=${cursor}`;
    const { pagings } = await ask(`/v1/admin/events?per_page=50${behind}`);
    cursor = pagings?.next_cursor;
  }
}

async function questionsIn(db: Db): Promise<Question[]> {
  const { webhookId, externalId, contactId, version } = await namesIn(db);
  const admin = (name: string, path: string): Question => ({
    name,
    ask: (ask) => ask(`/v1/admin/${path}`),
  });
  const filtered = (name: string, query: string) =>
    admin(`events, by ${name}`, `events?per_page=50&${query}`);
  const chats = (name: string, rest: string): Question => ({
    name,
    ask: (ask) => ask(`/v1/chat?status=my_chats&per_page=50${rest}`),
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
    { name: `events, ${pages} pages behind a cursor`, ask: walk },
    admin('dead letters', 'dead-letters'),
    admin('contacts', 'contacts?per_page=50'),
    admin('contacts, by name', 'contacts?per_page=50&search=ana'),
    admin('contacts, by email', 'contacts?email=ana.5@example.com'),
    admin('contacts, by a name that nobody has', 'contacts?per_page=50&search=zzz'),
    chats('chats', ''),
    chats('chats, by name', '&filter_name=ana'),
    chats('chats, by a number', '&filter_phone=910000005'),
    chats('chats, unread', '&filter_unread_conversations=true'),
    { name: 'contacts of the inbox', ask: (ask) => ask('/v1/chat/contacts?per_page=50') },
    admin('audit log', 'audit?per_page=50'),
    admin('stats, by hour', 'stats?by=hour'),
    admin('stats, of each webhook', 'stats/webhooks'),
  ];
}

async function timed(question: Question, ask: Ask): Promise<number> {
  const startedMs = performance.now();
  await question.ask(ask);
  return performance.now() - startedMs;
}

/** The documents that the database read for each answer, and what it read without an index. */
async function readFor(db: Db, questions: readonly Question[], ask: Ask): Promise<string[]> {
  const read: string[] = [];
  await db.createCollection('system.profile', { capped: true, size: 67_108_864 });
  await db.command({ profile: 2 });
  for (const question of questions) {
    const before = new Date(Math.max(0, ...(await notedSince(db)).map(({ ts }) => +ts)));
    await question.ask(ask);
    read.push(summaryOf(await notedSince(db, before)));
  }
  await db.command({ profile: 0 });
  return read;
}

const notedSince = (db: Db, since = new Date(0)) =>
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

function summaryOf(noted: Awaited<ReturnType<typeof notedSince>>): string {
  const read = noted.reduce((sum, { docsExamined = 0 }) => sum + docsExamined, 0);
  const scans = noted.filter(({ planSummary }) => planSummary?.includes('COLLSCAN'));
  const whole = [...new Set(scans.map(({ ns }) => ns.slice(ns.indexOf('.') + 1)))];
  return whole.length === 0 ? `${read}` : `${read} (all of ${whole.join(', ')})`;
}

/** The questions take turns, because the machine's mood changes. */
async function measure(db: Db, questions: readonly Question[], ask: Ask): Promise<void> {
  const times = questions.map((): number[] => []);
  for (const question of questions) await question.ask(ask);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, question] of questions.entries()) {
      times[index]?.push(await timed(question, ask));
    }
  }
  const base = median(times[0] ?? []);
  const read = await readFor(db, questions, ask);
  const rows = [];
  for (const [index, { name }] of questions.entries()) {
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
  await seedOriginals(db, await createActiveWebhook(server.ready));
  await seedCopies(db);
  const ask: Ask = async (path) => {
    const response = await fetch(new URL(path, server.ready.url), {
      headers: { keyapi: adminToken },
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path} was answered ${response.status}: ${text}`);
    return (JSON.parse(text) as { data: Awaited<ReturnType<Ask>> }).data;
  };
  await measure(db, await questionsIn(db), ask);
  await connection.close();
  await server.stop();
}
