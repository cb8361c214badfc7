/**
 * Test events and the records that they create. Collection `events`.
 *
 * Promises: a test event is stored with its audit row. It is deleted in one transaction with all records that it created. All
 * of these have the id of the test event in `test`, and no other record has this field. A worker that processes it at the same time
 * writes its outcome, so that one of the two conflicts.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, inTransaction, type Session, type Db } from '../db/connection.ts';
import { listIds, readList } from '../db/queries.ts';
import { deleteFilesOfChats } from '../chats/files.ts';
import type { Events } from '../events/state-change.ts';
import { addAuditRow } from '../audit/audit.ts';

/** Collections whose records have the id of a test event in `test`. */
const createdCollections = ['messages', 'chats', 'contacts', 'identities'] as const;

export const testEventIndexes = [
  ...indexesOf('events', {
    tests: {
      key: { webhookId: 1, receivedAt: -1, _id: -1 },
      where: { 'test.id': { $exists: true } },
    },
  }),
  ...createdCollections.flatMap((collection) =>
    indexesOf(collection, { tests: { key: { test: 1 }, where: { test: { $exists: true } } } }),
  ),
];

export type TestEvent = EventRecord & { readonly test: NonNullable<EventRecord['test']> };
type Test = { readonly _id: string; readonly webhookId: string };

type TestEventRemoval = Result<null, Failure<'not_found'>>;

const factsOf = ({ webhookId, mappingVersion, state, test }: EventRecord): AuditFacts => ({
  webhookId,
  mappingVersion,
  state,
  delivers: test?.delivers,
});

/** Matches the root event of a test and excludes its items. */
const rootEvent = { 'test.id': { $exists: true }, parentId: null } as const;

export function createTestEventStore(context: Db) {
  const { connection } = context;
  const events: Events = collectionOf<EventRecord>(connection, 'events');
  const remove = createTestEventRemoval(context);

  return {
    remove: (test: Test, actor: Actor): Promise<TestEventRemoval> =>
      inTransaction(connection, (session) => remove(test, actor, session)),

    create(event: TestEvent, actor: Actor): Promise<void> {
      return inTransaction(connection, async (session) => {
        await events.insertOne(event, { session });
        const target = { type: 'event', id: event._id } as const;
        const after = factsOf(event);
        await addAuditRow(context, { actor, action: 'event.test', target, after }, session);
      });
    },

    get: ({ _id, webhookId }: Test) => events.findOne({ _id, webhookId, ...rootEvent }),

    list: (webhookId: string, page: Page): Promise<Paged<EventRecord>> =>
      readList(events, {
        where: { webhookId, ...rootEvent },
        page,
        projection: { delivery: 0, timeline: 0 },
      }),
  };
}

export function createTestEventRemoval(context: Db) {
  const { connection } = context;
  const events: Events = collectionOf<EventRecord>(connection, 'events');
  const conflicts = collectionOf<{ _id: string; contactIds: string[] }>(connection, 'conflicts');
  const createdOf = (name: string) =>
    collectionOf<{ _id: string; test?: string }>(connection, name);

  /** Deletes a test event. */
  return async function remove(
    { _id, webhookId }: Test,
    actor: Actor,
    session: Session,
  ): Promise<TestEventRemoval> {
    const root = await events.findOne({ _id, webhookId, ...rootEvent }, { session });
    if (!root) return failure('not_found');
    actor.checkPrecondition?.(root);
    const rootAndItems = { $or: [{ _id }, { parentId: { $eq: _id, $type: 'string' as const } }] };
    await events.deleteMany(rootAndItems, { session });
    await removeCreated(_id, session);
    const target = { type: 'event', id: _id } as const;
    const before = factsOf(root);
    await addAuditRow(context, { actor, action: 'event.test_delete', target, before }, session);
    return success(null);
  };

  async function removeCreated(id: string, session: Session): Promise<void> {
    const ofTest = { test: { $eq: id, $exists: true } };
    const people = await listIds(createdOf('contacts'), ofTest, { session });
    await conflicts.deleteMany({ contactIds: { $in: people } }, { session });
    await deleteFilesOfChats(
      connection,
      await listIds(createdOf('chats'), ofTest, { session }),
      session,
    );
    for (const name of createdCollections) await createdOf(name).deleteMany(ofTest, { session });
  }
}
