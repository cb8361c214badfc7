/**
 * The audit log: a chain of rows to which every change adds its own.
 *
 * Promises: a row stands or falls with the change it tells of; see audit/chain.ts for what holds the rows together.
 * Must never: change a row, but for redaction, or take one out, but for the oldest.
 */
import type { AuditEntry, AuditRow, AuditTargetType, ChainLink } from '../domain/audit.ts';
import type { Anchor } from '../domain/chain.ts';
import type { DateRange, Page, Paged } from '../domain/paging.ts';
import { append, chainOlder, ends, readAnchor, readHead, rowsOf } from './audit/chain.ts';
import { forgetBefore, redact, type Forgotten, type Redaction } from './audit/redact.ts';
import { decisive, type Connection, type IndexSpec } from './connection.ts';
import { anyOf, isEmpty, lastDirection, sayingUnavailable, within, type Session } from './model.ts';
import { countUpTo, readCounted } from './totals.ts';

const collection = 'audit';
const latest = { at: -1, _id: -1 } as const;

export const auditIndexes: readonly IndexSpec[] = [
  {
    collection,
    name: 'by_seq',
    key: { seq: 1 },
    unique: true,
    // Rows from before there was a chain have none until the migration step gives them one.
    where: { seq: { $gt: 0 } },
  },
  { collection, name: 'by_time', key: latest },
  { collection, name: 'by_target', key: { 'target.id': 1, ...latest } },
  { collection, name: 'by_type', key: { 'target.type': 1, ...latest } },
  { collection, name: 'by_action', key: { action: 1, ...latest } },
  { collection, name: 'by_token', key: { 'actor.tokenId': 1, ...latest } },
  { collection, name: 'by_name', key: { 'actor.name': 1, ...latest } },
  { collection, name: 'by_address', key: { address: 1, ...latest } },
  // It has this one anyway; named here, so that the migration step makes the collection.
  { collection: ends, name: '_id_', key: { _id: 1 } },
];

export type AuditFilter = DateRange & {
  /** Ids or names of tokens. */
  readonly actor?: readonly string[];
  readonly action?: readonly string[];
  readonly targetType?: readonly AuditTargetType[];
  readonly targetId?: readonly string[];
  readonly address?: readonly string[];
};

const earliest = new Date(0);

/** Always with a time, so that counting everything is answered by an index too. */
function conditionsOf({ actor, action, targetType, targetId, address, ...range }: AuditFilter) {
  const { from = earliest, to } = range;
  return {
    ...anyOf({ action, 'target.type': targetType, 'target.id': targetId, address }),
    ...(actor && {
      $or: [{ 'actor.tokenId': { $in: [...actor] } }, { 'actor.name': { $in: [...actor] } }],
    }),
    ...within('at', { from, to }),
  };
}

const orderOf = (sort: Page['sort']) => ({ ...sort, _id: lastDirection(sort) });

/** Rows a round trip, where many are read. */
const batchSize = 500;

export type AuditStore = ReturnType<typeof createAuditStore>;

export function createAuditStore(connection: Connection) {
  return {
    /**
     * Best called last: from here on until its transaction ends every other change must wait and try again. Its errors are
     * MongoDB's own, by which a transaction knows that it is to be repeated.
     */
    add: (entry: AuditEntry, session: Session): Promise<AuditRow> =>
      append(connection, entry, session),
    ...sayingUnavailable({ ...createReading(connection), ...createKeeping(connection) }),
  };
}

function createReading(connection: Connection) {
  const rows = rowsOf(connection);
  return {
    get: (id: string): Promise<AuditRow | null> => rows.findOne({ _id: id }, { ...decisive }),
    getBySeq: (seqs: readonly number[]): Promise<AuditRow[]> =>
      rows.find({ seq: { $in: [...seqs] } }, { ...decisive }).toArray(),

    list(filter: AuditFilter, page: Page): Promise<Paged<AuditRow>> {
      const conditions = conditionsOf(filter);
      const sort = orderOf(page.sort);
      // Without conditions nothing leads MongoDB to an index.
      const hint = isEmpty(conditions) ? { hint: '_id_' } : {};
      return readCounted(page, {
        find: (part) => rows.find(conditions, { ...part, sort, ...decisive }).toArray(),
        count: () => countUpTo((bounds) => rows.countDocuments(conditions, { ...hint, ...bounds })),
      });
    },

    /** One page after the other, however many there are. */
    stream: async (filter: AuditFilter, sort: Page['sort']): Promise<AsyncIterable<AuditRow>> =>
      rows.find(conditionsOf(filter), { sort: orderOf(sort), batchSize, ...decisive }),

    /** The next rows of the chain. */
    after: (seq: number): Promise<AuditRow[]> =>
      rows
        .find({ seq: { $gt: seq } }, { sort: { seq: 1 }, limit: batchSize, ...decisive })
        .toArray(),

    /** Whether there is a row outside the chain that begins after `seq`. Reads all rows: no index has those without a number. */
    hasStray: async (seq: number): Promise<boolean> =>
      (await rows.findOne(
        { seq: { $not: { $gt: seq } } },
        { projection: { _id: 1 }, ...decisive },
      )) !== null,

    head: (): Promise<ChainLink | null> => readHead(connection),
    anchor: (): Promise<Anchor | null> => readAnchor(connection),
  };
}

const createKeeping = (connection: Connection) => ({
  /** Erases before, after and address of rows about a person. Returns how many; asking again goes on. */
  redact: (redaction: Redaction): Promise<number> => redact(connection, redaction),
  /** One batch of the oldest rows, of whole days (UTC) before the date. */
  forgetBefore: (date: Date): Promise<Forgotten> => forgetBefore(connection, date),
  chainOlder: (): Promise<number> => chainOlder(connection),
});
