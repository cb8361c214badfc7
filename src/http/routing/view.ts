/**
 * Views: the fields of an answer, each with its schema and the function that reads it from the record. The schema of the
 * answer and the presenter both come from this one list.
 */
import { Type } from 'typebox';
import type { Static, TObject, TSchema } from 'typebox';

type Field<Source, Schema extends TSchema> = {
  readonly schema: Schema;
  readonly read: (source: Source) => Static<Schema>;
};

type Fields<Source> = Readonly<Record<string, Field<Source, TSchema>>>;
type SchemasOf<Given> = {
  [Name in keyof Given]: Given[Name] extends Field<never, infer Schema> ? Schema : never;
};

type View<Source, Answer extends TSchema> = {
  readonly answer: Answer;
  readonly present: (source: Source) => Static<Answer>;
};

/** Returns the constructor of fields of one type of record. */
export const fieldOf =
  <Source>() =>
  <Schema extends TSchema>(
    schema: Schema,
    read: (source: Source) => Static<Schema>,
  ): Field<Source, Schema> => ({ schema, read });

/** `Given` lists the fields in the order in which they are shown. */
export function createView<Source, Given extends Fields<Source>>(
  fields: Given & Fields<Source>,
): View<Source, TObject<SchemasOf<Given>>> {
  type Answer = TObject<SchemasOf<Given>>;
  const entries = Object.entries(fields);
  const schemas = Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]));
  const answer: TObject = Type.Object(schemas, { additionalProperties: false });
  const present = (source: Source): object =>
    Object.fromEntries(entries.map(([name, { read }]) => [name, read(source)]));
  return { answer: answer as Answer, present: present as View<Source, Answer>['present'] };
}

/** Returns the date in ISO 8601 (UTC), null for none. */
export const isoDate = (date: Date | null | undefined): string | null =>
  date?.toISOString() ?? null;
