/** Collections: each method runs one command of the driver by `runCommand`. */
import type { mongo } from 'mongoose';
import type { MongodbCommand } from '../../base/observability/metrics.ts';
import { runCommand, type CommandBounds, type CommandTarget } from './command.ts';
import { databaseOf, type Connection, type Session } from './connection.ts';
import { Cursor } from './cursor.ts';

type Stored = { _id: string };
type Filter<Doc> = mongo.Filter<Doc>;
type Update<Doc> = mongo.UpdateFilter<Doc> | mongo.Document[];

/** `signal` is accepted by every command, although some types of the driver lack it. */
type Own = { readonly session?: Session; readonly signal?: AbortSignal };
type With<Options> = Omit<Options, keyof Own> & Own;

/** Returns the native driver's collection, whose commands are not bounded and not measured. */
export const nativeCollection = <Doc extends Stored>(connection: Connection, name: string) =>
  databaseOf(connection).collection<Doc>(name);

/** Returns the collection. One file owns each collection and defines its type. */
export const collectionOf = <Doc extends Stored>(connection: Connection, name: string) =>
  new Collection<Doc>(connection, name);

export class Collection<Doc extends Stored> {
  readonly driver: mongo.Collection<Doc>;
  private readonly connection: Connection;
  private readonly withinMs: number | undefined;

  /** `withinMs`: of each command and each batch. */
  constructor(connection: Connection, name: string, withinMs?: number) {
    this.driver = nativeCollection<Doc>(connection, name);
    this.connection = connection;
    this.withinMs = withinMs;
  }

  findOne<Found = Doc>(filter: Filter<Doc>, options: With<mongo.FindOneOptions> = {}) {
    return this.run('find', options, (bounded) => this.driver.findOne<Found>(filter, bounded));
  }

  find<Found extends object = Doc>(
    filter: Filter<Doc> = {},
    options: With<mongo.FindOptions> = {},
  ) {
    return this.cursor('find', options, (bounded) => this.driver.find<Found>(filter, bounded));
  }

  aggregate<Found extends object>(
    pipeline: mongo.Document[],
    options: With<mongo.AggregateOptions> = {},
  ) {
    return this.cursor('aggregate', options, (bounded) =>
      this.driver.aggregate<Found>(pipeline, bounded),
    );
  }

  countDocuments(filter: Filter<Doc> = {}, options: With<mongo.CountDocumentsOptions> = {}) {
    return this.run('aggregate', options, (bounded) => this.driver.countDocuments(filter, bounded));
  }

  /** By the metadata of the collection. */
  estimatedDocumentCount(options: With<mongo.EstimatedDocumentCountOptions> = {}) {
    return this.run('aggregate', options, (bounded) => this.driver.estimatedDocumentCount(bounded));
  }

  distinct<Value = string>(
    path: string,
    filter: Filter<Doc> = {},
    options: With<mongo.DistinctOptions> = {},
  ): Promise<Value[]> {
    return this.run('distinct', options, (bounded) => this.driver.distinct(path, filter, bounded));
  }

  insertOne(document: Doc, options: With<mongo.InsertOneOptions> = {}) {
    return this.run('insert', options, (bounded) =>
      this.driver.insertOne(document as mongo.OptionalUnlessRequiredId<Doc>, bounded),
    );
  }

  insertMany(documents: readonly Doc[], options: With<mongo.BulkWriteOptions> = {}) {
    return this.run('insert', options, (bounded) =>
      this.driver.insertMany(documents as readonly mongo.OptionalUnlessRequiredId<Doc>[], bounded),
    );
  }

  updateOne(filter: Filter<Doc>, update: Update<Doc>, options: With<mongo.UpdateOptions> = {}) {
    return this.run('update', options, (bounded) => this.driver.updateOne(filter, update, bounded));
  }

  updateMany(filter: Filter<Doc>, update: Update<Doc>, options: With<mongo.UpdateOptions> = {}) {
    return this.run('update', options, (bounded) =>
      this.driver.updateMany(filter, update, bounded),
    );
  }

  replaceOne(filter: Filter<Doc>, document: Doc, options: With<mongo.ReplaceOptions> = {}) {
    return this.run('update', options, (bounded) =>
      this.driver.replaceOne(filter, document as mongo.WithoutId<Doc>, bounded),
    );
  }

  deleteOne(filter: Filter<Doc>, options: With<mongo.DeleteOptions> = {}) {
    return this.run('delete', options, (bounded) => this.driver.deleteOne(filter, bounded));
  }

  deleteMany(filter: Filter<Doc>, options: With<mongo.DeleteOptions> = {}) {
    return this.run('delete', options, (bounded) => this.driver.deleteMany(filter, bounded));
  }

  findOneAndUpdate(
    filter: Filter<Doc>,
    update: Update<Doc>,
    options: With<mongo.FindOneAndUpdateOptions> = {},
  ): Promise<Doc | null> {
    return this.run('findAndModify', options, (bounded) =>
      this.driver.findOneAndUpdate(filter, update, bounded),
    ) as Promise<Doc | null>;
  }

  findOneAndDelete(
    filter: Filter<Doc>,
    options: With<mongo.FindOneAndDeleteOptions> = {},
  ): Promise<Doc | null> {
    return this.run('findAndModify', options, (bounded) =>
      this.driver.findOneAndDelete(filter, bounded),
    ) as Promise<Doc | null>;
  }

  bulkWrite(
    operations: readonly mongo.AnyBulkWriteOperation<Doc>[],
    options: With<mongo.BulkWriteOptions> = {},
  ) {
    return this.run('bulk', options, (bounded) => this.driver.bulkWrite(operations, bounded));
  }

  private run<Options extends Own, Result>(
    command: MongodbCommand,
    options: Options,
    send: (bounded: Options & CommandBounds) => Promise<Result>,
  ): Promise<Result> {
    return runCommand(this.target(options), command, (bounds) => send({ ...options, ...bounds }));
  }

  private cursor<Options extends Own, Found>(
    command: MongodbCommand,
    options: Options,
    open: (bounded: Options & CommandBounds) => mongo.AbstractCursor<Found>,
  ): Cursor<Found> {
    return new Cursor(this.target(options), command, (bounds) => open({ ...options, ...bounds }));
  }

  private target({ session, signal }: Own): CommandTarget {
    return { connection: this.connection, session, signal, withinMs: this.withinMs };
  }
}
