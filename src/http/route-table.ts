/** Every route under /v1 except those of senders, in the order of matching. */
import type { Admin } from '../admin/admin.ts';
import type { Inbox } from '../inbox/inbox.ts';
import type { Route } from './routing/route.ts';
import { agentRoutes } from './system-routes/agents.ts';
import { auditRoutes } from './system-routes/audit.ts';
import { activationRoutes } from './webhook-routes/activation.ts';
import { referenceDataRoutes } from './system-routes/reference-data.ts';
import { channelRoutes } from './system-routes/channels.ts';
import { consoleSessionRoutes } from './system-routes/console-session.ts';
import { contactChatRoutes } from './people-routes/contact-chats.ts';
import { conflictRoutes } from './people-routes/conflicts.ts';
import { contactRoutes } from './people-routes/contacts.ts';
import { operationRoutes } from './system-routes/operations.ts';
import { deadLetterRoutes } from './event-routes/dead-letters.ts';
import { deliveryRoutes } from './event-routes/deliveries.ts';
import { driftRoutes } from './webhook-routes/drift.ts';
import { eventStreamRoutes } from './event-routes/event-streams.ts';
import { erasureRoutes } from './people-routes/erasures.ts';
import { eventRoutes } from './event-routes/events.ts';
import { chatChangeRoutes, chatStartRoutes } from './conversation-routes/chat-changes.ts';
import { chatRoutes } from './conversation-routes/chats.ts';
import { conversationContactRoutes } from './conversation-routes/contacts.ts';
import { directoryRoutes } from './conversation-routes/directories.ts';
import { labelRoutes, sectorRoutes } from './conversation-routes/named-records.ts';
import { keyRoutes } from './webhook-routes/keys.ts';
import { mappingRoutes } from './webhook-routes/mappings.ts';
import { noticeRoutes } from './notice-routes/notices.ts';
import { noticeDeliveryRoutes, noticeTargetRoutes } from './notice-routes/targets.ts';
import { rejectionRoutes } from './webhook-routes/rejections.ts';
import { runRoutes } from './event-routes/runs.ts';
import { sampleRoutes } from './webhook-routes/samples.ts';
import { settingsRoutes } from './webhook-routes/settings.ts';
import { statsRoutes } from './event-routes/stats.ts';
import { testEventRoutes } from './webhook-routes/test-events.ts';
import { tokenRoutes } from './system-routes/tokens.ts';
import { webhookRoutes } from './webhook-routes/webhooks.ts';

export const apiRoutes = (admin: Admin, inbox: Inbox): Route[] => [
  ...channelRoutes(admin),
  ...webhookRoutes(admin),
  ...activationRoutes(admin),
  ...keyRoutes(admin),
  ...sampleRoutes(admin),
  ...rejectionRoutes(admin),
  ...mappingRoutes(admin),
  ...testEventRoutes(admin),
  ...driftRoutes(admin),
  ...settingsRoutes(admin),
  ...referenceDataRoutes(admin),
  ...runRoutes(admin),
  ...eventStreamRoutes(admin),
  ...eventRoutes(admin),
  ...deadLetterRoutes(admin),
  ...deliveryRoutes(admin),
  ...noticeDeliveryRoutes(admin),
  ...noticeTargetRoutes(admin),
  ...noticeRoutes(admin),
  ...agentRoutes(admin),
  ...auditRoutes(admin),
  ...conflictRoutes(admin),
  ...erasureRoutes(admin),
  ...contactRoutes(admin),
  ...contactChatRoutes(admin),
  ...tokenRoutes(admin),
  ...consoleSessionRoutes(admin),
  ...operationRoutes(admin),
  ...statsRoutes(admin),
  ...directoryRoutes(inbox),
  ...conversationContactRoutes(inbox),
  ...chatStartRoutes(inbox),
  ...chatRoutes(inbox),
  ...chatChangeRoutes(inbox),
  ...labelRoutes(inbox),
  ...sectorRoutes(inbox),
];
