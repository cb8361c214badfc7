/** Looks up the JSON Schema of mapping documents along a path: allowed parts and their messages. */

export type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
};

export type Schemas = Readonly<Record<string, Schema>>;
export type JsonPath = readonly (string | number)[];

const resolved = (schema: Schema | undefined, schemas: Schemas): Schema | undefined =>
  schema?.$ref === undefined ? schema : schemas[schema.$ref.split('/').at(-1) ?? ''];

/** Undefined when the schema defines nothing here. */
export function schemaAt(steps: JsonPath, schemas: Schemas): Schema | undefined {
  let schema: Schema | undefined = schemas.MappingDocument;
  for (const step of steps) {
    if (typeof step === 'number') schema = resolved(schema?.items, schemas);
    else schema = resolved(partOf(schema, step), schemas);
  }
  return schema;
}

function partOf(schema: Schema | undefined, name: string): Schema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const rest = schema?.additionalProperties;
  return typeof rest === 'object' ? rest : undefined;
}

/** Whether the schema forbids this property name. */
export const isUnknownPart = (schema: Schema | undefined, name: string): boolean =>
  schema?.additionalProperties === false &&
  !(schema.properties !== undefined && Object.hasOwn(schema.properties, name));

export const acceptsType = (schema: Schema | undefined, type: string): boolean =>
  schema?.type === type || (Array.isArray(schema?.type) && schema.type.includes(type));

/** The allowed texts, from an enum or from alternatives in a pattern. */
export function stringValuesOf(schema: Schema | undefined): string[] {
  if (schema?.enum) return schema.enum.map(String);
  const names = /^\^\(\?:([\w|-]+)\)\$$/.exec(schema?.pattern ?? '')?.[1];
  return names?.split('|') ?? [];
}

/** The message id of a part; custom fields have none. */
export function wordOf(steps: JsonPath): string | undefined {
  const name = steps.at(-1);
  if (typeof name !== 'string' || steps.at(-2) === 'fields') return undefined;
  const place = steps.length <= 2 && steps.every((step) => typeof step === 'string');
  return place ? steps.join('.') : inSource.has(name) ? `source.${name}` : undefined;
}

const inSource = new Set([
  'path',
  'root',
  'header',
  'query',
  'const',
  'first',
  'join',
  'with',
  'transforms',
  'default',
  'required',
]);
