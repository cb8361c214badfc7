/** Parts of the schemas of fields and settings. */
import { Type, type TProperties } from 'typebox';

export const strictObject = <Fields extends TProperties>(
  fields: Fields,
  options: { readonly minProperties?: number } = {},
) => Type.Object(fields, { additionalProperties: false, ...options });

/** A name: 1 to 100 characters, not all blank. */
export const name = Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' });

/** An integer that may be left out. */
export const optionalInteger = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));
