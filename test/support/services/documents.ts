// All documents of several collections, read by one command.
import { databaseOf, type Connection } from '../../../src/store/db/connection.ts';

export type Document = { readonly _id: string } & Record<string, unknown>;

export async function readCollections<Name extends string>(
  connection: Connection,
  names: readonly Name[],
): Promise<Record<Name, Document[]>> {
  const named = (of: string) => [{ $replaceWith: { of, document: '$$ROOT' } }];
  const [first = '', ...others] = names;
  const unions = others.map((coll) => ({ $unionWith: { coll, pipeline: named(coll) } }));
  const rows = await databaseOf(connection)
    .collection(first)
    .aggregate<{ of: Name; document: Document }>([...named(first), ...unions])
    .toArray();
  const documentsOf = (name: Name) => [
    name,
    rows.filter(({ of }) => of === name).map(({ document }) => document),
  ];
  return Object.fromEntries(names.map(documentsOf)) as Record<Name, Document[]>;
}
