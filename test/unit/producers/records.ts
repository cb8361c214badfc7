/** Events of producers, with a record of one type each, and how the starter mappings read them. */
import type { MappedEvent } from '../../../src/domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../../../src/mapping/evaluation/apply.ts';
import { compileMapping } from '../../../src/mapping/language/compile.ts';
import { producerOf } from '../../../src/producers/registry.ts';

type Headers = Record<string, string>;
export type Ignored = readonly [producer: string, what: string, body: unknown, headers?: Headers];
export type Named = readonly [
  producer: string,
  what: string,
  body: unknown,
  contact: object,
  headers?: Headers,
];

export function read(
  name: string,
  body: unknown,
  headers: Record<string, string> = {},
): MappedEvent[] {
  const compiled = compileMapping(producerOf(name).starterMapping);
  if (!compiled.ok) throw new Error(JSON.stringify(compiled.problems));
  const payload = { body, headers, query: {} };
  const split = splitItems(compiled.mapping, payload);
  if (!split.ok) throw new Error(JSON.stringify(split.message));
  return split.items.map((item) =>
    applyItem(compiled.mapping, payload, { defaultRegion: 'BR', item }),
  );
}

export const titled = <Row extends Ignored | Named>(row: Row): [string, Row] => [
  `${row[0]}: ${row[1]}`,
  row,
];

export const pipedrive2 = (entity: string, data: object | null, rest: object = {}) => ({
  data,
  previous: null,
  meta: { action: 'change', entity, entity_id: '91', id: 'u-1', version: '2.0' },
  ...rest,
});
export const pipedrive1 = (object: string, current: object | null, action = 'updated') => ({
  v: 1,
  event: `${action}.${object}`,
  meta: { action, object, id: 91, timestamp_micro: 1 },
  current,
  previous: null,
});
export const hubspot = (subscriptionType: string, rest: object = {}) => [
  {
    eventId: 1,
    subscriptionId: 2,
    portalId: 3,
    occurredAt: 1767700800000,
    objectId: 91,
    subscriptionType,
    ...rest,
  },
];
export const intercom = (topic: string, item: object) => ({
  type: 'notification_event',
  topic,
  data: { item },
});
export const shopify = (topic: string) => ({
  'x-shopify-topic': topic,
  'x-shopify-webhook-id': 'w-1',
});
export const stripe = (object: string, rest: object = {}) => ({
  id: 'evt_1',
  type: `${object}.updated`,
  data: { object: { id: 'x_91', object, ...rest } },
});
export const zendesk = (type: string, detail: object) => ({
  id: 'e',
  type: `zen:event-type:${type}`,
  detail,
});
export const email = 'ana@example.com';
