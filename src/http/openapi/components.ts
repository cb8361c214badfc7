/**
 * The schemas of routes, each once, under a name.
 *
 * The code shares a shape by sharing the object; here it is shared by name. What a single thing is answered with is called
 * like the thing, its list's items too; everything else after its operation.
 */
import type { Route } from '../routing/route.ts';
import { mappingDocument } from '../webhook-routes/mappings.ts';
import { operationIdOf, resourceNameOf, typeNameOf } from './operation-names.ts';

export type Json = Readonly<Record<string, unknown>>;
export const prefix = '#/components/schemas/';

type Shape = { readonly properties?: Readonly<Record<string, Shape>>; readonly items?: Shape };

const isNamed = (schema: unknown): schema is Shape & object => {
  const { properties = {} } = (schema ?? {}) as Shape;
  return Object.keys(properties).length > 0 && schema !== mappingDocument;
};

/** The item that a page is a page of. */
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
  /** The schema as the document shows it: by reference where it has a name. */
  readonly show: (schema: unknown) => unknown;
  readonly schemas: () => Json;
};

export function createComponents(routes: readonly Route[]): Components {
  const names = nameSchemas(routes);

  /** Without what only TypeScript sees; the mapping's place shows the mapping's own schema. */
  function copied(schema: unknown, isDefinition = false): unknown {
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
      Object.fromEntries([...names].map(([schema, name]) => [name, copied(schema, true)])),
  };
}
