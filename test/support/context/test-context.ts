// The stores and the processing over a separate MongoDB database, without processes or HTTP. `snapshot` returns the result in
// a form that can be compared between runs.
import { loadConfig, type Config } from '../../../config/config.ts';
import { assembleRuns, type RunParts } from '../../../src/assemble/recovery.ts';
import { assembleResources, type Resources } from '../../../src/assemble/resources.ts';
import { assembleProcessing, type ProcessingParts } from '../../../src/assemble/worker.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { noTracing } from '../../../src/base/observability/tracing.ts';
import { createShutdown } from '../../../src/base/process/shutdown.ts';
import { silentLogger } from '../fixtures/silent-logger.ts';
import { fieldsOf } from '../../../src/domain/people/contact.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import type { EventQueue } from '../../../src/queue/process-events.ts';
import { createEffectiveMappings } from '../../../src/receiving/recording/effective-mappings.ts';
import { createRecorder } from '../../../src/receiving/recording/recorder.ts';
import { recordEvent } from '../../../src/receiving/recording/record-event.ts';
import { type Connection, connectMongo } from '../../../src/store/db/connection.ts';
import { collectionOf } from '../services/collections.ts';
import { createStores } from '../../../src/store/stores.ts';
import { leaseDatabase } from '../services/databases.ts';
import { loopbackRange } from '../services/destination.ts';
import { aWebhook } from './builders.ts';
import { endSets } from './expired-sets.ts';
import { readCollections, type Document } from '../services/documents.ts';
import { getWebhook } from '../../../src/store/webhooks/webhooks.ts';

export const leadMapping: MappingDocument = {
  eventId: { path: 'id' },
  eventType: { path: 'type' },
  eventDate: { path: 'at' },
  contact: {
    externalId: { path: 'lead.id' },
    name: { path: 'lead.name' },
    phone: { path: 'lead.phone' },
    email: { path: 'lead.email' },
    fields: { city: { path: 'lead.city' } },
  },
  message: { text: { path: 'text' } },
  context: {
    origin: { path: 'origin' },
    labels: [{ path: 'label' }],
    sector: { path: 'sector' },
  },
};

const unusedUrls = { MONGODB_URL: 'mongodb://unused/test', REDIS_URL: 'redis://unused' };

/** The defaults of production; tickers wait until the test calls them. */
export const testConfig: Config = {
  ...loadConfig({ ...unusedUrls, NODE_ENV: 'production' }),
  allowedDestinations: loopbackRange,
  allowsDrills: true,
  requestsPerMinute: 100_000,
  sweepIntervalMs: 3_600_000,
};

const idleQueue: EventQueue = {
  hint: () => {},
  announceChange: () => {},
  announceTokenChange: () => {},
  isReady: true,
  flush: () => Promise.resolve(0),
  server: () => Promise.resolve({ policy: 'noeviction', isPersistent: true }),
  depth: () => Promise.resolve(0),
  oldestJobs: () => Promise.resolve({ front: null, behind: null }),
  readinessFailures: () => Promise.resolve([]),
  connectionFailure: () => null,
  close: () => Promise.resolve(),
};

/** Parts that replace those of the composition. */
export type Overrides = Partial<Omit<Resources, 'queue' | 'vault' | 'bodies'>> & {
  readonly queue?: Partial<EventQueue>;
  readonly secretKeys?: readonly string[];
};
export type RunOverrides = Omit<RunParts, 'queue'> & Pick<Overrides, 'queue'>;
type ProcessorOverrides = Overrides & ProcessingParts & { readonly leaseMs?: number };

export type TestContext = Awaited<ReturnType<typeof createTestContext>>;

export async function createTestContext(name: string) {
  const leased = await leaseDatabase(name);
  const { url } = leased;
  const connection = await connectMongo(url);
  const stores = createStores(connection);
  const base = {
    role: 'worker',
    release: '0.0.0',
    logger: silentLogger(),
    metrics: createMetrics(),
    closing: createShutdown(),
    tracing: noTracing,
    clock: systemClock,
    lostIndexes: () => [],
    countEvent: () => {},
  } as const;
  const newResources = ({ queue, secretKeys = [], ...over }: Overrides = {}) =>
    assembleResources(
      { ...testConfig, secretKeys },
      { ...base, stores, ...over, queue: { ...idleQueue, ...queue } },
    );
  const { bodies } = newResources();
  const recording = {
    mappings: createEffectiveMappings(bodies),
    recorder: createRecorder({ ...stores, queue: idleQueue }),
    clock: systemClock,
  };
  // Longer than a machine may hold a process up; tests end leases themselves.
  const newProcessor = ({ leaseMs = 3_600_000, ...over }: ProcessorOverrides = {}) =>
    assembleProcessing({ ...testConfig, leaseMs }, newResources(over), over);
  /** Processes like a worker without other events: each event alone. */
  const newProcessing = (over: ProcessorOverrides = {}) => {
    const { processEvents } = newProcessor(over);
    return (ids: readonly string[]) => processEvents(ids, { alone: ids.length === 1 });
  };

  /** Stores a payload like the receiver and returns its event id; for a resend, that of the first request. */
  async function send(webhook: Webhook, payload: unknown): Promise<string> {
    const body = Buffer.from(JSON.stringify(payload));
    const decoded = producerOf('generic').decodeBody({ contentType: 'application/json', body });
    if (!decoded.ok) throw new Error(decoded.code);
    const request = { body, contentType: 'application/json', headers: {}, query: {} };
    const recorded = await recordEvent(
      recording,
      { webhook, request, body: decoded.value },
      { receivedAt: new Date() },
    );
    return recorded.eventId;
  }

  /** A ticker of runs whose ticks the test calls. */
  const newRuns = ({ queue, ...over }: RunOverrides = {}) =>
    assembleRuns(testConfig, newResources({ ...(queue && { queue }) }), over);

  return {
    url,
    connection,
    stores,
    newResources,
    newProcessor,
    newProcessing,
    newRuns,
    processEvents: newProcessing(),
    send,
    /** With a new channel, or into an existing one. It makes contacts of people of whom only an id is known. */
    async addWebhook(mapping: MappingDocument = leadMapping, channelId?: string) {
      const { id } = await aWebhook({ stores }, { mapping, ...(channelId && { channelId }) });
      const allowed = { $set: { 'settings.allowEmptyPerson': true } };
      await collectionOf(connection, 'webhooks').updateOne({ _id: id }, allowed);
      const webhook = await getWebhook(stores, id);
      if (!webhook) throw new Error('The webhook that was just made is gone.');
      return webhook;
    },
    snapshot: () => snapshotOf(connection),
    /** Records have times of the database. */
    async databaseTime(): Promise<Date> {
      const { localTime } = await connection.getClient().db('admin').command({ hello: 1 });
      return localTime as Date;
    },
    /** Removes the results of processing; configurations stay. */
    async clear() {
      // Also frees what the transactions of dead workers have locked.
      await endSets(connection);
      const made = ['identities', 'contacts', 'conflicts', 'chats', 'messages', 'runs'];
      const writeConcern = { w: 1 };
      await Promise.all(
        made.map((name) => collectionOf(connection, name).deleteMany({}, { writeConcern })),
      );
      // A majority has this deletion only after those before it.
      await collectionOf(connection, 'events').deleteMany({});
    },
    async close() {
      await connection.close();
      await leased.release();
    },
  };
}

type Values = Record<string, { value: string }>;

/** Contacts with their fields, chats and messages, sorted, without random ids and processing times. */
async function snapshotOf(connection: Connection) {
  const names = ['contacts', 'chats', 'messages', 'labels', 'sectors', 'conflicts'] as const;
  const { contacts, chats, messages, ...rest } = await readCollections(connection, names);
  const nameOf = new Map([...rest.labels, ...rest.sectors].map(({ _id, name }) => [_id, name]));
  const people = contacts
    .filter(({ mergedInto }) => mergedInto === undefined)
    .map(({ _id, registers }) => ({
      registers: Object.fromEntries(
        Object.entries(registers as Values)
          .map(([key, { value }]) => [key, value])
          .toSorted(byText),
      ),
      fields: Object.fromEntries(Object.entries(fieldsOf(registers as never)).toSorted(byText)),
      chats: chats
        .filter(({ contactId }) => contactId === _id)
        .map((chat) => chatView(chat, { messages, nameOf }))
        .toSorted(byText),
    }))
    .toSorted(byText);
  return {
    contacts: people,
    messages: messages.length,
    tombstones: contacts.length - people.length,
    conflicts: rest.conflicts.length,
  };
}

function chatView(
  { _id, opening, labelIds, lastMessageAt }: Document,
  { messages, nameOf }: { messages: readonly Document[]; nameOf: ReadonlyMap<string, unknown> },
) {
  const { stamp: _stamp, sectorId, ...opened } = opening as { stamp: string; sectorId: string };
  return {
    opening: { ...opened, sector: nameOf.get(sectorId) ?? null },
    labels: (labelIds as string[]).map((id) => nameOf.get(id)).toSorted(byText),
    lastMessageAt,
    messages: messages
      .filter(({ chatId }) => chatId === _id)
      .toSorted((a, b) => +(a.date as Date) - +(b.date as Date) || byText(a._id, b._id))
      .map(({ content, date }) => ({ content, date })),
  };
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
