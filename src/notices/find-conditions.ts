/**
 * Reads what the installation stores and finds the conditions that need a person.
 *
 * Promises: every read is bounded. Webhooks are inspected for silence and drift in rounds, a few in each turn, so that ten
 * thousand cost as much in a turn as sixty.
 */
import type { ProcessContext } from '../context/process-context.ts';
import type { Condition, NoticeRecord } from '../domain/notices/notice.ts';
import type { Finding } from '../domain/notices/plan.ts';
import { learnedMs, learnRhythm } from '../domain/notices/rhythm.ts';
import { bucketStartOf, unitMs } from '../domain/stats.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { EvaluationState } from '../store/notices/notices.ts';
import {
  backlogLate,
  deadRising,
  destinationsFailing,
  firstDead,
  keysEnding,
  mappingDrift,
  rejectionsRising,
  sendersSilent,
  type ObservedSender,
  type RulesOf,
} from './conditions.ts';
import { findMostRejected } from '../store/counters/rejection-counts.ts';
import { countDueEvents } from '../store/maintenance/installation-counts.ts';
import { listDriftBuckets } from '../store/counters/drift.ts';
import { listFailingChannels } from '../store/channels/channel-health.ts';
import { getChannels } from '../store/channels/channels.ts';
import { filterActiveWebhooks } from '../store/webhooks/webhooks.ts';
import { getMapping } from '../store/webhooks/mappings.ts';

type FindInput = {
  readonly open: readonly NoticeRecord[];
  readonly rulesOf: RulesOf;
  readonly state: EvaluationState;
  readonly at: Date;
};

/** Webhooks that one turn inspects. */
const inspectedPerTurn = 60;
/** The least time between two inspections of a webhook. */
const roundMs = 30 * 60_000;
/** Webhooks with the most rejections that are read. */
const maxRejected = 1_000;
const maxKeyHours = 168;
const maxFailingChannels = 1_000;
const always = () => true;

type Found = {
  readonly findings: readonly Finding[];
  readonly rotation: Pick<EvaluationState, 'afterId' | 'roundAt'>;
};

export async function findConditions(ctx: ProcessContext, input: FindInput): Promise<Found> {
  const inspection = await inspectWebhooks(ctx, input);
  const found = await Promise.all([
    findDead(ctx, input),
    findRates(ctx, input),
    findEndingKeys(ctx, input),
    findBacklog(ctx, input),
    findDestinations(ctx),
  ]);
  return { ...inspection, findings: [...found.flat(), ...inspection.findings] };
}

async function findDead(ctx: ProcessContext, { open }: FindInput): Promise<Finding[]> {
  const { groups, isComplete } = await ctx.noticeObservations.groupDead();
  const conditions = firstDead(groups);
  // A group that was left out may be there.
  const covers = isComplete ? always : () => false;
  return open.length === 0 && conditions.length === 0
    ? []
    : [{ kind: 'first_dead', conditions, covers }];
}

async function findRates(ctx: ProcessContext, { rulesOf, at }: FindInput): Promise<Finding[]> {
  const since = new Date(+bucketStartOf('hour', at) - unitMs.hour);
  const [counts, rejected] = await Promise.all([
    ctx.noticeObservations.countRecent(since),
    findMostRejected(ctx, { since, limit: maxRejected }),
  ]);
  const rejections = rejectionsRising(rejected.webhooks, counts, rulesOf);
  return [
    { kind: 'dead_rising', conditions: deadRising(counts, rulesOf), covers: always },
    { kind: 'rejections_rising', conditions: rejections, covers: always },
  ];
}

async function findEndingKeys(ctx: ProcessContext, { rulesOf, at }: FindInput): Promise<Finding[]> {
  const before = new Date(+at + maxKeyHours * unitMs.hour);
  const { keys, isComplete } = await ctx.noticeObservations.listEndingKeys(at, before);
  const covers = isComplete ? always : () => false;
  return [{ kind: 'key_ending', conditions: keysEnding(keys, rulesOf, at), covers }];
}

async function findBacklog(ctx: ProcessContext, { rulesOf, at }: FindInput): Promise<Finding[]> {
  const { oldestAt } = await countDueEvents(ctx);
  const conditions = backlogLate(oldestAt, rulesOf(null), at);
  return [{ kind: 'backlog_late', conditions, covers: always }];
}

async function findDestinations(ctx: ProcessContext): Promise<Finding[]> {
  const healths = await listFailingChannels(ctx, maxFailingChannels);
  const ids = healths.map(({ _id }) => _id);
  const channels = ids.length === 0 ? [] : await getChannels(ctx, ids);
  const conditions = destinationsFailing(healths, channels);
  const covers = healths.length < maxFailingChannels ? always : () => false;
  return [{ kind: 'destination_failing', conditions, covers }];
}

type Inspected = Pick<Webhook, '_id' | 'activeVersion'>;

async function inspectWebhooks(ctx: ProcessContext, input: FindInput): Promise<Found> {
  const { state, open, at, rulesOf } = input;
  const isRoundDue = state.afterId !== '' || +at - +state.roundAt >= roundMs;
  const webhooks = isRoundDue
    ? await ctx.noticeObservations.listActive(state.afterId, inspectedPerTurn)
    : [];
  const inspected = new Set(webhooks.map(({ _id }) => _id));
  const ended = await findEnded(ctx, open);
  const senders = await observeSenders(ctx, webhooks);
  const silent = sendersSilent(senders, { rulesOf, observedSince: state.observedSince, at });
  const drifting = await findDrift(ctx, webhooks);
  const covers = ({ webhookId }: Condition) => inspected.has(webhookId ?? '');
  const isEnded = (notice: Condition) => covers(notice) || ended.has(noticeKey(notice));
  const isLast = webhooks.length < inspectedPerTurn;
  const roundAt = state.afterId === '' && isRoundDue ? at : state.roundAt;
  const afterId = isRoundDue && !isLast ? (webhooks.at(-1)?._id ?? '') : '';
  return {
    findings: [
      { kind: 'sender_silent', conditions: silent, covers: isEnded },
      { kind: 'mapping_drift', conditions: drifting, covers: isEnded },
    ],
    rotation: { afterId, roundAt },
  };
}

const noticeKey = ({ kind, webhookId }: Pick<Condition, 'kind' | 'webhookId'>): string =>
  `${kind}:${webhookId}`;

/** Returns the notices of silence and drift that are over: the webhook is not active any more, or events have arrived. */
async function findEnded(
  ctx: ProcessContext,
  open: readonly NoticeRecord[],
): Promise<ReadonlySet<string>> {
  const some = open
    .filter(({ kind }) => kind === 'sender_silent' || kind === 'mapping_drift')
    .slice(0, maxRejected);
  if (some.length === 0) return new Set();
  const ids = [...new Set(some.flatMap(({ webhookId }) => webhookId ?? []))];
  const [active, lifetimes] = await Promise.all([
    filterActiveWebhooks(ctx, ids),
    ctx.stats.lifetimes(ids),
  ]);
  const isActive = new Set(active);
  const lastAtOf = new Map(lifetimes.map(({ webhookId, lastAt }) => [webhookId, lastAt]));
  const isOver = ({ kind, webhookId, facts }: NoticeRecord): boolean => {
    if (!isActive.has(webhookId ?? '')) return true;
    const lastAt = lastAtOf.get(webhookId ?? '');
    return kind === 'sender_silent' && !!lastAt && !!facts.since && lastAt > facts.since;
  };
  return new Set(some.filter(isOver).map(noticeKey));
}

async function observeSenders(ctx: ProcessContext, webhooks: readonly Inspected[]) {
  const lifetimes = await ctx.stats.lifetimes(webhooks.map(({ _id }) => _id));
  const senders: ObservedSender[] = [];
  for (const { webhookId, lastAt } of lifetimes) {
    if (lastAt === null) continue;
    const from = new Date(+lastAt - learnedMs);
    // The end of the range is not in it.
    const to = new Date(+lastAt + 1);
    const hours = await ctx.noticeObservations.hoursWithEvents(webhookId, { from, to });
    senders.push({ webhookId, lastAt, rhythm: learnRhythm({ hours, lastAt }) });
  }
  return senders;
}

async function findDrift(
  ctx: ProcessContext,
  webhooks: readonly Inspected[],
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const { _id, activeVersion } of webhooks) {
    if (activeVersion === null) continue;
    const buckets = await listDriftBuckets(ctx, _id);
    const active = await getMapping(ctx, _id, activeVersion);
    if (buckets.length === 0 || !active) continue;
    conditions.push(...mappingDrift(_id, buckets, active.mapping));
  }
  return conditions;
}
