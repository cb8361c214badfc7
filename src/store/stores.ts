/** All stores over one connection, and the indexes that they need. */
import { systemClock, type Clock } from '../base/clock.ts';
import { auditIndexes, createAuditStore } from './audit.ts';
import { namedRecordIndexes, createNamedRecordStore } from './catalogue.ts';
import { channelIndexes, createChannelStore } from './channels.ts';
import { chatIndexes, createChatStore } from './chats.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { contactIndexes, createContactStore } from './contacts.ts';
import { createDeliveryStore, deliveryIndexes } from './deliveries.ts';
import { createDriftStore, driftIndexes } from './drift.ts';
import { createErasureStore, erasureIndexes } from './erasures/erasures.ts';
import { createEventStore, eventIndexes } from './events/events.ts';
import { createIdempotencyStore, idempotencyIndexes } from './idempotency.ts';
import { createHealthStore, healthIndexes } from './health.ts';
import { createIdentityStore, identityIndexes } from './identities.ts';
import { createInboxStore, inboxIndexes } from './inbox.ts';
import { createKeyStore, keyIndexes } from './keys.ts';
import { createMappingStore, mappingIndexes } from './mappings.ts';
import { createMessageStore } from './messages.ts';
import { createPeopleStore, peopleIndexes } from './people/people.ts';
import { createResendBodyStore, resendBodyIndexes } from './resends.ts';
import { createRunStore, runIndexes } from './runs.ts';
import { createSampleStore, sampleIndexes } from './samples.ts';
import { createTestEventStore, testEventIndexes } from './tests.ts';
import { createProcessStore, processIndexes } from './processes.ts';
import { createRetentionStore, retentionIndexes } from './retention.ts';
import { createStatsStore, statsIndexes } from './stats.ts';
import { createTokenStore, tokenIndexes } from './tokens.ts';
import { createWebhookStore, webhookIndexes } from './webhooks.ts';

export const allIndexes: readonly IndexSpec[] = [
  ...eventIndexes,
  ...identityIndexes,
  ...contactIndexes,
  ...peopleIndexes,
  ...erasureIndexes,
  ...chatIndexes,
  ...namedRecordIndexes,
  ...inboxIndexes,
  ...deliveryIndexes,
  ...channelIndexes,
  ...webhookIndexes,
  ...keyIndexes,
  ...sampleIndexes,
  ...mappingIndexes,
  ...testEventIndexes,
  ...tokenIndexes,
  ...auditIndexes,
  ...runIndexes,
  ...resendBodyIndexes,
  ...driftIndexes,
  ...statsIndexes,
  ...retentionIndexes,
  ...processIndexes,
  ...idempotencyIndexes,
  ...healthIndexes,
];

export type Stores = ReturnType<typeof createStores>;

export const createStores = (connection: Connection, clock: Clock = systemClock) => ({
  events: createEventStore(connection),
  identities: createIdentityStore(connection),
  contacts: createContactStore(connection, clock),
  people: createPeopleStore(connection, clock),
  erasures: createErasureStore(connection, clock),
  chats: createChatStore(connection),
  messages: createMessageStore(connection),
  deliveries: createDeliveryStore(connection),
  labels: createNamedRecordStore(connection, 'labels'),
  sectors: createNamedRecordStore(connection, 'sectors'),
  inbox: createInboxStore(connection),
  channels: createChannelStore(connection),
  webhooks: createWebhookStore(connection),
  keys: createKeyStore(connection),
  samples: createSampleStore(connection),
  mappings: createMappingStore(connection),
  tests: createTestEventStore(connection),
  tokens: createTokenStore(connection, clock),
  audit: createAuditStore(connection),
  runs: createRunStore(connection),
  resends: createResendBodyStore(connection),
  drift: createDriftStore(connection),
  stats: createStatsStore(connection),
  retention: createRetentionStore(connection),
  processes: createProcessStore(connection),
  idempotency: createIdempotencyStore(connection),
  health: createHealthStore(connection),
});
