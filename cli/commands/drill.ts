/** drill: a fault on purpose while test events are sent, and what became of them. */
import { setTimeout as pause } from 'node:timers/promises';
import { InletError, type Answer } from '../../client/client.ts';
import { listAll } from '../../client/pages.ts';
import type { Inlet } from '../connection/connect.ts';
import { define, record, type Call, type Result } from '../terminal/define.ts';
import { CommandFailure, misuse } from '../terminal/failure.ts';
import { confirm } from '../terminal/input.ts';
import { note } from '../terminal/output.ts';

const faults = {
  'redis-flush': ['Delete the queue in Redis', 'Other keys stay.'],
  'kill-worker': [
    'End one worker as a crash does',
    'It ends within ten seconds. Its supervisor must start it again.',
  ],
  'step-down': [
    'Let the primary of MongoDB step down',
    'Needs a replica set of several members that serves Inlet alone, and the privilege to step it down.',
  ],
} as const;
type Fault = keyof typeof faults;

/** Why Inlet does not cause the fault. */
const refusals: Readonly<Record<string, string>> = {
  in_progress: 'There was another drill within the last minute. Wait.',
  redis_down: 'Redis does not answer.',
  no_worker: 'No worker runs that allows drills: set INLET_DRILLS=true for the workers too.',
  one_member: 'MongoDB is no replica set of several members, so nothing can take over.',
  other_databases: 'The replica set serves other databases too. Their users would notice.',
  no_privilege: "Inlet's user of MongoDB must not list all databases or step down the primary.",
  no_secondary: 'No other member can take over now.',
};

const name = 'Inlet drill';
const itemsPerRequest = 20;
const everyMs = 1_000;
const settleMs = 180_000;
const pollMs = 2_000;
const finalStates = new Set(['done', 'ignored', 'dead', 'discarded']);

const mapping = {
  split: 'items',
  eventId: { path: 'id' },
  contact: { name: { path: 'name' }, phone: { path: 'phone' } },
  message: { text: { path: 'id' } },
};

/** A webhook of its own, whose test events leave real contacts alone. It is never active. */
async function prepareWebhook(inlet: Inlet): Promise<string> {
  const webhooks = await listAll(inlet, 'listWebhooks');
  const found = webhooks.find((one) => one.name === name && one.status !== 'archived');
  const channel = (await listAll(inlet, 'listChannels')).find((one) => one.name === name);
  const { id: channelId } =
    channel ?? (await inlet.call('createChannel', { body: { name, kind: 'inbox' } }));
  const { id } = found ?? (await inlet.call('createWebhook', { body: { name, channelId } }));
  await inlet.call('createWebhookMapping', { params: { id }, body: { mapping } });
  return id;
}

type Sent = { readonly eventId: string; readonly ids: readonly string[] };
type Load = { readonly sent: Sent[]; refused: number };

/** Sends until the end; what Inlet does not acknowledge is counted, not checked. */
async function sendUntil(inlet: Inlet, id: string, { signal }: { readonly signal: AbortSignal }) {
  const load: Load = { sent: [], refused: 0 };
  const run = Date.now().toString(36);
  for (let request = 0; !signal.aborted; request += 1) {
    const phone = `+55119${String(10_000_000 + request)}`;
    const ids = Array.from(
      { length: itemsPerRequest },
      (_one, item) => `${run}-${request}-${item}`,
    );
    const items = ids.map((one) => ({ id: one, name, phone }));
    try {
      const body = { payload: { body: { items } } };
      const { eventId } = await inlet.call('createWebhookTestEvent', { params: { id }, body });
      load.sent.push({ eventId, ids });
    } catch (error) {
      if (error instanceof InletError && error.status < 500 && error.status !== 429) throw error;
      load.refused += 1;
    }
    await pause(everyMs);
  }
  return load;
}

/** The API takes at most 100 ids. */
const parentsPerRequest = 50;

async function itemsOf(inlet: Inlet, parents: readonly string[]) {
  const items: Answer<'listEvents'>['results'] = [];
  let from = 0;
  for (let cursor: string | undefined; from < parents.length;) {
    const parentId = parents.slice(from, from + parentsPerRequest);
    const query = { parentId, per_page: 200, ...(cursor && { cursor }) };
    const { results, pagings } = await inlet.call('listEvents', { query });
    items.push(...results);
    cursor = pagings.next_cursor ?? undefined;
    if (cursor === undefined) from += parentsPerRequest;
  }
  return items;
}

/** The events that the messages of one request's chat name. All its items are of one contact. */
async function messagesOf(inlet: Inlet, itemId: string): Promise<string[]> {
  const { effects } = await inlet.call('getEvent', { params: { id: itemId } });
  if (!effects) return [];
  const { contactId: id, chatId } = effects;
  const asked = { params: { id, chatId }, query: { per_page: 200 } };
  const { results } = await inlet.call('listContactChatMessages', asked);
  return results.flatMap(({ eventId }) => eventId ?? []);
}

/** Compares what was acknowledged with the events and the messages that exist. */
async function check(inlet: Inlet, { sent, refused }: Load) {
  const parents = sent.map(({ eventId }) => eventId);
  const wanted = sent.flatMap(({ ids }) => ids);
  let items = await itemsOf(inlet, parents);
  const isSettled = () =>
    items.length >= wanted.length && items.every(({ state }) => finalStates.has(state));
  for (const endAt = Date.now() + settleMs; Date.now() < endAt && !isSettled();) {
    await pause(pollMs);
    items = await itemsOf(inlet, parents);
  }
  const done = items.filter(({ state }) => state === 'done');
  const messages: string[] = [];
  for (const { ids } of sent) {
    const first = done.find(({ externalId }) => ids.includes(externalId ?? ''));
    if (first) messages.push(...(await messagesOf(inlet, first.id)));
  }
  /** Of each event: how often it is done, and how many messages it has. */
  const counts = wanted.map((one) => {
    const own = done.filter(({ externalId }) => externalId === one).map(({ id }) => id);
    return [own.length, messages.filter((id) => own.includes(id)).length];
  });
  return {
    acknowledged: wanted.length,
    doneOnce: counts.filter((both) => both.every((count) => count === 1)).length,
    lost: counts.filter((both) => both.includes(0)).length,
    doubled: counts.filter((both) => both.some((count) => count > 1)).length,
    notAcknowledged: refused * itemsPerRequest,
  };
}

async function causeFault(inlet: Inlet, fault: Fault): Promise<Answer<'startDrill'>> {
  try {
    return await inlet.call('startDrill', { body: { fault } });
  } catch (error) {
    const sentence = error instanceof InletError && refusals[error.details.state ?? ''];
    throw sentence ? new CommandFailure(sentence) : error;
  }
}

/** The ended worker is gone, and as many run as before. */
async function workersAreBack(inlet: Inlet, ended: string, before: number): Promise<boolean> {
  for (const endAt = Date.now() + settleMs; Date.now() < endAt;) {
    const { processes, workers } = await inlet.call('getStatsHealth', {});
    if (workers >= before && processes.every(({ id }) => id !== ended)) return true;
    await pause(pollMs);
  }
  return false;
}

type Options = { readonly seconds: string; readonly yes: boolean | undefined };

async function drill(fault: Fault, { inlet, options }: Call<Options>): Promise<Result> {
  const { allowsDrills, workers } = await inlet.call('getStatsHealth', {});
  if (!allowsDrills)
    throw new CommandFailure('This installation allows no drills: INLET_DRILLS is not true.');
  const seconds = Number(options.seconds);
  if (!(seconds >= 5 && seconds <= 600)) throw misuse('--seconds must be from 5 to 600.');
  await confirm(`${faults[fault][0]} on ${inlet.target.url}?`, options.yes);
  const id = await prepareWebhook(inlet);
  const ending = new AbortController();
  const loading = sendUntil(inlet, id, ending);
  try {
    note(`Sending ${itemsPerRequest} test events a second for ${seconds} s.`);
    await Promise.race([loading, pause((seconds * 1_000) / 3)]);
    const { processId, keys } = await causeFault(inlet, fault);
    note(`Caused: ${fault}${keys === null ? '' : `, ${keys} keys`}.`);
    await Promise.race([loading, pause((seconds * 2_000) / 3)]);
    const isBack = processId === null || (await workersAreBack(inlet, processId, workers));
    ending.abort();
    const report = { fault, ...(await check(inlet, await loading)), workersAreBack: isBack };
    const isWhole = report.doneOnce === report.acknowledged && report.doubled === 0;
    const missing = isBack ? undefined : 'The worker was not started again. Supervise it.';
    const why = isWhole ? missing : 'The drill found lost, unfinished or doubled events.';
    return record(report, why);
  } finally {
    ending.abort();
    await loading.catch(() => undefined);
    await inlet.call('deleteWebhookTestEvents', { params: { id } }).catch(() => undefined);
  }
}

export const drillCommands = (Object.keys(faults) as Fault[]).map((fault) =>
  define({
    usage: `drill ${fault}`,
    summary: `${faults[fault][0]}, while test events are sent`,
    more: `${faults[fault][1]} Only where INLET_DRILLS is true; scope admin. Counts what became of the acknowledged events, and deletes them.`,
    example: `inlet drill ${fault} --context staging`,
    options: [
      ['--seconds <number>', 'How long test events are sent.', '30'],
      ['-y, --yes', 'Does not ask.'],
    ],
    run: (call) => drill(fault, call),
  }),
);
