/**
 * Erasures: the record of each, its steps, and the block list. Collection `erasures`.
 *
 * Promises: a step and its progress are one transaction, so an erasure may be interrupted anywhere and continued by any
 * process, and the counts of the certificate are exact.
 */
import { removeAudited } from '../audit/audited-change.ts';
import { newId } from '../../base/ids.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { ContactRecord, Identity } from '../../domain/people/contact.ts';
import type { ErasureCounts, ErasureRecord, ErasureSubject } from '../../domain/people/erasure.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { collectionOf } from '../db/collection.ts';
import {
  indexesOf,
  inTransaction,
  type Connection,
  type Session,
  type Db,
} from '../db/connection.ts';
import { literal, readList, readPage, readable } from '../db/queries.ts';
import { createLease } from '../db/lease.ts';
import {
  createErasableEvents,
  createEventErasure,
  type Erasures,
  type EventErasure,
  unprocessedByChannelIndex,
} from './event-erasure.ts';
import { createErasablePerson, type PersonBatch } from './erasable-person.ts';
import { createPersonErasure } from './person-erasure.ts';
import { countRedacted } from '../audit/redaction.ts';
import { createTestEventRemoval } from '../samples/test-events.ts';
import type { BlockedFields } from '../people/records.ts';
import { addAuditRow } from '../audit/audit.ts';

export const erasureIndexes = [
  ...indexesOf('erasures', {
    open: { key: { open: 1, nextAt: 1 }, where: { open: true } },
    by_creation: { key: { createdAt: -1, _id: -1 } },
  }),
  unprocessedByChannelIndex,
];

type BlockedIdentity = Pick<Identity, '_id' | 'channelId' | 'kind'> & Required<BlockedFields>;

const leaseMs = 60_000;
const leaseOf = (erasures: Erasures) =>
  createLease(erasures, { until: 'nextAt', token: 'token', leaseMs });

/** The result of a step: its counts, and the next state of the erasure. */
type ErasureProgress = {
  readonly counts?: Partial<ErasureCounts>;
  readonly to: Partial<Pick<ErasureRecord, 'phase' | 'cursor' | 'group' | 'sought'>>;
};

/** Records of one webhook beside its events: ids of samples and rejections, and root test events. */
type TrialRecords = {
  readonly samples: readonly string[];
  readonly rejections: readonly string[];
  readonly tests: readonly Pick<EventRecord, '_id' | 'webhookId'>[];
};

export function createErasureStore(context: Db) {
  const { connection } = context;
  return {
    ...createLifecycle(context),
    ...createSteps(context),
    ...createReads(context),
    ...createErasableEvents(connection),
    ...createErasablePerson(connection),
  };
}

function createLifecycle(context: Db) {
  const { connection, clock } = context;
  const erasures = collectionOf<ErasureRecord>(connection, 'erasures');
  const contacts = collectionOf<ContactRecord>(connection, 'contacts');
  return {
    /** Stores an erasure. `contactId`: the contact that the actor's precondition is checked on. */
    begin: (record: ErasureRecord, actor: Actor, contactId?: string): Promise<ErasureRecord> =>
      inTransaction(connection, async (session) => {
        const seen = contactId && (await contacts.findOne({ _id: contactId }, { session }));
        if (seen) actor.checkPrecondition?.(seen);
        await erasures.insertOne(record, { session });
        const { contactIds, block, reason } = record;
        const after = { contactIds, block, reason };
        const target = { type: 'erasure', id: record._id } as const;
        await addAuditRow(context, { actor, action: 'contact.erase', target, after }, session);
        return record;
      }),

    /** Returns the claimed erasure; null when every open erasure is leased. */
    claim: (): Promise<ErasureRecord | null> =>
      leaseOf(erasures).claim({ open: true, ...readable }, { token: newId(), sort: { nextAt: 1 } }),

    /** Completes an erasure after its audit rows are redacted, and counts these rows. Returns false when the lease is lost. */
    finish: (record: ErasureRecord): Promise<boolean> =>
      inTransaction(connection, async (session) => {
        const { _id, token = '', counts, createdBy: actor } = record;
        const finishedAt = clock.now();
        const target = { type: 'erasure', id: _id } as const;
        const all = { ...counts, auditRows: await countRedacted(connection, target, session) };
        const entry = { actor, action: 'erasure.finish', target, after: all } as const;
        const { _id: id } = await addAuditRow(context, entry, session);
        const { matchedCount } = await erasures.updateOne(
          { _id, token },
          {
            $set: {
              phase: 'done',
              counts: all,
              finishedAt,
              sought: null,
              audit: { _id: id },
            },
            $unset: { open: '', token: '' },
          },
          { session },
        );
        if (matchedCount === 0) await session.abortTransaction();
        return matchedCount === 1;
      }),

    get: (id: string): Promise<ErasureRecord | null> => erasures.findOne({ _id: id }),
  };
}

/** Returns false without any change when the lease is lost or `work` returns null. */
function createStep(connection: Connection, erasures: Erasures) {
  const setOf = ({ counts = {}, to }: ErasureProgress) => {
    const added = Object.entries(counts).map(([name, more]) => [
      `counts.${name}`,
      { $add: [`$counts.${name}`, more] },
    ]);
    const moved = Object.entries(to).map(([field, value]) => [field, literal(value)]);
    return {
      ...Object.fromEntries([...moved, ...added]),
      ...leaseOf(erasures).renewed,
    };
  };

  return function step(
    { _id, token = '' }: ErasureRecord,
    work: (session: Session) => Promise<ErasureProgress | null>,
  ): Promise<boolean> {
    return inTransaction(connection, async (session) => {
      const done = await work(session);
      if (!done) {
        await session.abortTransaction();
        return false;
      }
      const update = [{ $set: setOf(done) }];
      const { matchedCount } = await erasures.updateOne({ _id, token }, update, { session });
      if (matchedCount === 0) await session.abortTransaction();
      return matchedCount === 1;
    });
  };
}

function createSteps(context: Db) {
  const { connection, clock } = context;
  const erasures = collectionOf<ErasureRecord>(connection, 'erasures');
  const person = createPersonErasure(connection);
  const eraseEvents = createEventErasure(connection);
  const eraseTried = createTriedErasure(context);

  const step = createStep(connection, erasures);

  return {
    events: (record: ErasureRecord, erased: EventErasure, to: ErasureProgress['to']) =>
      step(record, async (session) => {
        const counts = await eraseEvents(erased, session);
        return counts && { counts, to };
      }),

    messages: (record: ErasureRecord, ids: readonly string[], erased: EventErasure) =>
      step(record, async (session) => {
        const counts = await eraseEvents(erased, session);
        if (!counts) return null;
        return { counts: { ...counts, ...(await person.dropMessages(ids, session)) }, to: {} };
      }),

    /** Changes nothing when a chat has a message again: the step is to be done again. */

    insertTombstones: (record: ErasureRecord, to: ErasureProgress['to']): Promise<boolean> =>
      step(record, async (session) => {
        const { sought, _id: erasureId, block } = record;
        if (!sought) return { to };
        const now = clock.now();
        const mine = { contactId: { $in: [...sought.contactIds] } };
        const chats = await person.dropChats(mine, session);
        if (chats === null) return { to: {} };
        const people = await person.insertTombstones({ erasureId, block, sought, now }, session);
        return people && { counts: { ...people, chats }, to: { ...to, sought } };
      }),

    /** Before the tombstones, of a person with more than one transaction takes. Keeps the contacts that were found by identities. */
    dropBatch: (record: ErasureRecord, batch: PersonBatch): Promise<boolean> =>
      step(record, async (session) => {
        const { sought } = record;
        return sought && dropBatch(person, batch, { record, sought, session, now: clock.now() });
      }),

    /** Deletes samples, rejections and test events. */
    samples: (record: ErasureRecord, tried: TrialRecords, to: ErasureProgress['to']) =>
      step(record, async (session) => {
        return { counts: await eraseTried(tried, record.createdBy, session), to };
      }),

    move: (record: ErasureRecord, to: ErasureProgress['to']): Promise<boolean> =>
      step(record, () => Promise.resolve({ to })),
  };
}

type Dropping = {
  readonly record: ErasureRecord;
  readonly sought: ErasureSubject;
  readonly session: Session;
  readonly now: Date;
};

async function dropBatch(
  person: ReturnType<typeof createPersonErasure>,
  { of, ids }: PersonBatch,
  { record: { _id: erasureId, block }, sought, session, now }: Dropping,
): Promise<ErasureProgress> {
  const some = { _id: { $in: [...ids] } };
  const where = { ...some, contactId: { $in: [...sought.contactIds] } };
  if (of === 'chats') {
    const chats = await person.dropChats(where, session);
    return { counts: { chats: chats ?? 0 }, to: { sought } };
  }
  if (of === 'files') {
    await person.dropFiles(ids, session);
    return { to: { sought } };
  }
  if (of === 'conflicts') {
    const conflicts = await person.resolveConflicts(some, { session, now });
    return { counts: { conflicts }, to: { sought } };
  }
  const identities = await person.dropIdentities({ erasureId, block, now, where }, session);
  return { counts: { identities }, to: { sought } };
}

/** Returns the numbers of deleted records. */
function createTriedErasure(context: Db) {
  const { connection } = context;
  const allSamples = collectionOf<{ _id: string }>(connection, 'samples');
  const allRejections = collectionOf<{ _id: string }>(connection, 'rejections');
  const removeTest = createTestEventRemoval(context);
  return async function eraseTried(
    { samples, rejections, tests }: TrialRecords,
    actor: Actor,
    session: Session,
  ) {
    const gone = await allSamples.deleteMany({ _id: { $in: [...samples] } }, { session });
    const refused = await allRejections.deleteMany({ _id: { $in: [...rejections] } }, { session });
    let events = 0;
    for (const test of tests) {
      if ((await removeTest(test, actor, session)).ok) events += 1;
    }
    return { samples: gone.deletedCount, rejections: refused.deletedCount, events };
  };
}

function createReads(context: Db) {
  const { connection } = context;
  const erasures = collectionOf<ErasureRecord>(connection, 'erasures');
  const identities = collectionOf<BlockedIdentity>(connection, 'identities');
  return {
    list: (page: Page): Promise<Paged<ErasureRecord>> => readPage(erasures, {}, page),

    /** Lists blocked identities. `ids`: null means all of them. */
    listBlocked(ids: readonly string[] | null, page: Page): Promise<Paged<BlockedIdentity>> {
      const where = { blocked: true, ...(ids && { _id: { $in: [...ids] } }) };
      // MongoDB does not choose the `blocked` index without a hint. A query by ids uses the `_id` index.
      return readList(identities, { where, page, countOptions: ids ? {} : { hint: 'blocked' } });
    },

    isBlocked: async (id: string): Promise<boolean> =>
      (await identities.findOne({ _id: id, blocked: true })) !== null,

    unblock: (id: string, actor: Actor) =>
      removeAudited(context, {
        actor,
        action: 'block.remove',
        target: { type: 'block', id },
        remove: (session) => identities.findOneAndDelete({ _id: id, blocked: true }, { session }),
        factsOf: ({ kind, channelId, erasureId }) => ({ kind, channelId, erasureId }),
      }),
  };
}
