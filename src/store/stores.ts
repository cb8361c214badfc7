/** The stores of one connection, and the indexes that they need. */
import { createElection } from './db/lock.ts';
import { systemClock, type Clock } from '../base/clock.ts';
import { auditIndexes } from './audit/audit.ts';
import { agentIndexes, createAgentStore } from './agents/agents.ts';
import { createConversationStore } from './chats/conversations.ts';
import { createFileStore, fileIndexes } from './chats/files.ts';
import { createNamedRecords, namedRecordUseIndexes } from './chats/named-record-changes.ts';
import { namedRecordIndexes } from './chats/named-records.ts';
import { channelIndexes, createChannelStore } from './channels/channels.ts';
import { channelHealthIndexes, createChannelHealthStore } from './channels/channel-health.ts';
import { channelRateIndexes, createChannelRateStore } from './channels/channel-rates.ts';
import { chatIndexes } from './chats/chats.ts';
import type { Connection, IndexSpec, Db } from './db/connection.ts';
import { versionOfIndexes } from './db/indexes.ts';
import { contactIndexes } from './people/contacts.ts';
import { createDeliveryStore, deliveryIndexes } from './chats/deliveries.ts';
import { createDeliveryStatusStore } from './chats/delivery-statuses.ts';
import { createDriftStore, driftIndexes } from './counters/drift.ts';
import { createErasureStore, erasureIndexes } from './erasures/erasures.ts';
import { createEventStore, eventIndexes } from './events/events.ts';
import { consoleSessionIndexes, createConsoleSessionStore } from './access/console-sessions.ts';
import { createIdempotencyStore, idempotencyIndexes } from './access/idempotency.ts';
import { createVersionHealthStore, versionHealthIndexes } from './counters/version-health.ts';
import { identityIndexes } from './people/identities.ts';
import { createInboxStore, inboxIndexes } from './chats/inbox.ts';
import { createKeyStore, keyIndexes } from './webhooks/keys.ts';
import { createMappingStore, mappingIndexes } from './webhooks/mappings.ts';
import { createMessageStore } from './chats/messages.ts';
import { useMarkIndexes } from './chats/use-marks.ts';
import { createPeopleStore, peopleIndexes } from './people/people.ts';
import { createResendBodyStore, resendBodyIndexes } from './events/resend-bodies.ts';
import { createRunStore, runIndexes } from './runs/runs.ts';
import { createRejectionStore, rejectionIndexes } from './samples/rejections.ts';
import { createSampleStore, sampleIndexes } from './samples/samples.ts';
import { createTestEventStore, testEventIndexes } from './samples/test-events.ts';
import { createInstallationCounts } from './maintenance/installation-counts.ts';
import { createDatabaseState } from './maintenance/database-state.ts';
import { createStoredSecrets } from './maintenance/stored-secrets.ts';
import {
  backupVerificationIndexes,
  createBackupVerificationStore,
} from './maintenance/backup-verifications.ts';
import { createDrillStore } from './maintenance/drills.ts';
import { createProcessStore, processIndexes } from './maintenance/processes.ts';
import { createRejectionCountStore, rejectionCountIndexes } from './counters/rejection-counts.ts';
import { createRetentionStore } from './maintenance/retention.ts';
import { retentionVisitIndexes } from './maintenance/retention-visits.ts';
import { createNoticeDeliveryStore, noticeDeliveryIndexes } from './notices/deliveries.ts';
import { createNoticeRuleStore, noticeRuleIndexes } from './notices/rules.ts';
import { createNoticeStore, noticeIndexes } from './notices/notices.ts';
import { createObservationStore } from './notices/observations.ts';
import { createTargetStore, targetIndexes } from './notices/targets.ts';
import { hourStatsIndexes } from './counters/hour-stats.ts';
import { statsIndexes } from './counters/rolled-up-stats.ts';
import { createStatsStore } from './counters/stats.ts';
import { createTokenStore, tokenIndexes } from './access/tokens.ts';
import { createWebhookStore, webhookIndexes } from './webhooks/webhooks.ts';

export const allIndexes: readonly IndexSpec[] = [
  ...eventIndexes,
  ...identityIndexes,
  ...contactIndexes,
  ...peopleIndexes,
  ...erasureIndexes,
  ...chatIndexes,
  ...namedRecordIndexes,
  ...namedRecordUseIndexes,
  ...agentIndexes,
  ...fileIndexes,
  ...inboxIndexes,
  ...deliveryIndexes,
  ...channelIndexes,
  ...channelHealthIndexes,
  ...channelRateIndexes,
  ...webhookIndexes,
  ...keyIndexes,
  ...sampleIndexes,
  ...rejectionIndexes,
  ...rejectionCountIndexes,
  ...mappingIndexes,
  ...testEventIndexes,
  ...tokenIndexes,
  ...consoleSessionIndexes,
  ...auditIndexes,
  ...useMarkIndexes,
  ...runIndexes,
  ...resendBodyIndexes,
  ...driftIndexes,
  ...hourStatsIndexes,
  ...statsIndexes,
  ...retentionVisitIndexes,
  ...processIndexes,
  ...idempotencyIndexes,
  ...versionHealthIndexes,
  ...noticeIndexes,
  ...noticeRuleIndexes,
  ...targetIndexes,
  ...noticeDeliveryIndexes,
  ...backupVerificationIndexes,
];

export type Stores = ReturnType<typeof createStores>;

export function createStores(connection: Connection, clock: Clock = systemClock) {
  const context: Db = { connection, clock };
  return {
    connection,
    clock,
    events: createEventStore(context),
    people: createPeopleStore(context),
    erasures: createErasureStore(context),
    messages: createMessageStore(connection),
    deliveries: createDeliveryStore(context),
    deliveryStatuses: createDeliveryStatusStore(connection),
    labels: createNamedRecords(context, 'labels'),
    sectors: createNamedRecords(context, 'sectors'),
    conversations: createConversationStore(context),
    files: createFileStore(context),
    agents: createAgentStore(context),
    inbox: createInboxStore(connection),
    channels: createChannelStore(context),
    channelHealth: createChannelHealthStore(context),
    channelRates: createChannelRateStore(connection),
    webhooks: createWebhookStore(context),
    keys: createKeyStore(context),
    samples: createSampleStore(context),
    rejections: createRejectionStore(context),
    rejectionCounts: createRejectionCountStore(connection),
    mappings: createMappingStore(context),
    testEvents: createTestEventStore(context),
    tokens: createTokenStore(context),
    consoleSessions: createConsoleSessionStore(connection),
    runs: createRunStore(context),
    resendBodies: createResendBodyStore(connection),
    drift: createDriftStore(connection),
    stats: createStatsStore(connection),
    statsElection: createElection(connection, { name: 'stats', leaseMs: 150_000 }),
    retention: createRetentionStore(connection),
    installationCounts: createInstallationCounts(connection),
    backupVerifications: createBackupVerificationStore(context),
    drills: createDrillStore(context),
    databaseState: createDatabaseState(connection, allIndexes),
    storedSecrets: createStoredSecrets(connection),
    measurement: createElection(connection, { name: 'measurement', leaseMs: 45_000 }),
    processes: createProcessStore(connection, versionOfIndexes(allIndexes)),
    idempotency: createIdempotencyStore(connection),
    health: createVersionHealthStore(connection),
    notices: createNoticeStore(connection),
    noticeRules: createNoticeRuleStore(context),
    noticeTargets: createTargetStore(context),
    noticeDeliveries: createNoticeDeliveryStore(context),
    noticeObservations: createObservationStore(connection),
    noticeElection: createElection(connection, { name: 'notices', leaseMs: 150_000 }),
  };
}
