/**
 * The OpenAPI 3.1 document, made from the route table: the schemas in it are the ones that requests are checked by.
 * The receiving route answers for itself and is described here by hand.
 */
import { errorCatalogue, type ErrorCode } from '../base/errors.ts';
import { statusOf } from './errors.ts';
import type { Route } from './route.ts';
import { mappingDocument } from './routes/mappings.ts';

type Json = Readonly<Record<string, unknown>>;
type MappingSchemas = (refPrefix: string) => Readonly<Record<string, unknown>>;

const prefix = '#/components/schemas/';
const json = (schema: unknown) => ({ 'application/json': { schema } });
const object = (properties: Json, required = Object.keys(properties)): Json => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const envelope = (data: unknown): Json =>
  object({ status: { const: true }, message: { type: 'string' }, data });

const errorEnvelope: Json = object({
  status: { const: false },
  message: { type: 'string', description: 'For people, in the language asked for.' },
  data: object(
    {
      success: { const: false },
      code: { type: 'string', enum: Object.keys(errorCatalogue) },
      requestId: { type: 'string' },
      fields: {
        type: 'array',
        items: object({ path: { type: 'string' }, message: { type: 'string' } }),
      },
      state: { type: 'string' },
      missing: { type: 'array', items: { type: 'string' } },
    },
    ['success', 'code', 'requestId'],
  ),
});

/** One response for each status, naming the codes that it may carry. */
function failures(codes: readonly ErrorCode[]): Json {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of codes) {
    const status = statusOf[errorCatalogue[code].kind];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, named]) => [
      status,
      { description: named.join(', '), content: json({ $ref: `${prefix}Error` }) },
    ]),
  );
}

function failuresOf({ params, query, body }: Route): Json {
  return failures([
    'invalid_token',
    'forbidden',
    ...(params ? (['not_found'] as const) : []),
    ...(query ? (['invalid_query'] as const) : []),
    ...(body ? bodyFailures : []),
    'internal',
    'unavailable',
  ]);
}

const bodyFailures = [
  'unsupported_media_type',
  'body_too_large',
  'malformed_json',
  'invalid_body',
  'invalid_field',
  'invalid_mapping',
  'conflict',
  'setup_incomplete',
  'invalid_transition',
] as const;

/** A copy without what only TypeScript sees; the mapping's place shows the mapping's own schema. */
function copied(schema: unknown): unknown {
  if (schema === mappingDocument) return { $ref: `${prefix}MappingDocument` };
  if (Array.isArray(schema)) return schema.map(copied);
  if (typeof schema !== 'object' || schema === null) return schema;
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !key.startsWith('~'))
      .map(([key, value]) => [key, copied(value)]),
  );
}

type Properties = { properties: Readonly<Record<string, Json>>; required?: readonly string[] };

function parameters(schema: Route['query'], place: 'path' | 'query'): unknown[] {
  if (!schema) return [];
  const { properties, required = [] } = schema as unknown as Properties;
  return Object.entries(properties).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(property.type === 'array' && { style: 'form', explode: false }),
    schema: copied(property),
  }));
}

function operation(route: Route): Json {
  const { method, path, summary, scope, status, answer, instead, body, action } = route;
  return {
    summary,
    operationId: `${method.toLowerCase()}${path.replaceAll(/[/:_-]+(\w?)/g, (_all, next: string) => next.toUpperCase())}`,
    description: `Scope: \`${scope}\`.`,
    security: [{ keyapi: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(body && { requestBody: { required: !action, content: json(copied(body)) } }),
    responses: {
      [status]: { description: 'As asked.', content: json(envelope(copied(answer))) },
      ...(instead && {
        [instead.status]: {
          description: 'As asked.',
          content: json(envelope(copied(instead.answer))),
        },
      }),
      ...failuresOf(route),
    },
  };
}

const receiving: Json = {
  summary: 'Receive an event from any sender',
  operationId: 'postV1WebhookKeyapi',
  description:
    'The key in the path is the only credential. Before activation the payload is kept as a sample; while the ' +
    'webhook is paused the event is held.',
  security: [],
  parameters: [{ name: 'keyapi', in: 'path', required: true, schema: { type: 'string' } }],
  requestBody: { required: true, content: json({ type: ['object', 'array'] }) },
  responses: {
    200: {
      description: 'Stored.',
      content: json(
        envelope(
          object(
            {
              success: { const: true },
              mode: { type: 'string', enum: ['sample', 'held'] },
              eventId: { type: 'string' },
              duplicate: { type: 'boolean' },
            },
            ['success'],
          ),
        ),
      ),
    },
    ...failures([
      'invalid_key',
      'unsupported_media_type',
      'body_too_large',
      'malformed_json',
      'invalid_body',
      'internal',
      'unavailable',
      'overloaded',
    ]),
  },
};

const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

export function describeApi(routes: readonly Route[], mappingSchemas: MappingSchemas): Json {
  const paths: Record<string, Record<string, Json>> = {
    '/v1/webhook/{keyapi}': { post: receiving },
  };
  for (const route of routes) {
    const path = (paths[templated(route.path)] ??= {});
    path[route.method.toLowerCase()] = operation(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Inlet',
      version: '1',
      description:
        'Inbound webhooks of any shape, each turned once into a contact, a chat and a message.',
    },
    paths,
    components: {
      securitySchemes: { keyapi: { type: 'apiKey', in: 'header', name: 'keyapi' } },
      schemas: { Error: errorEnvelope, ...mappingSchemas(prefix) },
    },
  };
}
