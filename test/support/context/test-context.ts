// The stores and the processing over a separate MongoDB database, without processes or HTTP. `snapshot` returns the result in
// a form that can be compared between runs.
import { systemClock } from '../../../src/base/clock.ts';
import { silentLogger } from '../fixtures/silent-logger.ts';
import { createMetrics } from '../../../src/base/observability/metrics.ts';
import { fieldsOf } from '../../../src/domain/people/contact.ts';
import type { MappingDocument } from '../../../src/domain/mappings/mapping.ts';
import type { Webhook } from '../../../src/domain/webhooks/webhook.ts';
import { createProcessing } from '../../../src/processing/processing.ts';
import { producerOf } from '../../../src/producers/registry.ts';
import { createEffectiveMappings } from '../../../src/receiving/effective-mappings.ts';
import { createRecorder } from '../../../src/receiving/recorder.ts';
import { recordEvent } from '../../../src/receiving/record-event.ts';
import { startRuns, type RunsDeps } from '../../../src/recovery/runs.ts';
import { collectionOf, connectMongo, type Connection } from '../../../src/store/db/connection.ts';
import { createStores, type Stores } from '../../../src/store/stores.ts';
import { leaseDatabase } from '../services/databases.ts';
import { aWebhook } from './builders.ts';

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

export type TestContext = Awaited<ReturnType<typeof createTestContext>>;

export async function createTestContext(name: string) {
  const lent = await leaseDatabase(name);
  const { url } = lent;
  const connection = await connectMongo(url);
  const stores = createStores(connection);
  const queue = { hint: () => {} };
  const logger = silentLogger();
  const metrics = createMetrics();
  const recording = {
    mappings: createEffectiveMappings(stores),
    recorder: createRecorder({ ...stores, queue }),
    clock: systemClock,
  };
  const newProcessor = (over: Partial<Parameters<typeof createProcessing>[0]> = {}) =>
    createProcessing({
      stores,
      queue,
      logger,
      metrics,
      leaseMs: 60_000,
      defaultRegion: 'BR',
      ...over,
    });
  /** Processes like a worker without other events: each event alone. */
  const newProcessing = (over: Parameters<typeof newProcessor>[0] = {}) => {
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
  const newRuns = (over: Partial<RunsDeps> = {}) =>
    startRuns({
      ...stores,
      queue,
      intervalMs: 3_600_000,
      logger,
      metrics,
      clock: systemClock,
      ...over,
    });

  return {
    url,
    connection,
    stores,
    newProcessor,
    newProcessing,
    newRuns,
    processEvents: newProcessing(),
    send,
    /** With a new channel, or into an existing one. */
    addWebhook: (mapping: MappingDocument = leadMapping, channelId?: string) =>
      addWebhook(stores, mapping, channelId),
    snapshot: () => snapshotOf(connection),
    /** Removes the results of processing; configurations stay. */
    async clear() {
      const made = ['events', 'identities', 'contacts', 'conflicts', 'chats', 'messages', 'runs'];
      await Promise.all(made.map((name) => collectionOf(connection, name).deleteMany({})));
    },
    async close() {
      await connection.close();
      await lent.giveBack();
    },
  };
}

async function addWebhook(
  stores: Stores,
  mapping: MappingDocument,
  channelId?: string,
): Promise<Webhook> {
  const { id } = await aWebhook({ stores }, { mapping, ...(channelId && { channelId }) });
  const webhook = await stores.webhooks.get(id);
  if (!webhook) throw new Error('The webhook that was just made is gone.');
  return webhook;
}

type Doc = { readonly _id: string } & Record<string, unknown>;
type Values = Record<string, { value: string }>;

/** Contacts with their fields, chats and messages, sorted, without random ids and processing times. */
async function snapshotOf(connection: Connection) {
  const all = (name: string): Promise<Doc[]> =>
    collectionOf<Doc>(connection, name).find({}).toArray() as never;
  const [contacts, chats, messages, labels, sectors, conflicts] = await Promise.all(
    ['contacts', 'chats', 'messages', 'labels', 'sectors', 'conflicts'].map(all),
  );
  const nameOf = new Map(
    [...(labels ?? []), ...(sectors ?? [])].map(({ _id, name }) => [_id, name]),
  );
  const people = (contacts ?? [])
    .filter(({ mergedInto }) => mergedInto === undefined)
    .map(({ _id, registers }) => ({
      registers: Object.fromEntries(
        Object.entries(registers as Values)
          .map(([key, { value }]) => [key, value])
          .toSorted(byText),
      ),
      fields: Object.fromEntries(Object.entries(fieldsOf(registers as never)).toSorted(byText)),
      chats: (chats ?? [])
        .filter(({ contactId }) => contactId === _id)
        .map((chat) => chatView(chat, { messages: messages ?? [], nameOf }))
        .toSorted(byText),
    }))
    .toSorted(byText);
  return {
    contacts: people,
    messages: (messages ?? []).length,
    tombstones: (contacts ?? []).length - people.length,
    conflicts: (conflicts ?? []).length,
  };
}

function chatView(
  { _id, opening, labelIds, lastMessageAt }: Doc,
  { messages, nameOf }: { messages: Doc[]; nameOf: ReadonlyMap<string, unknown> },
) {
  const { stamp: _stamp, sectorId, ...opened } = opening as { stamp: string; sectorId: string };
  return {
    opening: { ...opened, sector: nameOf.get(sectorId) ?? null },
    labels: (labelIds as string[]).map((id) => nameOf.get(id)).toSorted(byText),
    lastMessageAt,
    messages: messages
      .filter(({ chatId }) => chatId === _id)
      .map(({ content, date }) => ({ content, date }))
      .toSorted(byText),
  };
}

const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);
