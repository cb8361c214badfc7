/** Schemas that many routes share. */
import { Type } from 'typebox';
import type { TObjectOptions, TProperties, TSchema, TSchemaOptions } from 'typebox';

const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
/** Whether the text is an id of ours. */
export const isId = (text: string): boolean => new RegExp(uuid).test(text);
export const id = Type.String({ pattern: uuid, description: 'A UUID.' });
/** A time in an answer, which JSON writes in ISO 8601 (UTC). */
export const time = Type.Unsafe<Date>({
  type: 'string',
  format: 'date-time',
  description: 'UTC.',
});
/** A time in a request. */
export const timeText = Type.String({ format: 'date-time', description: 'UTC.' });
export const text = Type.String();
export const count = Type.Integer({ minimum: 0 });

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** An object without additional properties. */
export const strictObject = <Fields extends TProperties>(
  fields: Fields,
  options?: TObjectOptions,
) => Type.Object(fields, { additionalProperties: false, ...options });

/** A change of some fields: each is optional, and at least one is given. */
export const changeObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Partial(Type.Object(fields), { additionalProperties: false, minProperties: 1 });

/** A string that is one of `words`. */
export const stringEnum = <Word extends string>(words: readonly Word[], options?: TSchemaOptions) =>
  Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options });

/** An optional boolean. */
export const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

/** The body of a request that needs none: absent, or an object without fields. */
export const emptyBody = { body: strictObject({}), allowsEmptyBody: true } as const;

/** The answer of a request that has nothing to tell: `{}`. */
export const nothing = Type.Unsafe<void>(strictObject({}));

export const stringMap = Type.Record(Type.String(), Type.String());

/** Fields of a contact by name. */
export const contactFields = (value: TSchema) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: 200 },
    maxProperties: 100,
    additionalProperties: value,
  });

/** Validated by the schema of its kind. */
export const anySettings = Type.Record(Type.String(), Type.Unknown());

/** A new object each time: the OpenAPI document names it after its operation. */
export const testResult = () =>
  strictObject({ outcome: stringEnum(['delivered', 'failed']), reason: nullable(text) });

export { name } from '../../domain/schemas.ts';

/** Any JSON value. */
export const anyValue = Type.Unknown();

export const idParams = strictObject({ id });

/** A mapping version in a path. */
export const versionParam = Type.String({ pattern: '^[1-9][0-9]{0,8}$' });

/** A payload: either `body` or `rawBody`. */
export const payload = Type.Object(
  {
    body: Type.Optional(
      Type.Unsafe<unknown>({
        type: ['object', 'array'],
        description: 'As JSON; either this or `rawBody`.',
      }),
    ),
    rawBody: Type.Optional(Type.String({ description: 'The body as UTF-8 text.' })),
    contentType: Type.Optional(
      Type.String({ maxLength: 256, description: 'Default: `application/json`.' }),
    ),
    headers: Type.Optional(stringMap),
    query: Type.Optional(stringMap),
  },
  {
    additionalProperties: false,
    examples: [{ body: { lead: { name: 'Ana Souza', phone: '+5511987654321' } } }],
  },
);

/** What a mapping could not read, with a message in the language of the caller. */
export const mappingProblems = Type.Array(
  strictObject({ target: text, code: text, message: text }),
);

/** Validated by the mapping compiler, which reports more. The OpenAPI document shows the mapping's own schema. */
export const mappingDocument = Type.Unknown({ description: 'A mapping document.' });
