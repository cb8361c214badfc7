/** Notices as sentences, and their rules. */
import { AppError, orNotFound, type FieldProblem } from '../../base/errors.ts';
import type { Language } from '../../base/texts/texts.ts';
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
import { getWebhook } from '../../store/webhooks/webhooks.ts';

type CheckRules = (rules: NoticeRules) => readonly FieldProblem[];
type ChangeBy = { readonly actor: Actor; readonly check: CheckRules };
export type ShownRules = NoticeRulesRecord & {
  readonly effective: ReturnType<typeof effectiveRules>;
};

/** Returns the sentence of a notice. */
export function describeNotice(notice: NoticeRecord, language: Language): string {
  const change = notice.state === 'resolved' ? 'resolved' : 'open';
  const text = sentenceOf({ ...notice, change }, { language, zone: 'UTC' });
  return text.charAt(0).toLocaleUpperCase(language) + text.slice(1);
}

async function withEffective(ctx: ApiContext, record: NoticeRulesRecord): Promise<ShownRules> {
  if (record._id === installationRules) {
    return { ...record, effective: effectiveRules(record.rules) };
  }
  const { rules } = await ctx.noticeRules.get(installationRules);
  return { ...record, effective: effectiveRules(rules, record.rules) };
}

/** Throws `not_found` for a webhook that does not exist. */
async function requireOwner(ctx: ApiContext, id: string): Promise<void> {
  if (id !== installationRules) orNotFound(await getWebhook(ctx, id));
}

/** Returns the rules of a webhook, or those of the installation (`installationRules`). Throws `not_found`. */
export async function readNoticeRules(ctx: ApiContext, id: string): Promise<ShownRules> {
  await requireOwner(ctx, id);
  return withEffective(ctx, await ctx.noticeRules.get(id));
}

/** Merge patch: null removes a rule or a setting. Throws `invalid_field` or `conflict`. */
export async function changeNoticeRules(
  ctx: ApiContext,
  { id, patch }: { readonly id: string; readonly patch: MergePatch<NoticeRules> },
  { actor, check }: ChangeBy,
): Promise<ShownRules> {
  await requireOwner(ctx, id);
  const changed = await retryOnConflict(async () => {
    const seen = await ctx.noticeRules.get(id);
    const rules = mergePatch(seen.rules, patch) as NoticeRules;
    const fields = check(rules);
    if (fields.length > 0) throw new AppError('invalid_field', { details: { fields } });
    return ctx.noticeRules.change(seen, rules, actor);
  });
  return withEffective(ctx, changed);
}
