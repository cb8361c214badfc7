import type { Operation } from '../../api/client.ts';

/** What another active version may change. */
export const affectedOperations: readonly Operation[] = [
  'getWebhook',
  'listWebhooks',
  'listWebhookMappings',
  'getWebhookMapping',
  'getWebhookMappingsHealth',
  'getWebhookDrift',
];
