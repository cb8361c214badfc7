/**
 * Evaluates notices every minute in one elected worker. A turn finds conditions, writes what changed, and stores what is to be sent to each target.
 *
 * Promises: what changed and the state of the evaluation are written together, and so are what is sent to a target and the
 * turn up to which it was sent. A process that dies between them loses nothing: the next turn continues. Two processes that
 * evaluate at once write once.
 */
import type { ProcessContext } from '../context/process-context.ts';
import { derivedId } from '../base/ids.ts';
import { startElectedTicker } from '../base/process/ticker.ts';
import { newDelivery } from '../domain/messages/delivery.ts';
import {
  changeFor,
  isReminderDue,
  listNotices,
  mayReceive,
  type GroupedNotice,
} from '../domain/notices/group.ts';
import {
  maxEntries,
  noticeKinds,
  type NoticeEntry,
  type NoticeRecord,
} from '../domain/notices/notice.ts';
import { planNotices } from '../domain/notices/plan.ts';
import { effectiveRules, installationRules, type NoticeRules } from '../domain/notices/rules.ts';
import type { TargetRecord } from '../domain/notices/target.ts';
import type { EvaluationState } from '../store/notices/notices.ts';
import type { RulesOf } from './conditions.ts';
import { findConditions } from './find-conditions.ts';
import { getWebhooks } from '../store/webhooks/webhooks.ts';

type Options = {
  /** Starts the deliveries that were stored. */
  readonly wakeDelivery: () => void;
  readonly intervalMs?: number;
};

const defaultIntervalMs = 60_000;

/** The gauge of open notices is absent in processes that are not elected. */
export function startNoticeEvaluation(
  ctx: ProcessContext,
  { wakeDelivery, intervalMs = defaultIntervalMs }: Options,
) {
  const { noticeElection: election, metrics, logger } = ctx;

  return startElectedTicker({
    election,
    intervalMs,
    async work() {
      if ((await evaluateNotices(ctx)) > 0) wakeDelivery();
      for (const kind of noticeKinds) metrics.noticesOpen.set({ kind }, 0);
      for (const { kind, count } of await ctx.notices.countOpen()) {
        metrics.noticesOpen.set({ kind }, count);
      }
    },
    leave: () => metrics.noticesOpen.reset(),
    onError: (err) => logger.warn({ err }, 'notices.failed'),
  });
}

/** After a longer gap between two turns, silences before it are not the senders'. */
const maxGapMs = 20 * 60_000;

/** Returns the number of deliveries that it stored. */
export async function evaluateNotices(ctx: ProcessContext): Promise<number> {
  const at = ctx.clock.now();
  const before = await ctx.notices.readState();
  const state = nextState(before, at);
  const rulesOf = createRulesOf(await ctx.noticeRules.all());
  const open = await ctx.notices.listOpen();
  const { findings, rotation } = await findConditions(ctx, { open, rulesOf, state, at });
  const changed = planNotices({
    open,
    findings,
    isOn: ({ kind, webhookId }) => rulesOf(webhookId)[kind].enabled,
    at,
    turn: state.turn,
  });
  const isSaved = await ctx.notices.save(before, { ...state, ...rotation }, changed);
  if (!isSaved) return 0;
  report(ctx, changed, state.turn);
  return sendToTargets(ctx, { turn: state.turn, at });
}

function nextState(before: EvaluationState | null, at: Date): EvaluationState {
  if (!before) return { turn: 1, at, observedSince: at, afterId: '', roundAt: new Date(0) };
  const hasGap = +at - +before.at > maxGapMs;
  return { ...before, turn: before.turn + 1, at, ...(hasGap && { observedSince: at }) };
}

function createRulesOf(rules: ReadonlyMap<string, NoticeRules>): RulesOf {
  const ofInstallation = rules.get(installationRules);
  const usual = effectiveRules(ofInstallation);
  return (webhookId) => {
    const own = rules.get(webhookId ?? '');
    return own ? effectiveRules(ofInstallation, own) : usual;
  };
}

function report(
  { metrics, logger }: ProcessContext,
  changed: readonly NoticeRecord[],
  turn: number,
) {
  for (const notice of changed) {
    const { _id: noticeId, kind, webhookId, state, openedTurn, changedTurn } = notice;
    if (changedTurn !== turn) continue;
    const outcome = state === 'resolved' ? 'resolved' : openedTurn === turn ? 'opened' : 'changed';
    metrics.notices.inc({ kind, outcome });
    logger.info({ noticeId, kind, webhookId, outcome }, 'notice.changed');
  }
}

type Turn = { readonly turn: number; readonly at: Date };

async function sendToTargets(ctx: ProcessContext, turn: Turn): Promise<number> {
  let sent = 0;
  for (const target of await ctx.noticeTargets.listEnabled()) {
    if (!mayReceive(target, turn.at)) continue;
    const delivery = await deliveryFor(ctx, target, turn);
    if (delivery && (await ctx.noticeTargets.send(target, delivery, turn))) sent += 1;
  }
  return sent;
}

async function deliveryFor(ctx: ProcessContext, target: TargetRecord, { turn, at }: Turn) {
  const { _id, kinds, webhookId, sentTurn } = target;
  const select = async (afterTurn: number | null) =>
    ctx.notices.select({ kinds, webhookId, afterTurn }, maxRead);
  const { notices, total } = await select(sentTurn);
  const changes = notices.flatMap((notice) => {
    const change = changeFor(target, notice);
    return change ? [{ notice, change }] : [];
  });
  const isReminder = changes.length === 0 && isReminderDue(target, at);
  if (changes.length === 0 && !isReminder) return null;
  const reminded = isReminder ? await select(null) : null;
  const grouped = reminded
    ? reminded.notices.map((notice): GroupedNotice => ({ notice, change: 'open' }))
    : changes;
  if (grouped.length === 0) return null;
  const { listed, more } = listNotices(grouped, reminded ? reminded.total : total);
  return {
    _id: derivedId('notice-delivery', _id, String(turn)),
    channelId: _id,
    createdAt: at,
    entries: await entriesOf(ctx, listed),
    more,
    isReminder,
    delivery: newDelivery(),
  };
}

/** Notices of one target that are read, of which `maxEntries` are listed. */
const maxRead = 10 * maxEntries;

async function entriesOf(
  ctx: ProcessContext,
  listed: readonly GroupedNotice[],
): Promise<NoticeEntry[]> {
  const ids = [...new Set(listed.flatMap(({ notice }) => notice.webhookId ?? []))];
  const nameOf = new Map((await getWebhooks(ctx, ids)).map(({ _id, name }) => [_id, name]));
  return listed.map(({ notice, change }) => ({
    noticeId: notice._id,
    kind: notice.kind,
    change,
    webhookId: notice.webhookId,
    webhookName: notice.webhookId === null ? null : (nameOf.get(notice.webhookId) ?? null),
    subject: notice.subject,
    facts: notice.facts,
    openedAt: notice.openedAt,
    resolvedAt: notice.resolvedAt,
  }));
}
