/** Schemas that many routes share. */
import { Type } from 'typebox';
import type { TProperties, TSchema } from 'typebox';
import { pagings } from '../requests/query.ts';

const uuid = '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$';
export const id = Type.String({ pattern: uuid, description: 'A UUID.' });
export const time = Type.String({ format: 'date-time', description: 'UTC.' });
export const text = Type.String();
export const count = Type.Integer({ minimum: 0 });

export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

/** An object without additional properties. */
export const strictObject = <Fields extends TProperties>(fields: Fields) =>
  Type.Object(fields, { additionalProperties: false });

export const stringMap = Type.Record(Type.String(), Type.String());

/** A name: 1 to 100 characters, not all blank. */
export const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

/** Any JSON value. */
export const anyValue = Type.Unknown();

export const pageSchema = <Item extends TSchema>(item: Item) =>
  strictObject({ pagings, results: Type.Array(item) });

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
