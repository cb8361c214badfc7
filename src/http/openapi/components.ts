/**
 * The schemas of routes as named components, each once.
 *
 * The code shares a schema by sharing the object; the document shares it by name. The answer of a single resource and the
 * items of its list are named after the resource, other schemas after their operation.
 */
import type { Route } from '../routing/route.ts';
import { mappingDocument } from '../routing/schemas.ts';
import { operationIdOf, resourceNameOf, typeNameOf } from './operation-names.ts';

export type Json = Readonly<Record<string, unknown>>;
export const prefix = '#/components/schemas/';

type Shape = { readonly properties?: Readonly<Record<string, Shape>>; readonly items?: Shape };

const isNamed = (schema: unknown): schema is Shape & object => {
  const { properties = {} } = (schema ?? {}) as Shape;
  return Object.keys(properties).length > 0 && schema !== mappingDocument;
};

const itemOf = (answer: Shape): Shape | undefined => answer.properties?.results?.items;

function nameSchemas(routes: readonly Route[]): Map<object, string> {
  const names = new Map<object, string>();
  const taken = new Set<string>();
  const give = (schema: unknown, name: string): void => {
    if (!isNamed(schema) || names.has(schema)) return;
    const free = taken.has(name) ? `${name}Answer` : name;
    names.set(schema, free);
    taken.add(free);
  };
  const reads = routes.filter(({ method, stream }) => method === 'GET' && !stream);
  for (const { path, answer } of reads) {
    const isOne = /:\w+$/.test(path) && !itemOf(answer as Shape);
    if (isOne) give(answer, resourceNameOf(path));
  }
  for (const { path, answer } of reads) {
    const item = itemOf(answer as Shape);
    const name = resourceNameOf(path);
    give(item, taken.has(name) ? `${name}Summary` : name);
  }
  for (const route of routes) {
    const name = typeNameOf(operationIdOf(route, routes));
    if (!itemOf(route.answer as Shape)) give(route.answer, `${name}Answer`);
    give(route.alternative?.answer, `${name}Preview`);
    give(route.body, `${name}Body`);
  }
  return names;
}

export type Components = {
  /** Returns the schema for the document: a reference if it has a name. */
  readonly show: (schema: unknown) => unknown;
  readonly schemas: () => Json;
};

export function createComponents(routes: readonly Route[]): Components {
  const names = nameSchemas(routes);

  /** Copies a schema without keys for TypeScript only, and with the mapping's own schema for mappings. */
  function copied(schema: unknown, { isDefinition = false } = {}): unknown {
    if (schema === mappingDocument) return { $ref: `${prefix}MappingDocument` };
    if (Array.isArray(schema)) return schema.map((one) => copied(one));
    if (typeof schema !== 'object' || schema === null) return schema;
    const name = names.get(schema);
    if (name && !isDefinition) return { $ref: prefix + name };
    return Object.fromEntries(
      Object.entries(schema)
        .filter(([key]) => !key.startsWith('~'))
        .map(([key, value]) => [key, copied(value)]),
    );
  }

  return {
    show: (schema) => copied(schema),
    schemas: () =>
      Object.fromEntries(
        [...names].map(([schema, name]) => [name, copied(schema, { isDefinition: true })]),
      ),
  };
}
