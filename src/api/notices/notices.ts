/** Notices, their rules and their deliveries. */
import { AppError, orNotFound, type FieldProblem } from '../../base/errors.ts';
import { mergePatch, type MergePatch } from '../../base/json/merge-patch.ts';
import { sentenceOf } from '../../channels/notices/sentences.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { NoticeRecord } from '../../domain/notices/notice.ts';
import {
  effectiveRules,
  installationRules,
  type NoticeRules,
  type NoticeRulesRecord,
} from '../../domain/notices/rules.ts';
import type { ApiContext } from '../context.ts';
import { retryOnConflict } from '../retry-on-conflict.ts';
import { createNoticeDeliveries } from './deliveries.ts';
import { createNoticeTargets } from './targets.ts';

type NoticeDeps = Parameters<typeof createNoticeTargets>[0] &
  Pick<ApiContext, 'notices' | 'noticeRules' | 'noticeDeliveries'>;

type CheckRules = (rules: NoticeRules) => readonly FieldProblem[];
type ChangeBy = { readonly actor: Actor; readonly check: CheckRules };
export type ShownRules = NoticeRulesRecord & {
  readonly effective: ReturnType<typeof effectiveRules>;
};

export function createNotices(deps: NoticeDeps) {
  const { notices, noticeRules, webhooks } = deps;

  async function show(record: NoticeRulesRecord): Promise<ShownRules> {
    if (record._id === installationRules) {
      return { ...record, effective: effectiveRules(record.rules) };
    }
    const { rules } = await noticeRules.get(installationRules);
    return { ...record, effective: effectiveRules(rules, record.rules) };
  }

  /** Throws `not_found` for a webhook that does not exist. */
  async function requireOwner(id: string): Promise<void> {
    if (id !== installationRules) orNotFound(await webhooks.get(id));
  }

  return {
    list: notices.list,
    deliveries: createNoticeDeliveries(deps),
    describe(notice: NoticeRecord, language: Parameters<typeof sentenceOf>[1]['language']): string {
      const change = notice.state === 'resolved' ? 'resolved' : 'open';
      const text = sentenceOf({ ...notice, change }, { language, zone: 'UTC' });
      return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
    },
    targets: createNoticeTargets(deps),
    installationRules,

    async rules(id: string): Promise<ShownRules> {
      await requireOwner(id);
      return show(await noticeRules.get(id));
    },

    /** Merge patch: null removes a rule or a setting. Throws `invalid_field` or `conflict`. */
    async changeRules(
      id: string,
      patch: MergePatch<NoticeRules>,
      { actor, check }: ChangeBy,
    ): Promise<ShownRules> {
      await requireOwner(id);
      const changed = await retryOnConflict(async () => {
        const seen = await noticeRules.get(id);
        const rules = mergePatch(seen.rules, patch) as NoticeRules;
        const fields = check(rules);
        if (fields.length > 0) throw new AppError('invalid_field', { details: { fields } });
        return noticeRules.change(seen, rules, actor);
      });
      return show(changed);
    },
  };
}
