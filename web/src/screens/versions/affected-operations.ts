import type { Operation } from '../../api/client.ts';

/** The operations affected by an activation. */
export const affectedOperations: readonly Operation[] = [
  'getWebhook',
  'listWebhooks',
  'listWebhookMappings',
  'getWebhookMapping',
  'getWebhookMappingsHealth',
  'getWebhookDrift',
];
