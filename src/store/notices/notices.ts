/**
 * Notices and the state of their evaluation. Collections `notices` and `notice_evaluation`.
 *
 * Promises: the changes of a turn and the state after it are written together or not at all, and only by the process that read
 * the state before it. So two processes that evaluate at once do not write twice.
 */
import type { NoticeKind, NoticeRecord, NoticeState } from '../../domain/notices/notice.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, inTransaction, type Connection } from '../db/connection.ts';
import { idIndexOf } from '../db/indexes.ts';
import { anyOf, countBounded, countBy, readList } from '../db/queries.ts';

const collection = 'notices';
const stateCollection = 'notice_evaluation';

export const noticeIndexes = [
  ...indexesOf(collection, {
    by_opening: { key: { openedAt: -1, _id: -1 } },
    by_state: { key: { state: 1, openedAt: -1, _id: -1 } },
    by_webhook: { key: { webhookId: 1, openedAt: -1, _id: -1 } },
    by_change: { key: { changedTurn: 1, kind: 1, webhookId: 1 } },
    expiry: { key: { expiresAt: 1 }, expireAfterSeconds: 0 },
  }),
  idIndexOf(stateCollection),
];

export type EvaluationState = {
  /** The number of the last turn that changed something or inspected webhooks. */
  readonly turn: number;
  readonly at: Date;
  /** Since when the evaluation has run without a gap. */
  readonly observedSince: Date;
  /** Webhooks with a greater id are inspected next. Empty: a round begins. */
  readonly afterId: string;
  readonly roundAt: Date;
};

type StateRecord = EvaluationState & { readonly _id: string };

const evaluation = 'evaluation';

/** Open notices that an evaluation reads. */
const maxOpen = 20_000;

type NoticeFilter = {
  readonly state?: readonly NoticeState[] | undefined;
  readonly kind?: readonly NoticeKind[] | undefined;
  readonly webhookId?: readonly string[] | undefined;
};

/** The notices of a target that changed after a turn, or those that are open. */
type NoticeSelection = {
  readonly kinds: readonly NoticeKind[] | null;
  readonly webhookId: string | null;
  readonly afterTurn: number | null;
};

const selected = ({ kinds, webhookId, afterTurn }: NoticeSelection) => ({
  ...(afterTurn === null ? { state: 'open' as const } : { changedTurn: { $gt: afterTurn } }),
  ...(kinds && { kind: { $in: [...kinds] } }),
  ...(webhookId !== null && { webhookId }),
});

export function createNoticeStore(connection: Connection) {
  const notices = collectionOf<NoticeRecord>(connection, collection);
  const states = collectionOf<StateRecord>(connection, stateCollection);

  async function readState(): Promise<EvaluationState | null> {
    return states.findOne({ _id: evaluation }, { projection: { _id: 0 } });
  }

  return {
    readState,

    /** Writes the state after `before` and the notices. Returns false when another process has written a state since. */
    save: (
      before: EvaluationState | null,
      after: EvaluationState,
      changed: readonly NoticeRecord[],
    ): Promise<boolean> =>
      inTransaction(connection, async (session) => {
        const { matchedCount, upsertedCount } = before
          ? await states.updateOne(
              { _id: evaluation, turn: before.turn, at: before.at },
              { $set: after },
              { session },
            )
          : await states.updateOne(
              { _id: evaluation },
              { $setOnInsert: after },
              { session, upsert: true },
            );
        if (before ? matchedCount === 0 : upsertedCount === 0) return false;
        if (changed.length === 0) return true;
        const operations = changed.map(({ _id, ...notice }) => ({
          replaceOne: { filter: { _id }, replacement: notice, upsert: true },
        }));
        await notices.bulkWrite(operations, { session, ordered: false });
        return true;
      }),

    listOpen: () => notices.find({ state: 'open' }, { limit: maxOpen, hint: 'by_state' }).toArray(),

    async countOpen() {
      const found = await countBy<NoticeKind>(notices, {
        match: { state: 'open' },
        by: '$kind',
        limit: maxOpen,
        options: { hint: 'by_state' },
      });
      return found.map(({ key: kind, count }) => ({ kind, count }));
    },

    /** Returns the selected notices, at most `limit`, the first changed first, and their number. */
    async select(selection: NoticeSelection, limit: number) {
      const where = selected(selection);
      const hint = selection.afterTurn === null ? 'by_state' : 'by_change';
      const [found, { total }] = await Promise.all([
        notices.find(where, { limit, hint }).toArray(),
        countBounded((bounds) => notices.countDocuments(where, { hint, ...bounds })),
      ]);
      return { notices: found, total: Math.max(total, found.length) };
    },

    list: ({ state, kind, webhookId }: NoticeFilter, page: Page): Promise<Paged<NoticeRecord>> => {
      const hint = webhookId ? 'by_webhook' : state ? 'by_state' : 'by_opening';
      const where = anyOf({ state, kind, webhookId });
      return readList(notices, { where, page, countOptions: { hint } });
    },
  };
}
