/** All stores over one connection, and the indexes that they need. */
import { systemClock, type Clock } from '../base/clock.ts';
import { auditIndexes, createAuditStore } from './audit.ts';
import { catalogueIndexes, createNamedStore } from './catalogue.ts';
import { channelIndexes, createChannelStore } from './channels.ts';
import { chatIndexes, createChatStore } from './chats.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { contactIndexes, createContactStore } from './contacts.ts';
import { createDeliveryStore, deliveryIndexes } from './deliveries.ts';
import { createDriftStore, driftIndexes } from './drift.ts';
import { createEventStore, eventIndexes } from './events/events.ts';
import { createIdentityStore, identityIndexes } from './identities.ts';
import { createInboxStore, inboxIndexes } from './inbox.ts';
import { keyIndexes } from './keys.ts';
import { createMappingStore, mappingIndexes } from './mappings.ts';
import { createMessageStore } from './messages.ts';
import { createRunStore, runIndexes } from './runs.ts';
import { createSampleStore, sampleIndexes } from './samples.ts';
import { createTokenStore, tokenIndexes } from './tokens.ts';
import { createWebhookStore, webhookIndexes } from './webhooks.ts';

export const allIndexes: readonly IndexSpec[] = [
  ...eventIndexes,
  ...identityIndexes,
  ...contactIndexes,
  ...chatIndexes,
  ...catalogueIndexes,
  ...inboxIndexes,
  ...deliveryIndexes,
  ...channelIndexes,
  ...webhookIndexes,
  ...keyIndexes,
  ...sampleIndexes,
  ...mappingIndexes,
  ...tokenIndexes,
  ...auditIndexes,
  ...runIndexes,
  ...driftIndexes,
];

export type Stores = ReturnType<typeof createStores>;

export const createStores = (connection: Connection, clock: Clock = systemClock) => ({
  events: createEventStore(connection),
  identities: createIdentityStore(connection),
  contacts: createContactStore(connection, clock),
  chats: createChatStore(connection),
  messages: createMessageStore(connection),
  deliveries: createDeliveryStore(connection),
  labels: createNamedStore(connection, 'labels'),
  sectors: createNamedStore(connection, 'sectors'),
  inbox: createInboxStore(connection),
  channels: createChannelStore(connection),
  webhooks: createWebhookStore(connection),
  samples: createSampleStore(connection),
  mappings: createMappingStore(connection),
  tokens: createTokenStore(connection),
  audit: createAuditStore(connection),
  runs: createRunStore(connection),
  drift: createDriftStore(connection),
});
