/**
 * Updates many documents of one collection within a transaction: one statement for all changes that set the same fields, which costs
 * MongoDB two thirds of a statement for each document.
 */
import { isDeepStrictEqual } from 'node:util';
import { groupBy } from '../../base/group-by.ts';
import { nativeCollection } from './collection.ts';
import { runCommand } from './command.ts';
import { idIndex, literal, valueById } from './queries.ts';
import type { Connection, Session } from './connection.ts';

export type Change = {
  readonly _id: string;
  /** Values by path. A path contains no field name from outside that has a dot or begins with a dollar sign. */
  readonly set: Readonly<Record<string, unknown>>;
};

export type Common = {
  /** Further conditions that each document must meet. */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Expressions by field. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly unset?: readonly string[];
};

type Target = { readonly connection: Connection; readonly session: Session };

/** A field of the update that holds the document's own values, and is removed by the last stage. */
const ownField = 'own';

/** Returns the number of documents that were found. */
export async function updateByShape(
  target: Target,
  collection: string,
  { changes, ...common }: Common & { readonly changes: readonly Change[] },
): Promise<number> {
  let matched = 0;
  for (const group of groupBy(changes, shapeOf).values()) {
    const { matchedCount } = await runCommand(target, 'update', (options) =>
      nativeCollection(target.connection, collection).updateMany(
        { _id: { $in: group.map(({ _id }) => _id) }, ...common.where },
        stagesOf(group, common),
        { ...options, hint: idIndex },
      ),
    );
    matched += matchedCount;
  }
  return matched;
}

const shapeOf = ({ set }: Change): string => Object.keys(set).join('\n');

/** Above it, one stage that looks up all values of a document at once costs less than a look-up for each. */
const maxLookUps = 2;

function stagesOf(group: readonly Change[], { set = {}, unset = [] }: Common) {
  const paths = Object.keys(group[0]?.set ?? {});
  const own = paths.filter((path) => !isUniform(path, group));
  const same = paths
    .filter((path) => !own.includes(path))
    .map((path) => [path, literal(group[0]?.set[path] ?? null)] as const);
  const valuesOf = (some: readonly string[]) =>
    group.map(({ _id, set: given }) => [_id, some.map((path) => given[path] ?? null)] as const);
  if (own.length <= maxLookUps) {
    const removed = unset.map((field) => [field, '$$REMOVE'] as const);
    const lookedUp = own.map((path) => {
      const values = valuesOf([path]).map(([id, [value]]) => [id, value] as const);
      return [path, valueById(new Map(values))] as const;
    });
    return [{ $set: { ...Object.fromEntries([...same, ...lookedUp, ...removed]), ...set } }];
  }
  // Values by their place, because a path is no field name.
  const written = own.map((path, at) => [path, { $arrayElemAt: [`$${ownField}`, at] }] as const);
  return [
    { $set: { [ownField]: valueById(new Map(valuesOf(own))) } },
    { $set: { ...Object.fromEntries([...same, ...written]), ...set } },
    { $unset: [ownField, ...unset] },
  ];
}

const isUniform = (path: string, group: readonly Change[]): boolean =>
  group.every(({ set }) => isDeepStrictEqual(set[path], group[0]?.set[path]));
