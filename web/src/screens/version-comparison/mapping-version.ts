import type { Answer } from '../../api/client.ts';

export type Version = Answer<'getWebhookMapping'>;
export type MappingDocument = Version['mapping'];
