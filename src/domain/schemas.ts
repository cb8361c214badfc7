/** Parts of the schemas of settings. */
import { Type, type TProperties } from 'typebox';

export const strictObject = <Fields extends TProperties>(
  fields: Fields,
  options: { readonly minProperties?: number } = {},
) => Type.Object(fields, { additionalProperties: false, ...options });

/** An integer that may be left out. */
export const optionalInteger = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Type.Integer({ minimum, maximum, description }));
