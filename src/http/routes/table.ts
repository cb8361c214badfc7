/** Every route below /v1 but the receiving one, in the order in which they are tried. */
import type { Admin } from '../../admin/admin.ts';
import type { Inbox } from '../../inbox/inbox.ts';
import type { Route } from '../route.ts';
import { catalogueRoutes } from './catalogue.ts';
import { channelRoutes } from './channels.ts';
import { deadLetterRoutes } from './dead-letters.ts';
import { deliveryRoutes } from './deliveries.ts';
import { driftRoutes } from './drift.ts';
import { eventRoutes } from './events.ts';
import { inboxRoutes } from './inbox.ts';
import { mappingRoutes } from './mappings.ts';
import { replayRoutes } from './replays.ts';
import { sampleRoutes } from './samples.ts';
import { settingsRoutes } from './settings.ts';
import { webhookRoutes } from './webhooks.ts';

export const apiRoutes = (admin: Admin, inbox: Inbox): Route[] => [
  ...channelRoutes(admin),
  ...webhookRoutes(admin),
  ...sampleRoutes(admin),
  ...mappingRoutes(admin),
  ...driftRoutes(admin),
  ...settingsRoutes(admin),
  ...catalogueRoutes(admin),
  ...replayRoutes(admin),
  ...eventRoutes(admin),
  ...deadLetterRoutes(admin),
  ...deliveryRoutes(admin),
  ...inboxRoutes(inbox),
];
