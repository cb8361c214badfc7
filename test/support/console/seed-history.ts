// Moves the posted events over the last two days, more by day than by night, and rebuilds their counts.
import { connectMongo } from '../../../src/store/db/connection.ts';
import type { StatsDelta } from '../../../src/store/counters/hour-stats.ts';
import { createStatsStore, type StatsStore } from '../../../src/store/counters/stats.ts';
import {
  allWebhooks,
  latencyBucketOf,
  bucketStartOf,
  type Counts,
} from '../../../src/domain/stats.ts';
import { waitForValue } from '../processes/client.ts';
import { idReceivedAt } from '../fixtures/received-at.ts';
import { createRandomNumbers } from '../fixtures/people.ts';
import type { Scenario } from '../processes/scenario.ts';

const hourMs = 3_600_000;
const spanMs = 46 * hourMs;

type Entry = { readonly at: Date };
type Stored = {
  readonly _id: string;
  readonly webhookId: string;
  readonly state: keyof Counts | 'received';
  readonly deliveries: number;
  readonly receivedAt: Date;
  readonly finishedAt: Date | null;
  readonly timeline: readonly Entry[];
  readonly effects: { readonly contactId: string; readonly chatId: string } | null;
};

const eventsOf = (scenario: Scenario) => scenario.db.collection<Stored>('events');

/** Before processing. Events of one producer keep their order. */
export async function backdateEvents(scenario: Scenario): Promise<void> {
  const chance = createRandomNumbers(7);
  const webhookIds = await eventsOf(scenario).distinct('webhookId');
  for (const webhookId of webhookIds) {
    const all = await eventsOf(scenario)
      .find({ webhookId })
      .sort({ receivedAt: 1, _id: 1 })
      .toArray();
    const times = drawTimes(all.length, chance);
    const dated = all.map(({ _id, timeline: [first, ...rest], ...event }, index): Stored => {
      const at = new Date(times[index] ?? Date.now());
      const timeline = first ? [{ ...first, at }, ...rest] : [];
      return { ...event, _id: idReceivedAt(at, _id), receivedAt: at, timeline };
    });
    await eventsOf(scenario).deleteMany({ webhookId });
    if (dated.length > 0) await eventsOf(scenario).insertMany(dated);
  }
}

/** Fewer than drift samples: it takes only a part of simultaneous events. */
const perSecond = 8;

/**
 * Starts the worker. The events of this webhook become due one after the other, so that drift detects their
 * changes.
 */
export async function processInOrder(scenario: Scenario, webhookId: string): Promise<void> {
  const all = await eventsOf(scenario).find({ webhookId }).sort({ receivedAt: 1 }).toArray();
  const due = (delayMs: (index: number) => number) =>
    eventsOf(scenario).bulkWrite(
      all.map(({ _id }, index) => {
        const dueAt = new Date(Date.now() + delayMs(index));
        return { updateOne: { filter: { _id }, update: { $set: { dueAt, nextAt: dueAt } } } };
      }),
    );
  await due(() => hourMs);
  await scenario.startWorker();
  await due((index) => (1_000 * index) / perSecond);
}

/** The oldest first. */
function drawTimes(count: number, chance: () => number): number[] {
  const now = Date.now();
  const times: number[] = [];
  while (times.length < count) {
    const at = now - 90_000 - chance() * spanMs;
    const hour = new Date(at - 3 * hourMs).getUTCHours(); // in São Paulo
    if ((hour >= 8 && hour < 20) || chance() < 0.15) times.push(at);
  }
  return times.toSorted((a, b) => a - b);
}

/** After all events are finished, so that processing does not appear to take two days. */
export async function rebuildCounts(scenario: Scenario): Promise<void> {
  const all = await eventsOf(scenario).find().toArray();
  const chance = createRandomNumbers(11);
  const ended = all.map((event) => ({ ...event, tookMs: Math.round(120 + 900 * chance() ** 3) }));
  await eventsOf(scenario).bulkWrite(
    ended.map(({ _id, receivedAt, finishedAt, tookMs, timeline }) => ({
      updateOne: {
        filter: { _id },
        update: {
          $set: {
            ...(finishedAt && { finishedAt: new Date(+receivedAt + tookMs) }),
            timeline: timeline.map((entry, index) => ({
              ...entry,
              at: new Date(+receivedAt + (tookMs * index) / Math.max(1, timeline.length - 1)),
            })),
          },
        },
      },
    })),
  );
  await dateEffects(scenario, all);
  const connection = await connectMongo(scenario.mongoUrl);
  try {
    const stats = createStatsStore(connection);
    await allCounted(stats, all.length);
    for (const name of ['hour_stats', 'stats']) await scenario.db.collection(name).deleteMany({});
    await stats.add(ended.flatMap(deltasOf));
  } finally {
    await connection.close();
  }
}

/** A contact and its chat exist since their first event. */
async function dateEffects(scenario: Scenario, all: readonly Stored[]): Promise<void> {
  const made = all.flatMap(({ effects, receivedAt }) => (effects ? [{ effects, receivedAt }] : []));
  await scenario.db.collection<{ _id: string; createdAt: Date }>('contacts').bulkWrite(
    made.map(({ effects: { contactId: _id }, receivedAt }) => ({
      updateOne: { filter: { _id }, update: { $min: { createdAt: receivedAt } } },
    })),
  );
  await scenario.db.collection<{ _id: string; startedAt: Date }>('chats').bulkWrite(
    made.map(({ effects: { chatId: _id }, receivedAt }) => ({
      updateOne: { filter: { _id }, update: { $min: { startedAt: receivedAt } } },
    })),
  );
}

/** Processes buffer counts in memory; later flushes would count twice. */
const allCounted = (stats: Pick<StatsStore, 'lifetimes'>, events: number) =>
  waitForValue('every event is counted', async () => {
    const [row] = await stats.lifetimes([allWebhooks]);
    const { received = 0, done = 0, dead = 0, held = 0 } = row ?? {};
    return received >= events && done + dead + held >= events ? true : undefined;
  });

function deltasOf(event: Stored & { readonly tookMs: number }): StatsDelta[] {
  const { receivedAt, finishedAt, state, deliveries, tookMs } = event;
  const counts = {
    received: 1,
    ...(deliveries > 1 && { duplicates: deliveries - 1 }),
    ...(state !== 'received' && { [state]: 1 }),
  };
  const latency = new Map(finishedAt ? [[latencyBucketOf(tookMs), 1]] : []);
  return [event.webhookId, allWebhooks].map((webhookId) => ({
    webhookId,
    minute: bucketStartOf('minute', receivedAt),
    counts,
    latency,
    lastAt: receivedAt,
  }));
}
