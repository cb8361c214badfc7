/**
 * Test events, and everything that they created. Collection `events`.
 *
 * Promises: a test event is stored with its audit row; it is deleted with everything it created, or not at all. Everything that
 * a test creates has the id of its event in `test`, and no other record has one.
 * Must never: delete an event that a worker has claimed, because the worker would write on.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import type { IndexSpec } from '../db/connection.ts';
import { collectionOf, majorityRead } from '../db/connection.ts';
import type { Events } from '../events/collection.ts';
import { inTransaction, tieBreakDirection, mapStoreErrors, type Session } from '../db/model.ts';
import { countBounded, readCountedPage } from '../db/counted-page.ts';

/** What carries a test's id under `test`. */
const made = ['messages', 'chats', 'contacts', 'identities'] as const;

export const testEventIndexes: readonly IndexSpec[] = [
  {
    collection: 'events',
    name: 'tests',
    key: { webhookId: 1, receivedAt: -1, _id: -1 },
    where: { 'test.id': { $exists: true } },
  },
  ...made.map((collection) => ({
    collection,
    name: 'tests',
    key: { test: 1 } as const,
    where: { test: { $exists: true } },
  })),
];

export type TestEvent = EventRecord & { readonly test: NonNullable<EventRecord['test']> };
type Test = { readonly _id: string; readonly webhookId: string };

/** `processing`: a worker has claimed it. */
type TestEventRemoval = Result<null, Failure<'not_found' | 'processing'>>;

const factsOf = ({ webhookId, mappingVersion, state, test }: EventRecord): AuditFacts => ({
  webhookId,
  mappingVersion,
  state,
  delivers: test?.delivers,
});

/** The event that a test began with; its items are of it, not beside it. */
const beginning = { 'test.id': { $exists: true }, parentId: null } as const;

export function createTestEventStore(context: StoreContext) {
  const { connection, audit } = context;
  const events: Events = collectionOf<EventRecord>(connection, 'events');
  const remove = createTestEventRemoval(context);

  return mapStoreErrors({
    remove: (test: Test, actor: Actor): Promise<TestEventRemoval> =>
      inTransaction(connection, (session) => remove(test, actor, session)),

    create(event: TestEvent, actor: Actor): Promise<void> {
      return inTransaction(connection, async (session) => {
        await events.insertOne(event, { session });
        const target = { type: 'event', id: event._id } as const;
        const facts = { before: null, after: factsOf(event) };
        await audit.add({ actor, action: 'event.test', target, ...facts }, session);
      });
    },

    get: ({ _id, webhookId }: Test): Promise<EventRecord | null> =>
      events.findOne({ _id, webhookId, ...beginning }, { ...majorityRead }),

    list(webhookId: string, page: Page): Promise<Paged<EventRecord>> {
      const where = { webhookId, ...beginning };
      const sort = { ...page.sort, _id: tieBreakDirection(page.sort) };
      const projection = { delivery: 0, timeline: 0 };
      return readCountedPage(page, {
        find: (part) =>
          events.find(where, { projection, ...part, sort, ...majorityRead }).toArray(),
        count: () => countBounded((bounds) => events.countDocuments(where, bounds)),
      });
    },
  });
}

export function createTestEventRemoval(context: StoreContext) {
  const { connection, audit } = context;
  const events: Events = collectionOf<EventRecord>(connection, 'events');
  const conflicts = collectionOf<{ _id: string; contactIds: string[] }>(connection, 'conflicts');
  const collections = made.map((name) =>
    collectionOf<{ _id: string; test?: string }>(connection, name),
  );

  /** A claim and this meet at the event's record: one of them is first, and the other sees it. */
  return async function remove(
    { _id, webhookId }: Test,
    actor: Actor,
    session: Session,
  ): Promise<TestEventRemoval> {
    const root = await events.findOne({ _id, webhookId, ...beginning }, { session });
    if (!root) return failure('not_found');
    actor.checkPrecondition?.(root);
    const family = { $or: [{ _id }, { parentId: { $eq: _id, $type: 'string' as const } }] };
    const inHand = { state: 'processing' as const, $expr: { $gt: ['$dueAt', '$$NOW'] } };
    if (await events.findOne({ ...family, ...inHand }, { session })) return failure('processing');
    await events.deleteMany(family, { session });
    await removeMade(_id, session);
    const target = { type: 'event', id: _id } as const;
    const facts = { before: factsOf(root), after: null };
    await audit.add({ actor, action: 'event.test_delete', target, ...facts }, session);
    return success(null);
  };

  async function removeMade(id: string, session: Session): Promise<void> {
    const ofTest = { test: { $eq: id, $exists: true } };
    const contacts = collections[made.indexOf('contacts')];
    const people = await contacts
      ?.find(ofTest, { projection: { _id: 1 }, session })
      .map((contact) => contact._id)
      .toArray();
    await conflicts.deleteMany({ contactIds: { $in: people ?? [] } }, { session });
    for (const collection of collections) await collection.deleteMany(ofTest, { session });
  }
}
