/** Every route under /v1 except those of senders, in the order of matching. */
import type { ApiContext } from './context.ts';
import type { Route } from '../http/routing/route.ts';
import { agentRoutes } from './chats/agent-routes.ts';
import { auditRoutes } from './access/audit-routes.ts';
import { activationRoutes } from './webhooks/activation-routes.ts';
import { referenceDataRoutes } from './installation/reference-data-routes.ts';
import { channelRoutes } from './channels/channel-routes.ts';
import { consoleSessionRoutes } from './access/console-session-routes.ts';
import { contactChatRoutes } from './chats/contact-chat-routes.ts';
import { conflictRoutes } from './people/conflict-routes.ts';
import { contactRoutes } from './people/contact-routes.ts';
import { operationRoutes } from './installation/operation-routes.ts';
import { deadLetterRoutes } from './events/dead-letter-routes.ts';
import { deliveryRoutes } from './channels/delivery-routes.ts';
import { driftRoutes } from './mappings/drift-routes.ts';
import { eventStreamRoutes } from './events/event-stream-routes.ts';
import { erasureRoutes } from './people/erasure-routes.ts';
import { eventRoutes } from './events/event-routes.ts';
import { chatChangeRoutes, chatStartRoutes } from './chats/chat-change-routes.ts';
import { chatRoutes } from './chats/chat-routes.ts';
import { conversationContactRoutes } from './chats/contact-routes.ts';
import { directoryRoutes } from './chats/directory-routes.ts';
import { labelRoutes, sectorRoutes } from './chats/named-record-routes.ts';
import { keyRoutes } from './webhooks/key-routes.ts';
import { mappingRoutes } from './mappings/mapping-routes.ts';
import { noticeRoutes } from './notices/notice-routes.ts';
import { noticeDeliveryRoutes, noticeTargetRoutes } from './notices/target-routes.ts';
import { rejectionRoutes } from './samples/rejection-routes.ts';
import { runRoutes } from './events/run-routes.ts';
import { sampleRoutes } from './samples/sample-routes.ts';
import { settingsRoutes } from './webhooks/setting-routes.ts';
import { statsRoutes } from './stats/stats-routes.ts';
import { testEventRoutes } from './events/test-event-routes.ts';
import { tokenRoutes } from './access/token-routes.ts';
import { webhookRoutes } from './webhooks/webhook-routes.ts';

export const apiRoutes = (ctx: ApiContext): Route[] => [
  ...channelRoutes(ctx),
  ...webhookRoutes(ctx),
  ...activationRoutes(ctx),
  ...keyRoutes(ctx),
  ...sampleRoutes(ctx),
  ...rejectionRoutes(ctx),
  ...mappingRoutes(ctx),
  ...testEventRoutes(ctx),
  ...driftRoutes(ctx),
  ...settingsRoutes(ctx),
  ...referenceDataRoutes(),
  ...runRoutes(ctx),
  ...eventStreamRoutes(ctx),
  ...eventRoutes(ctx),
  ...deadLetterRoutes(ctx),
  ...deliveryRoutes(ctx),
  ...noticeDeliveryRoutes(ctx),
  ...noticeTargetRoutes(ctx),
  ...noticeRoutes(ctx),
  ...agentRoutes(ctx),
  ...auditRoutes(ctx),
  ...conflictRoutes(ctx),
  ...erasureRoutes(ctx),
  ...contactRoutes(ctx),
  ...contactChatRoutes(ctx),
  ...tokenRoutes(ctx),
  ...consoleSessionRoutes(ctx),
  ...operationRoutes(ctx),
  ...statsRoutes(ctx),
  ...directoryRoutes(ctx),
  ...conversationContactRoutes(ctx),
  ...chatStartRoutes(ctx),
  ...chatRoutes(ctx),
  ...chatChangeRoutes(ctx),
  ...labelRoutes(ctx),
  ...sectorRoutes(ctx),
];
