/**
 * The migration: creates the indexes before the first request is accepted, because deduplication depends on the unique ones.
 *
 * Promises: any number of processes may run it at once; an index that matches its specification is not changed. A changed
 * unique index is built beside the old one, which a later migration drops once it finds no process of another version:
 * at no time does a running process miss the unique index that it knows.
 * Must never: delete a document. Documents that violate a unique index are listed for the operator.
 */
import { sha256 } from '../../base/ids.ts';
import { exitCodes } from '../../base/process/process.ts';
import { StartupError } from '../../base/process/startup.ts';
import { collectionOf } from './collection.ts';
import { databaseOf, type Connection, type IndexSpec } from './connection.ts';
import { isDuplicateKey } from './errors.ts';
import {
  collectionNames,
  isSameIndex,
  listIndexes,
  shapeOf,
  toIndexDescription,
  versionOfIndexes,
  type StoredIndex,
} from './indexes.ts';
import { QueryTooSlow, rejectTooSlow } from './queries.ts';
import { setsCollection } from '../sets/sets.ts';
import { mayOtherVersionRun } from '../maintenance/processes.ts';
import { withLock } from './lock.ts';

/** Names as `collection.index`. */
type MigrationResult = {
  readonly created: string[];
  readonly replaced: string[];
  /** Replaced by an earlier migration. */
  readonly dropped: string[];
};

type Step = {
  readonly connection: Connection;
  readonly migrated: MigrationResult;
  readonly blocked: string[];
  /** Of the unique indexes that this process relies on. */
  readonly version: string;
};

type IndexName = Pick<IndexSpec, 'collection' | 'name'>;

/** Creates and replaces indexes, and returns their names. Rejects with StartupError if documents violate a unique index. */
export function migrate(
  connection: Connection,
  specs: readonly IndexSpec[],
  onWait: () => void = () => undefined,
): Promise<MigrationResult> {
  return withLock(connection, { name: 'migration', onWait }, async () => {
    const step: Step = {
      connection,
      migrated: { created: [], replaced: [], dropped: [] },
      blocked: [],
      version: versionOfIndexes(specs),
    };
    // A transaction that creates a collection conflicts with others.
    if ((await listIndexes(connection, setsCollection)).length === 0)
      await create(connection, setsCollection);
    for (const name of collectionNames(specs)) {
      await migrateCollection(
        step,
        name,
        specs.filter(({ collection }) => collection === name),
      );
    }
    if (step.blocked.length > 0) {
      throw new StartupError(messageFor(step.blocked), { exitCode: exitCodes.blocked });
    }
    return step.migrated;
  });
}

const messageFor = (blocked: readonly string[]): string =>
  `Documents violate ${blocked.length} unique index(es), and nothing was deleted:\n` +
  `${blocked.join('\n')}\n` +
  'Look at each group, keep one document of it, move or delete the others, then run the migration again (npm run migrate).';

async function migrateCollection(step: Step, collection: string, specs: readonly IndexSpec[]) {
  const stored = await listIndexes(step.connection, collection);
  if (stored.length === 0) await create(step.connection, collection);
  const lacking = specs.filter((spec) => !stored.some((index) => isSameIndex(spec, index)));
  const isNameTaken = ({ name }: IndexSpec) => stored.some((index) => index.name === name);
  await addMissing(
    step,
    lacking.filter((spec) => !isNameTaken(spec)),
  );
  for (const spec of lacking.filter(isNameTaken)) await replace(step, spec);
  // Not in the migration that built the new index: a process of the old version may just not have been seen.
  if (lacking.length > 0) return;
  for (const { name } of outdatedIndexes(specs, stored)) await retire(step, { collection, name });
}

async function create(connection: Connection, collection: string): Promise<void> {
  const namespaceExists = 48;
  try {
    await databaseOf(connection).createCollection(collection);
  } catch (error) {
    if ((error as { code?: number }).code !== namespaceExists) throw error;
  }
}

/** Creates all indexes of a collection with one command, which reads the documents once. After a duplicate: one by one. */
async function addMissing(step: Step, specs: readonly IndexSpec[]): Promise<void> {
  const [first, ...others] = specs;
  if (!first) return;
  try {
    await build(step, specs);
    step.migrated.created.push(...specs.map(labelOf));
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    if (others.length === 0) await block(step, first);
    else for (const spec of specs) await addMissing(step, [spec]);
  }
}

const labelOf = ({ collection, name }: IndexName): string => `${collection}.${name}`;

/** Without a write concern, because building an index may take longer than its time limit. */
const bareCollection = (connection: Connection, name: string) =>
  connection.getClient().db(connection.name).collection(name);

type Wanted = Parameters<ReturnType<typeof bareCollection>['createIndexes']>[0];

async function build({ connection }: Step, specs: readonly IndexSpec[]): Promise<void> {
  const [first] = specs;
  if (!first) return;
  const wanted = specs.map(toIndexDescription) as unknown as Wanted;
  await bareCollection(connection, first.collection).createIndexes(wanted);
}

async function block({ connection, blocked }: Step, spec: IndexSpec): Promise<void> {
  const description = await describeDuplicates(connection, spec).catch((error: unknown) => {
    if (!(error instanceof QueryTooSlow)) throw error;
    return `  ${labelOf(spec)}: documents share what must be unique; there are too many to find examples.`;
  });
  blocked.push(description || `  ${labelOf(spec)}: the duplicate documents no longer exist.`);
}

/** Builds the new index of a unique one beside the old one. Any other index is dropped first, because it keeps its name. */
async function replace(step: Step, spec: IndexSpec): Promise<void> {
  if (!spec.unique) {
    await bareCollection(step.connection, spec.collection).dropIndex(spec.name);
    await build(step, [spec]);
  } else {
    try {
      await build(step, [{ ...spec, name: besideNameOf(spec) }]);
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      await block(step, spec);
      return;
    }
  }
  step.migrated.replaced.push(labelOf(spec));
}

const besideNameOf = (spec: IndexSpec): string =>
  `${spec.name}_${sha256(shapeOf(toIndexDescription(spec))).slice(0, 8)}`;

/** Returns the stored indexes that another version uses in place of these unique ones, which exist. */
function outdatedIndexes(specs: readonly IndexSpec[], stored: readonly StoredIndex[]) {
  const existing = specs.filter(
    (spec) => spec.unique && stored.some((index) => isSameIndex(spec, index)),
  );
  return stored.filter(
    (index) =>
      existing.some(({ name }) => index.name === name || isBesideName(name, index.name)) &&
      !existing.some((spec) => isSameIndex(spec, index)),
  );
}

const isBesideName = (name: string, stored: string): boolean =>
  stored.startsWith(`${name}_`) && /^[0-9a-f]{8}$/.test(stored.slice(name.length + 1));

/** Drops the index unless a process of another version may run, which relies on it. */
async function retire({ connection, version, migrated }: Step, index: IndexName): Promise<void> {
  if (await mayOtherVersionRun(connection, version)) return;
  await bareCollection(connection, index.collection).dropIndex(index.name);
  migrated.dropped.push(labelOf(index));
}

const maxExamples = 3;
const maxIds = 5;
/** Less than the time limit of a socket. */
const maxTimeMS = 25_000;

type Group = { readonly ids: readonly string[]; readonly size: number };
type Found = { readonly count: readonly { groups: number }[]; readonly examples: readonly Group[] };

/** Returns an empty string when there are none. Reads the whole collection, and lists ids only: values may be personal. */
async function describeDuplicates(connection: Connection, spec: IndexSpec): Promise<string> {
  const { collection, name, key, where } = spec;
  const fields = Object.keys(key);
  const grouped = Object.fromEntries(fields.map((field, n) => [`f${n}`, `$${field}`]));
  const [found] = await collectionOf(connection, collection)
    .aggregate<Found>(
      [
        { $match: where ?? {} },
        // An index has an entry for every element of a list.
        ...fields.map((field) => ({
          $unwind: { path: `$${field}`, preserveNullAndEmptyArrays: true },
        })),
        { $group: { _id: grouped, ids: { $addToSet: '$_id' } } },
        { $project: { size: { $size: '$ids' }, ids: { $slice: ['$ids', maxIds] } } },
        { $match: { size: { $gt: 1 } } },
        { $facet: { count: [{ $count: 'groups' }], examples: [{ $limit: maxExamples }] } },
      ],
      { allowDiskUse: true, maxTimeMS },
    )
    .toArray()
    .catch(rejectTooSlow);
  const groups = found?.count[0]?.groups ?? 0;
  if (groups === 0) return '';
  const examples = (found?.examples ?? []).map(({ ids, size }) => {
    const more = size > ids.length ? ` and ${size - ids.length} more` : '';
    return `    ${ids.join(', ')}${more}`;
  });
  return (
    `  ${collection}.${name} on ${fields.join(' and ')}: ${groups} group(s) of documents share what must be unique. ` +
    `Of _id, for example:\n${examples.join('\n')}`
  );
}
