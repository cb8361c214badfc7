/** Rules of notices, of the installation and of single webhooks. Collection `notice_rules`. Each change has its audit row. */
import type { NoticeRules, NoticeRulesRecord } from '../../domain/notices/rules.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { changeAudited } from '../audit/audited-change.ts';
import { collectionOf } from '../db/collection.ts';
import type { IndexSpec, Session, Db } from '../db/connection.ts';
import { idIndexOf } from '../db/indexes.ts';

const collection = 'notice_rules';

export const noticeRuleIndexes: readonly IndexSpec[] = [idIndexOf(collection)];

const noRules = (_id: string): NoticeRulesRecord => ({ _id, rules: {}, updatedAt: null });

export function createNoticeRuleStore(context: Db) {
  const { connection, clock } = context;
  const records = collectionOf<NoticeRulesRecord>(connection, collection);

  const read = async (_id: string, session?: Session): Promise<NoticeRulesRecord> =>
    (await records.findOne({ _id }, { ...(session && { session }) })) ?? noRules(_id);

  return {
    /** Rules that were never set are empty. */
    get: (id: string): Promise<NoticeRulesRecord> => read(id),

    async getMany(ids: readonly string[]): Promise<ReadonlyMap<string, NoticeRules>> {
      const found = await records.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map(({ _id, rules }) => [_id, rules]));
    },

    async all(): Promise<ReadonlyMap<string, NoticeRules>> {
      const found = await records.find({}).toArray();
      return new Map(found.map(({ _id, rules }) => [_id, rules]));
    },

    /** Replaces the rules unless they were changed since they were seen. */
    change: (seen: NoticeRulesRecord, rules: NoticeRules, actor: Actor) =>
      changeAudited<NoticeRulesRecord>(context, {
        actor,
        action: 'rules.change',
        target: { type: 'rules', id: seen._id },
        read: (session) => read(seen._id, session),
        write: async (session, before) => {
          if (+(before.updatedAt ?? 0) !== +(seen.updatedAt ?? 0)) return null;
          const updatedAt = new Date(Math.max(+clock.now(), +(seen.updatedAt ?? 0) + 1));
          const record = { rules, updatedAt };
          await records.updateOne({ _id: seen._id }, { $set: record }, { session, upsert: true });
          return { _id: seen._id, ...record };
        },
        factsOf: ({ rules: facts }) => ({ rules: facts }),
      }),
  };
}
