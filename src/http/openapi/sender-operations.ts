/** The operations of senders, described by hand: they are not in the route table. */
import { eventStates } from '../../domain/events/event.ts';
import type { Json } from './components.ts';
import { envelope, json, object, requestId, type ErrorResponses } from './responses.ts';

type Paths = Readonly<Record<string, Readonly<Record<string, Json>>>>;

const inPath = (name: string, schema: Json, description: string) => ({
  name,
  in: 'path',
  required: true,
  description,
  schema,
});
const keyInPath = inPath('keyapi', { type: 'string' }, 'The webhook’s path key.');

const received = object(
  {
    success: { const: true },
    mode: { type: 'string', enum: ['sample', 'held'] },
    eventId: { type: 'string', description: 'Absent for a sample.' },
    duplicate: { type: 'boolean', description: 'Whether the event id was known before.' },
  },
  ['success'],
);

const receiving = (failures: ErrorResponses): Json => ({
  summary: 'Receive an event from any sender',
  operationId: 'receiveEvent',
  tags: ['Receiving'],
  description:
    'The key in the path is the only credential. Before activation the payload is kept as a sample; while the ' +
    'webhook is paused the event is held. A 200 response means that the event is stored durably.',
  security: [],
  parameters: [keyInPath],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: { type: ['object', 'array'] },
        example: { event: 'lead.created', lead: { id: 'lead-7781', name: 'Ana Souza' } },
      },
    },
  },
  responses: {
    200: {
      description: 'Stored.',
      headers: requestId,
      content: {
        'application/json': {
          ...json(envelope(received))['application/json'],
          example: {
            status: true,
            message: 'Webhook received.',
            data: {
              success: true,
              eventId: '0198c2f5-0c44-7aa1-b3d7-6e1f2a9b8c70',
              duplicate: false,
            },
          },
        },
      },
    },
    ...failures.of([
      'invalid_key',
      'invalid_signature',
      'source_not_allowed',
      'rate_limited',
      'unsupported_media_type',
      'request_timeout',
      'body_too_large',
      'malformed_json',
      'invalid_body',
      'internal',
      'unavailable',
      'overloaded',
    ]),
  },
});

const nullable = (type: string): Json => ({ type: [type, 'null'] });
const receiptFields: Json = {
  externalId: nullable('string'),
  eventId: { type: 'string' },
  state: { type: 'string', enum: [...eventStates] },
  deliveries: {
    type: 'integer',
    minimum: 1,
    description: 'Number of deliveries, the first included.',
  },
  firstSeenAt: { type: 'string', format: 'date-time' },
  lastSeenAt: { type: 'string', format: 'date-time' },
  contactId: nullable('string'),
  chatId: nullable('string'),
  messageId: nullable('string'),
};

const count: Json = {
  type: 'integer',
  minimum: 1,
  maximum: 100,
  description: 'Number of events with this body; the newest is returned.',
};

type Asked = Readonly<Record<'summary' | 'operationId' | 'schema', string>> & {
  readonly parameter: Json;
};

/** What both ways of asking for a receipt have in common. */
const receipt = (failures: ErrorResponses, { parameter, schema, ...named }: Asked): Json => ({
  ...named,
  parameters: [keyInPath, parameter],
  tags: ['Receiving'],
  description:
    'For senders, before a retry after a timeout. The key in the path is the only credential. `not_found` means ' +
    'that a retry creates a new event.',
  security: [],
  responses: {
    200: {
      description: 'The state of the event.',
      headers: requestId,
      content: json(envelope({ $ref: `#/components/schemas/${schema}` })),
    },
    ...failures.of([
      'invalid_key',
      'source_not_allowed',
      'not_found',
      'rate_limited',
      'internal',
      'unavailable',
      'overloaded',
    ]),
  },
});

export const receivingSchemas: Json = {
  Receipt: object(receiptFields),
  BodyReceipt: object({ ...receiptFields, count }),
};

export const receivingPaths = (failures: ErrorResponses): Paths => ({
  '/v1/webhook/{keyapi}': { post: receiving(failures) },
  '/v1/webhook/{keyapi}/receipts/{externalId}': {
    get: receipt(failures, {
      summary: 'Read the state of an event by its external id',
      operationId: 'getReceipt',
      schema: 'Receipt',
      parameter: inPath('externalId', { type: 'string', minLength: 1 }, 'The sender’s event id.'),
    }),
  },
  '/v1/webhook/{keyapi}/receipts/by-body/{sha256}': {
    get: receipt(failures, {
      summary: 'Read the state of an event without an external id, by the SHA-256 of its body',
      operationId: 'getReceiptByBody',
      schema: 'BodyReceipt',
      parameter: inPath(
        'sha256',
        { type: 'string', pattern: '^[0-9a-fA-F]{64}$' },
        'SHA-256 of the raw body as sent, in hex.',
      ),
    }),
  },
});
