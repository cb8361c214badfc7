// The report of a run: a table of the faults, totals, and details of each breach.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { acknowledged, type Ledger } from './load/ledger.ts';
import type { Breach } from './checker/breach.ts';
import type { DestinationFacts } from './destinations/facts.ts';
import type { RunResult } from './run.ts';

const shownBreaches = 4;
const shownLines = 12;

export function tableOf({ tally }: Pick<RunResult, 'tally'>): string {
  const rows = [...tally].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const width = Math.max(...rows.map(([name]) => name.length), 5);
  const line = (name: string, happened: unknown, missed: unknown) =>
    `${name.padEnd(width)}  ${String(happened).padStart(8)}  ${String(missed).padStart(11)}`;
  const sum = (key: 'happened' | 'missed') => rows.reduce((all, [, row]) => all + row[key], 0);
  return [
    line('fault', 'happened', 'not reached'),
    ...rows.map(([name, { happened, missed }]) => line(name, happened, missed)),
    line('all', sum('happened'), sum('missed')),
  ].join('\n');
}

export function sumsOf({ facts, verdict, settled, rollbacks }: RunResult): string {
  const { sendings } = facts.ledger;
  const of = (kind: string) => sendings.filter(({ answer }) => answer.kind === kind).length;
  const acknowledgements = acknowledged(sendings);
  const broken = (name: string) =>
    [...verdict].find(([invariant]) => invariant.startsWith(`${name} `))?.[1].length ?? 0;
  const rows: (readonly [string, number])[] = [
    ['deliveries sent', sendings.length],
    ['acknowledged', acknowledgements.length],
    ['of them duplicates', acknowledgements.filter(({ answer }) => answer.duplicate).length],
    ['refused, not stored', of('refused')],
    ['unknown to the sender', of('unknown')],
    [
      'replies of agents acknowledged',
      facts.ledger.replies.filter((one) => one.isAcknowledged).length,
    ],
    ['events', facts.seen.events.length],
    ['messages', facts.seen.chats.reduce((sum, { messages }) => sum + messages.length, 0)],
    ['contacts', facts.seen.contacts.length],
    ...destinationRows(facts.destinations),
    ['replayed at the end', settled.replayed],
    ['still open when times were moved forward', settled.stillOpen],
    ['lost', broken('1')],
    ['doubled', broken('3')],
    ['stuck', broken('2')],
    ...(rollbacks === null
      ? []
      : ([
          ['documents rolled back', rollbacks.documents],
          ['events rolled back', rollbacks.lostEvents.length],
          ['acknowledged and rolled back', rollbacks.acknowledged.length],
        ] as const)),
  ];
  return [
    ...rows.map(([what, count]) => `${String(count).padStart(8)}  ${what}`),
    ...settled.waitedFor.map((what) => `          ${what}`),
  ].join('\n');
}

function destinationRows(facts: DestinationFacts | null): (readonly [string, number])[] {
  if (!facts) return [];
  const { ledger, notices } = facts;
  const channels = Object.values(facts.channels);
  const deliveries = channels.flatMap((channel) => channel.deliveries);
  const arrivals = channels.flatMap((channel) => channel.arrivals);
  const texts = new Set(arrivals.map(({ text }) => text)).size;
  const isIn = (state: string) => deliveries.filter((one) => one.state === state).length;
  return [
    ['requests of services', ledger.posts],
    ['messages of people', ledger.incoming.length],
    ['statuses', ledger.statuses.length],
    ['messages of agents', ledger.outgoing.length],
    ['deliveries to destinations', deliveries.length],
    ['delivered', isIn('delivered')],
    ['dead', isIn('dead')],
    ['arrivals', arrivals.length],
    ['arrivals whose answer was lost', arrivals.filter((one) => !one.isAnswered).length],
    ['repeated arrivals', arrivals.length - texts],
    ...notices.targets.flatMap(({ name, ...of }): [string, number][] => [
      [`deliveries of notices, ${name}`, of.deliveries.length],
      [`arrivals of notices, ${name}`, of.arrivals.length],
    ]),
  ];
}

/** The largest resident memory of each process by part of the run, and how often it ended by itself. */
export function memoryOf({ memory, testBed }: RunResult): string {
  const rows = testBed.cluster.members.map((member) => {
    const parts = (memory[member.name] ?? []).map((size) => String(size).padStart(6)).join('');
    return `${member.name.padEnd(10)}${parts}   ended by itself: ${member.ownEnds()}`;
  });
  return ['MiB, largest in each sixth of the run', ...rows].join('\n');
}

/** What the steady sender measured and what the attackers were answered. Empty without them. */
export function abuseOf({ abuse }: RunResult): string {
  if (!abuse) return '';
  const { steady, attacks, erasures, expired, breaches } = abuse;
  const sorted = steady.answerMs.toSorted((a, b) => a - b);
  const at = (part: number) =>
    `${Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? 0)} ms`;
  const counts = (outcomes: Readonly<Record<string, number>>) =>
    Object.entries(outcomes)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`);
  return [
    `steady sender: p50 ${at(0.5)}, p99 ${at(0.99)}, p99.9 ${at(0.999)}, longest ${at(1)}`,
    `${String(steady.acknowledged.length).padStart(8)}  acknowledged`,
    `${String(steady.givenUp).padStart(8)}  given up`,
    ...counts(steady.outcomes),
    'attackers',
    ...counts(attacks),
    `${erasures} erasures, ${expired} events made to expire`,
    ...breaches.map((breach) => `broken: ${breach}`),
  ].join('\n');
}

/** The broken invariants, each with its first breaches. */
export async function detailsOf(result: RunResult, folder: string): Promise<string> {
  const parts: string[] = [];
  for (const [name, breaches] of result.verdict) {
    parts.push(`\n${name}: ${breaches.length} breaches`);
    for (const breach of breaches.slice(0, shownBreaches)) {
      parts.push(await detailsOfBreach(breach, result, folder));
    }
  }
  return parts.join('\n');
}

async function detailsOfBreach(breach: Breach, { facts, testBed }: RunResult, folder: string) {
  const lines = [`- ${breach.what}`];
  const { nonce } = breach;
  if (breach.eventId === undefined && nonce === undefined) return lines.join('\n');
  const eventId =
    breach.eventId ?? facts.seen.events.find(({ payload }) => payload?.text === nonce)?.id;
  lines.push(...ledgerLines(facts.ledger, { nonce, eventId }));
  if (eventId === undefined) return lines.join('\n');
  const event = await testBed.cluster.db
    .collection<{ _id: string }>('events')
    .findOne({ _id: eventId }, { projection: { delivery: 0 } });
  lines.push(`  event ${JSON.stringify(event)}`);
  lines.push(...outputLines(folder, eventId, testBed));
  return lines.join('\n');
}

function ledgerLines(ledger: Ledger, about: { nonce?: string; eventId?: string }): string[] {
  return ledger.sendings
    .filter(
      ({ webhookRequest, answer }) =>
        webhookRequest.composed.some(({ nonce }) => nonce === about.nonce) ||
        (answer.kind === 'acknowledged' && answer.eventId === about.eventId),
    )
    .slice(0, shownLines)
    .map(
      ({ at, webhookRequest, answer }) =>
        `  sent ${new Date(at).toISOString()} ${webhookRequest.webhook} ${JSON.stringify(webhookRequest.composed)}: ${JSON.stringify(answer)}`,
    );
}

/** The log lines of all processes about this event. */
function outputLines(folder: string, eventId: string, { cluster }: RunResult['testBed']): string[] {
  const texts = [
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.log'))
      .map((name) => readFileSync(join(folder, name), 'utf8')),
    ...cluster.members.map((member) => member.process().output()),
  ];
  return texts
    .flatMap((text) => text.split('\n').filter((line) => line.includes(eventId)))
    .toSorted()
    .slice(0, shownLines)
    .map((line) => `  logged ${line.slice(0, 600)}`);
}
