/**
 * The OpenAPI 3.1 document, generated from the route table: its schemas are those that validate requests.
 * The routes of senders are not in the table and are described by hand.
 */
import type { Route } from '../routing/route.ts';
import { createComponents, prefix, type Json } from './components.ts';
import { createErrorResponses, errorEnvelope } from './responses.ts';
import { createExamples } from './examples.ts';
import { describeOperation } from './operation.ts';
import { receivingPaths, receivingSchemas } from './sender-operations.ts';
import { tags } from './tags.ts';

type MappingSchemas = (refPrefix: string) => Readonly<Record<string, unknown>>;

const templated = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}');

const description =
  'Receives webhooks of any shape and turns each event exactly once into a contact, a chat and a message. Every response is an ' +
  'envelope with the value in `data`. `message` is human-readable and follows `Accept-Language` (en, pt-BR, es); `code` is ' +
  'machine-readable. Administration and inbox require a token in the header `keyapi`; senders use the path key of their URL.';

const mappingExample = {
  contact: { name: { path: 'lead.name' }, phone: { path: 'lead.phone', transforms: ['phone'] } },
};

export function createOpenApiDocument(
  routes: readonly Route[],
  mappingSchemas: MappingSchemas,
): Json {
  const components = createComponents(routes);
  const { MappingDocument, ...mappingParts } = mappingSchemas(prefix);
  const mapping = { ...(MappingDocument as Json), examples: [mappingExample] };
  const schemas: Json = {
    Error: errorEnvelope,
    ...components.schemas(),
    ...receivingSchemas,
    MappingDocument: mapping,
    ...mappingParts,
  };
  const failures = createErrorResponses();
  const examples = createExamples(schemas);
  const exampleOf = (schema: unknown, name?: string) => examples(components.show(schema), name);
  const paths: Record<string, Record<string, Json>> = { ...receivingPaths(failures) };
  for (const route of routes) {
    const path = (paths[templated(route.path)] ??= {});
    path[route.method.toLowerCase()] = describeOperation(route, {
      components,
      failures,
      exampleOf,
    });
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Inlet', version: '1', description, license },
    servers: [{ url: '/', description: 'This server.' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        keyapi: { type: 'apiKey', in: 'header', name: 'keyapi', description: 'A token.' },
      },
      responses: failures.shared(),
      schemas,
    },
  };
}

const license = { name: 'MIT', identifier: 'MIT' };
