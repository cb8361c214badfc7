/**
 * Views: the fields of an answer, each with its schema. A field is read from the record by its name, as far as its schema
 * goes, and `id` from `_id`; or by a function of its own. The schema of the answer and the presenter both come from this
 * one list. A view is a resource.
 */
import { Type } from 'typebox';
import type { Static, TObject, TSchema } from 'typebox';
import type { Language } from '../../base/texts/texts.ts';
import { resource, type Resource } from './resource.ts';

type OwnField<Source, Schema extends TSchema> = {
  readonly schema: Schema;
  readonly read: (source: Source, language: Language) => Static<Schema>;
};

/** What a field may be in the record: what is shown as null may be absent. */
type Stored<Value> = Value extends null
  ? null | undefined
  : Value extends Date
    ? Date
    : Value extends readonly (infer Item)[]
      ? readonly Stored<Item>[]
      : Value extends object
        ? StoredObject<Value>
        : Value;
type StoredObject<Value> = {
  readonly [Name in keyof Value as null extends Value[Name] ? never : Name]: Stored<Value[Name]>;
} & {
  readonly [Name in keyof Value as null extends Value[Name] ? Name : never]?: Stored<Value[Name]>;
};
type KeyOf<Source, Name> = Name extends 'id' ? ('_id' extends keyof Source ? '_id' : 'id') : Name;
type StoredAt<Source, Key> = Key extends keyof Source ? Source[Key] : undefined;

type Fields<Source> = Readonly<Record<string, TSchema | OwnField<Source, TSchema>>>;
type SchemaOf<Given> =
  Given extends OwnField<never, infer Schema> ? Schema : Given extends TSchema ? Given : never;
type SchemasOf<Given> = { [Name in keyof Given]: SchemaOf<Given[Name]> };
/** `never` for a field that the record does not have in this form. */
type Readable<Source, Given> = {
  [Name in keyof Given]: Given[Name] extends OwnField<never, TSchema>
    ? unknown
    : StoredAt<Source, KeyOf<Source, Name>> extends Stored<Static<SchemaOf<Given[Name]>>>
      ? unknown
      : never;
};

/** Returns the constructors of views of one type of record, and of fields with a function of their own. */
export const viewsOf = <Source>() => ({
  field: <Schema extends TSchema>(
    schema: Schema,
    read: OwnField<Source, Schema>['read'],
  ): OwnField<Source, Schema> => ({ schema, read }),

  /** `fields` are in the order in which they are shown. `untagged`: as in a resource. */
  view<Given extends Fields<Source>>(
    this: void,
    fields: Given & Readable<Source, Given>,
    { untagged = [] }: { readonly untagged?: readonly (keyof Given & string)[] } = {},
  ): Resource<Source, TObject<SchemasOf<Given>>> {
    type Answer = TObject<SchemasOf<Given>>;
    const entries = Object.entries<Fields<Source>[string]>(fields).map(([name, given]) => ({
      name,
      ...('read' in given
        ? (given as OwnField<Source, TSchema>)
        : { schema: given, read: (source: Source) => shownAt(source as object, name, given) }),
    }));
    const schemas = Object.fromEntries(entries.map(({ name, schema }) => [name, schema]));
    const answer: TObject = Type.Object(schemas, { additionalProperties: false });
    return resource<Source, Answer>({
      answer: answer as Answer,
      present: (source, language) =>
        Object.fromEntries(
          entries.map(({ name, read }) => [name, read(source, language)]),
        ) as Static<Answer>,
      untagged: untagged as never[],
    });
  },
});

type Shape = {
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly anyOf?: readonly TSchema[];
};

const shownAt = (source: object, name: string, schema: TSchema): unknown => {
  const key = name === 'id' && '_id' in source ? '_id' : name;
  return shown((source as Readonly<Record<string, unknown>>)[key], schema);
};

/** Copies the members that the schema names. What is absent is null, unless the schema makes it optional. */
function shown(value: unknown, schema: TSchema): unknown {
  if (value === undefined || value === null) return Type.IsOptional(schema) ? undefined : null;
  const { properties, items, anyOf = [] } = schema as Shape;
  const [branch, ...others] = anyOf.filter((one) => !Type.IsNull(one));
  if (branch && others.length === 0) return shown(value, branch);
  if (items && Array.isArray(value)) return value.map((item) => shown(item, items));
  if (!properties) return value;
  return Object.fromEntries(
    Object.entries(properties).map(([name, one]) => [name, shownAt(value as object, name, one)]),
  );
}
