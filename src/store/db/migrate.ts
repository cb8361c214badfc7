/**
 * The migration: creates the indexes before the first request is accepted, because deduplication depends on the unique ones.
 *
 * Promises: any number of processes may run it at once; an index that matches its specification is not changed; uniqueness
 * holds during the replacement of a unique index.
 * Must never: delete a document. Documents that violate a unique index are listed for the operator.
 */
import { exitCodes } from '../../base/process/process.ts';
import { StartupError } from '../../base/process/startup.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { collectionOf, majorityWrite } from './connection.ts';
import { describeDuplicates } from './duplicates.ts';
import { isDuplicateKey } from './errors.ts';
import { collectionNames, toIndexDescription, isSameIndex, listIndexes } from './indexes.ts';
import { withLock } from './lock.ts';

/** Names as `collection.index`. */
type MigrationResult = { readonly created: string[]; readonly replaced: string[] };

type Step = {
  readonly connection: Connection;
  readonly migrated: MigrationResult;
  readonly blocked: string[];
};

/** Creates and replaces indexes, and returns their names. Rejects with StartupError if documents violate a unique index. */
export function migrate(
  connection: Connection,
  specs: readonly IndexSpec[],
  onWait: () => void = () => undefined,
): Promise<MigrationResult> {
  return withLock(connection, { name: 'migration', onWait }, async () => {
    const step: Step = { connection, migrated: { created: [], replaced: [] }, blocked: [] };
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

const interimOf = (name: string): string => `${name}_next`;

async function migrateCollection(
  step: Step,
  collection: string,
  specs: readonly IndexSpec[],
): Promise<void> {
  const stored = await listIndexes(step.connection, collection);
  if (stored.length === 0) await create(step.connection, collection);
  const named = (name: string) => stored.find((index) => index.name === name);
  await addMissing(
    step,
    specs.filter(({ name }) => !named(name)),
  );
  for (const spec of specs) {
    const there = named(spec.name);
    if (there && !isSameIndex(spec, there)) await replace(step, spec, there.unique === true);
    // An interrupted replacement leaves its guard index.
    else if (named(interimOf(spec.name))) await drop(step, spec, interimOf(spec.name));
  }
}

async function create(connection: Connection, collection: string): Promise<void> {
  const namespaceExists = 48;
  try {
    await connection.getClient().db(connection.name).createCollection(collection, majorityWrite);
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

const labelOf = ({ collection, name }: IndexSpec): string => `${collection}.${name}`;

type Wanted = Parameters<ReturnType<typeof collectionOf>['createIndexes']>[0];

async function build({ connection }: Step, specs: readonly IndexSpec[]): Promise<void> {
  const [first] = specs;
  if (!first) return;
  const wanted = specs.map(toIndexDescription) as unknown as Wanted;
  await collectionOf(connection, first.collection).createIndexes(wanted);
}

async function drop({ connection }: Step, { collection }: IndexSpec, name: string): Promise<void> {
  await collectionOf(connection, collection).dropIndex(name);
}

async function block({ connection, blocked }: Step, spec: IndexSpec): Promise<void> {
  const description = await describeDuplicates(connection, spec);
  blocked.push(description || `  ${labelOf(spec)}: the duplicate documents no longer exist.`);
}

/** The guard covers the same documents as the new index. The extra condition is needed: MongoDB rejects identical indexes. */
const guardOf = (spec: IndexSpec): IndexSpec => ({
  ...spec,
  name: interimOf(spec.name),
  where: { ...spec.where, _id: { $exists: true } },
});

/** A guard index enforces uniqueness while the old index is dropped and the new one is built. */
async function replace(step: Step, spec: IndexSpec, wasUnique: boolean): Promise<void> {
  if (spec.unique && (await describeDuplicates(step.connection, spec)) !== '') {
    await block(step, spec);
    return;
  }
  const isGuarded = spec.unique === true && wasUnique;
  if (isGuarded) await build(step, [guardOf(spec)]);
  await drop(step, spec, spec.name);
  await build(step, [spec]);
  if (isGuarded) await drop(step, spec, interimOf(spec.name));
  step.migrated.replaced.push(labelOf(spec));
}
