/**
 * Labels and sectors as people list and change them. Each change is written with its audit row.
 *
 * Promises: two records never have the same name. A record that an open chat or an agent uses is not deleted. Where an event used
 * one by the cached id just after its deletion, `replaceDeleted` gives the chat another record of that name, as without a cache.
 */
import { newId } from '../../base/ids.ts';
import { failure, type Failure } from '../../base/result.ts';
import type { AgentRecord } from '../../domain/agents/agent.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { ChatRecord } from '../../domain/messages/chat.ts';
import type { NamedRecord, NamedRecordStatus } from '../../domain/messages/named-record.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import {
  changeAuditedRecord,
  insertAudited,
  updateRecord,
  type AuditedRecords,
} from '../audit/audited-change.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import { indexesOf, type Session, type Db } from '../db/connection.ts';
import { ignoreDuplicate } from '../db/errors.ts';
import { anyOf, escapeRegex, exists, readPage } from '../db/queries.ts';
import { markDeleted } from './use-marks.ts';
import { createNamedRecordStore, nameKeyOf, type NamedCollection } from './named-records.ts';

export const namedRecordUseIndexes = [
  ...indexesOf('chats', {
    open_by_label: { key: { labelIds: 1 }, where: { open: true, 'labelIds.0': { $exists: true } } },
    open_by_sector: { key: { sectorId: 1 }, where: { open: true, sectorId: { $exists: true } } },
    open_by_opening_sector: {
      key: { 'opening.sectorId': 1 },
      where: { open: true, 'opening.sectorId': { $gt: '' } },
    },
  }),
  ...(['labels', 'sectors'] as const).flatMap((collection) =>
    indexesOf(collection, {
      by_deletion: { key: { deletedAt: 1 }, where: { deletedAt: { $type: 'date' } } },
    }),
  ),
];

/** Longer than an id is cached and a set is in progress. */
const usedForMs = 5 * 60_000;
/** Deletions before that were looked at several times. */
const lookedAtForMs = 3_600_000;
const maxReplaced = 500;

type NewNamedRecord = Required<Pick<NamedRecord, 'name' | 'color' | 'status'>>;
type NamedRecordChange = Partial<NewNamedRecord>;
type NamedRecordFilter = {
  /** Part of the name. Case is ignored. */
  readonly search?: string;
  readonly status?: readonly NamedRecordStatus[];
};

/** Records in a list without pages. */
const maxListed = 2_000;

const notDeleted = { deletedAt: { $exists: false } } as const;
const active = { status: { $ne: 'disabled' as const }, ...notDeleted };

const auditTypes = { labels: 'label', sectors: 'sector' } as const;

const factsOf = ({ name, color, status = 'active' }: NamedRecord): AuditFacts => ({
  name,
  color,
  status,
});

export function createNamedRecords(context: Db, name: NamedCollection) {
  const records = collectionOf<NamedRecord>(context.connection, name);
  return {
    ...createNamedRecordStore(context, name),
    ...createChanges(context, records, name),
    replaceDeleted: createReplacement(context, name),
    get: (id: string): Promise<NamedRecord | null> => records.findOne({ _id: id, ...notDeleted }),
    getMany: (ids: readonly string[]): Promise<NamedRecord[]> =>
      records.find({ _id: { $in: [...ids] }, ...notDeleted }).toArray(),
    list: ({ search, status }: NamedRecordFilter, page: Page): Promise<Paged<NamedRecord>> =>
      readPage(
        records,
        {
          ...(search !== undefined && { name: { $regex: escapeRegex(search), $options: 'i' } }),
          ...anyOf({ status: status?.flatMap((one) => (one === 'active' ? [one, null] : one)) }),
          ...notDeleted,
        },
        { ...page, hint: 'nameKey' in page.sort ? 'by_name' : 'by_creation' },
      ),
    listActive: (): Promise<NamedRecord[]> =>
      records.find(active, { sort: { nameKey: 1 }, limit: maxListed, hint: 'by_name' }).toArray(),
  };
}

function createChanges(context: Db, records: Collection<NamedRecord>, collection: NamedCollection) {
  const { clock, connection } = context;
  const type = auditTypes[collection];
  const isUsed = createUseCheck(context, collection);
  const audited: AuditedRecords<NamedRecord> = { records, type, present: notDeleted, factsOf };

  return {
    create(given: NewNamedRecord, actor: Actor) {
      const keyed = { ...given, nameKey: nameKeyOf(given.name), createdAt: clock.now() };
      const record = { _id: newId(), ...keyed };
      return unlessNameTaken(() => insertAudited(context, audited, { record, actor }));
    },

    change(_id: string, change: NamedRecordChange, actor: Actor) {
      const key = change.name === undefined ? {} : { nameKey: nameKeyOf(change.name) };
      return unlessNameTaken(() =>
        changeAuditedRecord<NamedRecord, Failure<'name_taken'>>(context, audited, {
          id: _id,
          actor,
          action: `${type}.change`,
          write: (session) =>
            updateRecord(
              audited,
              { where: { _id }, update: { $set: { ...change, ...key } } },
              session,
            ),
        }),
      );
    },

    /** Fails with `in_use` while an open chat or an agent uses it. */
    remove: (_id: string, actor: Actor) =>
      changeAuditedRecord<NamedRecord, Failure<'in_use'>>(context, audited, {
        id: _id,
        actor,
        action: `${type}.delete`,
        write: async (session) => {
          if (await isUsed(_id, session)) return failure('in_use');
          await markDeleted(connection, { name: collection, id: _id }, session);
          // No name has this key: the keys of names have no tab.
          const nameKey = `deleted\t${_id}`;
          const gone = { nameKey, deletedAt: clock.now(), webhookId: null };
          return updateRecord(audited, { where: { _id }, update: { $set: gone } }, session);
        },
      }),
  };
}

const unlessNameTaken = <Done>(change: () => Promise<Done>) =>
  change().catch((error: unknown) => {
    ignoreDuplicate(error);
    return failure('name_taken');
  });

/**
 * The open chats in which events have used the record. A chat that a person moved has another sector, and does not keep that of
 * its opening from its deletion.
 */
const usedByEvents = (collection: NamedCollection, id: string) =>
  collection === 'labels'
    ? { open: true as const, labelIds: id, 'labelIds.0': { $exists: true } }
    : { open: true as const, 'opening.sectorId': id, sectorId: { $exists: false } };

function createUseCheck({ connection }: Db, collection: NamedCollection) {
  const chats = collectionOf<ChatRecord>(connection, 'chats');
  const agents = collectionOf<AgentRecord>(connection, 'agents');
  const queriesOf = (id: string) => [
    ...(collection === 'sectors' ? [{ open: true, sectorId: id }] : []),
    usedByEvents(collection, id),
  ];

  return async function isUsed(id: string, session: Session): Promise<boolean> {
    for (const query of queriesOf(id)) if (await exists(chats, query, { session })) return true;
    return (
      collection === 'sectors' &&
      exists(agents, { sectorIds: id, deletedAt: { $exists: false } }, { session })
    );
  };
}

/** Returns a function that replaces the records in open chats which were deleted lately, and returns how many it replaced. */
function createReplacement({ connection, clock }: Db, collection: NamedCollection) {
  const records = collectionOf<NamedRecord>(connection, collection);
  const chats = collectionOf<ChatRecord>(connection, 'chats');

  /** Returns the id of the record of the name, which is created if there is none, as for an event. */
  async function ensureId({ name, color }: NamedRecord): Promise<string> {
    const record = { name, color, nameKey: nameKeyOf(name), createdAt: clock.now() };
    const found = await records.findOneAndUpdate(
      { nameKey: record.nameKey },
      { $setOnInsert: { _id: newId(), ...record } },
      { upsert: true, returnDocument: 'after' },
    );
    if (!found) throw new Error('An upsert that gives back nothing.');
    return found._id;
  }

  async function replace(deleted: NamedRecord): Promise<boolean> {
    const { _id } = deleted;
    const used = usedByEvents(collection, _id);
    if (!(await exists(chats, used))) return false;
    const id = await ensureId(deleted);
    const labelIds = { $setUnion: [{ $setDifference: ['$labelIds', [_id]] }, [id]] };
    const set = collection === 'labels' ? { labelIds } : { 'opening.sectorId': id };
    await chats.updateMany(used, [{ $set: set }]);
    return true;
  }

  return async function replaceDeleted(): Promise<number> {
    const now = +clock.now();
    const range = { $gte: new Date(now - lookedAtForMs), $lte: new Date(now - usedForMs) };
    const options = { sort: { deletedAt: -1 }, limit: maxReplaced } as const;
    let count = 0;
    for (const deleted of await records.find({ deletedAt: range }, options).toArray()) {
      if (await replace(deleted)) count += 1;
    }
    return count;
  };
}
