/**
 * The schemas of routes as named components, each once.
 *
 * The code shares a schema by sharing the object; the document shares it by name: the one that a route gives, or the name of the
 * first operation with it. An answer comes before the result of a list, and both before what is named after an operation.
 */
import type { Route } from '../routing/route.ts';
import { mappingDocument } from '../routing/schemas.ts';

export type Json = Readonly<Record<string, unknown>>;
export const prefix = '#/components/schemas/';

type Shape = { readonly properties?: Readonly<Record<string, Shape>>; readonly items?: Shape };

const isNamed = (schema: unknown): schema is Shape & object => {
  const { properties = {} } = (schema ?? {}) as Shape;
  return Object.keys(properties).length > 0 && schema !== mappingDocument;
};

const typeNameOf = ({ operationId }: Route): string =>
  operationId.slice(0, 1).toUpperCase() + operationId.slice(1);

const itemOf = (answer: Shape): Shape | undefined => answer.properties?.results?.items;

function nameSchemas(routes: readonly Route[]): Map<object, string> {
  const names = new Map<object, string>();
  const taken = new Set<string>();
  const give = (schema: unknown, name: string): void => {
    if (!isNamed(schema) || names.has(schema)) return;
    if (taken.has(name)) throw new Error(`Two schemas of the API have the name ${name}.`);
    names.set(schema, name);
    taken.add(name);
  };
  for (const { schemaName, answer } of routes) {
    if (schemaName && !itemOf(answer as Shape)) give(answer, schemaName);
  }
  for (const { schemaName, answer } of routes) {
    if (schemaName) give(itemOf(answer as Shape), schemaName);
  }
  for (const route of routes) {
    const name = typeNameOf(route);
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
