/** The stores of one connection. */
import { createElection } from './db/lock.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { createAgentStore } from './agents/agents.ts';
import { createConversationStore } from './chats/conversations.ts';
import { createNamedRecords } from './chats/named-record-changes.ts';
import type { Connection, Db } from './db/connection.ts';
import { createDeliveryStore } from './chats/deliveries.ts';
import { createErasureStore } from './erasures/erasures.ts';
import { createEventStore } from './events/events.ts';
import { createInboxStore } from './chats/inbox.ts';
import { createPeopleStore } from './people/people.ts';
import { createRunStore } from './runs/runs.ts';
import { createRejectionStore } from './samples/rejections.ts';
import { createSampleStore } from './samples/samples.ts';
import { createTestEventStore } from './samples/test-events.ts';
import { createRetentionStore } from './maintenance/retention.ts';
import { createNoticeDeliveryStore } from './notices/deliveries.ts';
import { createNoticeRuleStore } from './notices/rules.ts';
import { createNoticeStore } from './notices/notices.ts';
import { createObservationStore } from './notices/observations.ts';
import { createTargetStore } from './notices/targets.ts';
import { createStatsStore } from './counters/stats.ts';
import { createTokenStore } from './access/tokens.ts';

export type Stores = ReturnType<typeof createStores>;

export function createStores(connection: Connection, clock: Clock = systemClock) {
  const context: Db = { connection, clock };
  return {
    connection,
    clock,
    events: createEventStore(context),
    people: createPeopleStore(context),
    erasures: createErasureStore(context),
    deliveries: createDeliveryStore(context),
    labels: createNamedRecords(context, 'labels'),
    sectors: createNamedRecords(context, 'sectors'),
    conversations: createConversationStore(context),
    agents: createAgentStore(context),
    inbox: createInboxStore(connection),
    samples: createSampleStore(context),
    rejections: createRejectionStore(context),
    testEvents: createTestEventStore(context),
    tokens: createTokenStore(context),
    runs: createRunStore(context),
    stats: createStatsStore(connection),
    statsElection: createElection(connection, { name: 'stats', leaseMs: 150_000 }),
    retention: createRetentionStore(connection),
    measurement: createElection(connection, { name: 'measurement', leaseMs: 45_000 }),
    notices: createNoticeStore(connection),
    noticeRules: createNoticeRuleStore(context),
    noticeTargets: createTargetStore(context),
    noticeDeliveries: createNoticeDeliveryStore(context),
    noticeObservations: createObservationStore(connection),
    noticeElection: createElection(connection, { name: 'notices', leaseMs: 150_000 }),
  };
}
