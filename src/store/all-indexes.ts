/** The indexes of all collections. */
import { auditIndexes } from './audit/audit.ts';
import { agentIndexes } from './agents/agents.ts';
import { fileIndexes } from './chats/files.ts';
import { namedRecordUseIndexes } from './chats/named-record-changes.ts';
import { namedRecordIndexes } from './chats/named-records.ts';
import { channelIndexes } from './channels/channels.ts';
import { channelHealthIndexes } from './channels/channel-health.ts';
import { channelRateIndexes } from './channels/channel-rates.ts';
import { chatIndexes } from './chats/chats.ts';
import { contactIndexes } from './people/contacts.ts';
import { deliveryIndexes } from './chats/deliveries.ts';
import { driftIndexes } from './counters/drift.ts';
import { erasureIndexes } from './erasures/erasures.ts';
import { eventIndexes } from './events/events.ts';
import { consoleSessionIndexes } from './access/console-sessions.ts';
import { idempotencyIndexes } from './access/idempotency.ts';
import { versionHealthIndexes } from './counters/version-health.ts';
import { identityIndexes } from './people/identities.ts';
import { inboxIndexes } from './chats/inbox.ts';
import { keyIndexes } from './webhooks/keys.ts';
import { mappingIndexes } from './webhooks/mappings.ts';
import { useMarkIndexes } from './chats/use-marks.ts';
import { peopleIndexes } from './people/people.ts';
import { resendBodyIndexes } from './events/resend-bodies.ts';
import { runIndexes } from './runs/runs.ts';
import { rejectionIndexes } from './samples/rejections.ts';
import { sampleIndexes } from './samples/samples.ts';
import { testEventIndexes } from './samples/test-events.ts';
import { backupVerificationIndexes } from './maintenance/backup-verifications.ts';
import { processIndexes } from './maintenance/processes.ts';
import { rejectionCountIndexes } from './counters/rejection-counts.ts';
import { retentionVisitIndexes } from './maintenance/retention-visits.ts';
import { noticeDeliveryIndexes } from './notices/deliveries.ts';
import { noticeRuleIndexes } from './notices/rules.ts';
import { noticeIndexes } from './notices/notices.ts';
import { targetIndexes } from './notices/targets.ts';
import { hourStatsIndexes } from './counters/hour-stats.ts';
import { statsIndexes } from './counters/rolled-up-stats.ts';
import { tokenIndexes } from './access/tokens.ts';
import { webhookIndexes } from './webhooks/webhooks.ts';
import type { IndexSpec } from './db/connection.ts';

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
