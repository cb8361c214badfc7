/**
 * The JSON Schema (2020-12) of the mapping document.
 *
 * Built once from the registry of transforms. `properties` takes exactly the keys of the domain types, so the schema and
 * the types have the same parts.
 */
import type {
  ConstSource,
  ContactMapping,
  ContextMapping,
  FirstSource,
  FormerMapping,
  HeaderSource,
  JoinSource,
  MappingDocument,
  MessageMapping,
  PathSource,
  QuerySource,
  TemplateSource,
} from '../../domain/mappings/mapping.ts';
import { maxExpressionLength } from '../expressions/expression.ts';
import type { JsonSchema } from '../transforms/transform.ts';
import { maxTemplateLength } from '../transforms/template-text.ts';
import { transforms } from '../transforms/registry.ts';

const maxFields = 100;
const maxLabels = 50;
const maxParts = 20;
const maxTransforms = 20;
const maxConstLength = 4_096;

type Flat<Type> = Record<keyof Type, JsonSchema>;
type AnySource = PathSource &
  HeaderSource &
  QuerySource &
  ConstSource &
  FirstSource &
  JoinSource &
  TemplateSource;

type MappingSchemas = Record<'MappingDocument' | 'Source' | 'IdSource' | 'Transform', JsonSchema>;

const object = (properties: Record<string, JsonSchema>, rest: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  properties,
  additionalProperties: false,
  ...rest,
});

const properties = <Type>(flat: Flat<Type>): Record<string, JsonSchema> => flat;

const expression: JsonSchema = { type: 'string', minLength: 1, maxLength: maxExpressionLength };
const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 200 };
const scalar: JsonSchema = { type: ['string', 'number', 'boolean'], maxLength: maxConstLength };

const idSourceKinds = ['path', 'header', 'query', 'const', 'first', 'join'] as const;
export const sourceKinds = [...idSourceKinds, 'template'] as const;

/** `refPrefix` is `#/$defs/`, or `#/components/schemas/` in an OpenAPI document. */
export function mappingSchemas(refPrefix: string): MappingSchemas {
  const ref = (schema: keyof MappingSchemas): JsonSchema => ({ $ref: `${refPrefix}${schema}` });
  return {
    MappingDocument: documentSchema(ref('Source'), ref('IdSource')),
    Source: sourceSchema(ref('Source'), ref('Transform')),
    IdSource: idSourceSchema(ref('IdSource'), ref('Transform')),
    Transform: transformSchema(),
  };
}

function documentSchema(source: JsonSchema, idSource: JsonSchema): JsonSchema {
  const fields: JsonSchema = {
    type: 'object',
    propertyNames: {
      type: 'string',
      minLength: 1,
      maxLength: 64,
      pattern: '^[^\\u0000-\\u001f]+$',
    },
    additionalProperties: source,
    maxProperties: maxFields,
  };
  const contact = properties<ContactMapping>({
    externalId: source,
    name: source,
    phone: source,
    email: source,
    document: source,
    fields,
    former: object(
      properties<FormerMapping>({
        externalId: source,
        phone: source,
        email: source,
        document: source,
      }),
    ),
  });
  const labels: JsonSchema = { type: 'array', items: source, maxItems: maxLabels };
  const context = properties<ContextMapping>({
    origin: source,
    campaign: source,
    labels,
    sector: source,
    fields,
  });
  return object(
    properties<MappingDocument>({
      split: expression,
      filter: expression,
      removal: expression,
      eventId: idSource,
      eventType: source,
      eventDate: source,
      contact: object(contact),
      message: object(properties<MessageMapping>({ text: source })),
      context: object(context),
    }),
  );
}

function sourceProperties(inner: JsonSchema, transform: JsonSchema): Flat<AnySource> {
  const parts: JsonSchema = { type: 'array', items: inner, minItems: 1, maxItems: maxParts };
  return {
    path: expression,
    root: { type: 'boolean' },
    header: name,
    query: name,
    const: scalar,
    first: parts,
    join: parts,
    with: { type: 'string', maxLength: 32 },
    parts: { type: 'boolean' },
    template: { type: 'string', minLength: 1, maxLength: maxTemplateLength },
    transforms: { type: 'array', items: transform, maxItems: maxTransforms },
    default: scalar,
    required: { type: 'boolean' },
  };
}

const exactlyOneOf = (kinds: readonly string[]): JsonSchema => ({
  oneOf: kinds.map((kind) => ({ properties: { [kind]: {} }, required: [kind] })),
  dependentRequired: { root: ['path'], with: ['join'], parts: ['join'] },
});

const sourceSchema = (inner: JsonSchema, transform: JsonSchema): JsonSchema =>
  object(sourceProperties(inner, transform), exactlyOneOf(sourceKinds));

// A default would give many events the same id, and all but the first would be duplicates. So would a template whose fields
// are partly absent.
function idSourceSchema(inner: JsonSchema, transform: JsonSchema): JsonSchema {
  const {
    default: _,
    template: _template,
    parts: _parts,
    ...allowed
  } = sourceProperties(inner, transform);
  return object(allowed, exactlyOneOf(idSourceKinds));
}

// Each keyword applies to one type: `pattern` to a transform's name, `properties` to a name with options.
function transformSchema(): JsonSchema {
  const all = [...transforms.values()];
  const byName = all.filter(({ options }) => options.required === undefined);
  return {
    type: ['string', 'object'],
    pattern: `^(?:${byName.map((transform) => transform.name).join('|')})$`,
    properties: Object.fromEntries(all.map((each) => [each.name, each.options])),
    additionalProperties: false,
    minProperties: 1,
    maxProperties: 1,
  };
}
