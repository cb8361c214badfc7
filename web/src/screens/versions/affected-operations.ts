import type { Operation } from '../../api/client.ts';

/** What another active version may change. */
export const touched: readonly Operation[] = [
  'getWebhook',
  'listWebhooks',
  'listWebhookMappings',
  'getWebhookMapping',
  'getWebhookMappingsHealth',
  'getWebhookDrift',
];
