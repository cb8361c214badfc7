/** The texts of what a schema's validator found, by its keyword. A keyword without a text keeps the validator's English. */
import { textWith, type PublicText } from './texts.ts';

/** The part of the validator's error that its text needs. */
type SchemaError = {
  readonly keyword: string;
  readonly message?: string;
  readonly params: Readonly<Record<string, unknown>>;
};

const limits = {
  minLength: 'field.min_length',
  maxLength: 'field.max_length',
  minItems: 'field.min_items',
  maxItems: 'field.max_items',
  minProperties: 'field.min_properties',
  maxProperties: 'field.max_properties',
  minimum: 'field.minimum',
  maximum: 'field.maximum',
  exclusiveMinimum: 'field.exclusive_minimum',
  exclusiveMaximum: 'field.exclusive_maximum',
} as const;
const plain = { const: 'field.const', anyOf: 'field.any_of', oneOf: 'field.one_of' } as const;

const isIn = <Names extends object>(names: Names, name: PropertyKey): name is keyof Names =>
  Object.hasOwn(names, name);

export function schemaText({ keyword, message, params }: SchemaError): PublicText {
  const value = (name: string): string => String(params[name]);
  if (isIn(limits, keyword)) return textWith(limits[keyword], { limit: value('limit') });
  if (isIn(plain, keyword)) return plain[keyword];
  switch (keyword) {
    case 'required':
      return textWith('field.part_missing', { name: value('missingProperty') });
    case 'enum':
      return textWith('field.not_allowed', { choices: [params.allowedValues].flat().join(', ') });
    case 'type':
      return textWith('field.type', { type: value('type') });
    case 'format':
      return textWith('field.format', { format: value('format') });
    case 'pattern':
      return textWith('field.pattern', { pattern: value('pattern') });
    case 'uniqueItems':
      return textWith('field.unique_items', { i: value('i'), j: value('j') });
    default:
      return message === undefined ? 'field.invalid' : textWith('verbatim', { text: message });
  }
}
