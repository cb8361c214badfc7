/** Every route below /v1 but the receiving one, in the order in which they are tried. */
import type { Admin } from '../../admin/admin.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import type { Route } from '../route.ts';
import { auditRoutes } from './audit.ts';
import { activationRoutes } from './activation.ts';
import { referenceDataRoutes } from './catalogue.ts';
import { channelRoutes } from './channels.ts';
import { contactChatRoutes } from './chats.ts';
import { conflictRoutes } from './conflicts.ts';
import { contactRoutes } from './contacts.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { deliveryRoutes } from './deliveries.ts';
import { driftRoutes } from './drift.ts';
import { eventStreamRoutes } from './event-streams.ts';
import { erasureRoutes } from './erasures.ts';
import { eventRoutes } from './events.ts';
import { inboxRoutes } from './inbox.ts';
import { keyRoutes } from './keys.ts';
import { mappingRoutes } from './mappings.ts';
import { runRoutes } from './replays.ts';
import { sampleRoutes } from './samples.ts';
import { settingsRoutes } from './settings.ts';
import { statsRoutes } from './stats.ts';
import { testEventRoutes } from './test-events.ts';
import { tokenRoutes } from './tokens.ts';
import { webhookRoutes } from './webhooks.ts';

export const apiRoutes = (admin: Admin, inbox: Inbox): Route[] => [
  ...channelRoutes(admin),
  ...webhookRoutes(admin),
  ...activationRoutes(admin),
  ...keyRoutes(admin),
  ...sampleRoutes(admin),
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
  ...auditRoutes(admin),
  ...conflictRoutes(admin),
  ...erasureRoutes(admin),
  ...contactRoutes(admin),
  ...contactChatRoutes(admin),
  ...tokenRoutes(admin),
  ...statsRoutes(admin),
  ...inboxRoutes(inbox),
];
