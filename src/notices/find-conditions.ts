/**
 * Reads what the installation stores and finds the conditions that need a person.
 *
 * Promises: every read is bounded. Webhooks are inspected for silence and drift in rounds, a few in each turn, so that ten
 * thousand cost as much in a turn as sixty.
 */
import type { Clock } from '../base/clock.ts';
import type { Condition, NoticeRecord } from '../domain/notices/notice.ts';
import type { Finding } from '../domain/notices/plan.ts';
import { learnedMs, learnRhythm } from '../domain/notices/rhythm.ts';
import { bucketStartOf, unitMs } from '../domain/stats.ts';
import type { Webhook } from '../domain/webhooks/webhook.ts';
import type { EvaluationState } from '../store/notices/notices.ts';
import type { Stores } from '../store/stores.ts';
import { backlogLate } from './conditions/backlog.ts';
import { deadRising, firstDead, type RulesOf } from './conditions/dead-letters.ts';
import { destinationsFailing } from './conditions/destinations.ts';
import { mappingDrift } from './conditions/drift.ts';
import { keysEnding } from './conditions/path-keys.ts';
import { rejectionsRising } from './conditions/rejections.ts';
import { sendersSilent, type ObservedSender } from './conditions/silence.ts';

export type FindDeps = {
  readonly stores: Pick<
    Stores,
    | 'noticeObservations'
    | 'installationCounts'
    | 'rejectionCounts'
    | 'stats'
    | 'drift'
    | 'mappings'
    | 'webhooks'
    | 'channels'
    | 'channelHealth'
  >;
  readonly clock: Clock;
};

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

export async function findConditions(deps: FindDeps, input: FindInput): Promise<Found> {
  const inspection = await inspectWebhooks(deps, input);
  const found = await Promise.all([
    findDead(deps, input),
    findRates(deps, input),
    findEndingKeys(deps, input),
    findBacklog(deps, input),
    findDestinations(deps),
  ]);
  return {
    findings: [...found.flat(), ...inspection.findings],
    rotation: inspection.rotation,
  };
}

async function findDead({ stores }: FindDeps, { open }: FindInput): Promise<Finding[]> {
  const { groups, isComplete } = await stores.noticeObservations.groupDead();
  const conditions = firstDead(groups);
  // A group that was left out may be there.
  const covers = isComplete ? always : () => false;
  return open.length === 0 && conditions.length === 0
    ? []
    : [{ kind: 'first_dead', conditions, covers }];
}

async function findRates({ stores }: FindDeps, { rulesOf, at }: FindInput): Promise<Finding[]> {
  const since = new Date(+bucketStartOf('hour', at) - unitMs.hour);
  const [counts, rejected] = await Promise.all([
    stores.noticeObservations.countRecent(since),
    stores.rejectionCounts.findMost({ since, limit: maxRejected }),
  ]);
  return [
    { kind: 'dead_rising', conditions: deadRising(counts, rulesOf), covers: always },
    {
      kind: 'rejections_rising',
      conditions: rejectionsRising(rejected.webhooks, counts, rulesOf),
      covers: always,
    },
  ];
}

async function findEndingKeys(
  { stores }: FindDeps,
  { rulesOf, at }: FindInput,
): Promise<Finding[]> {
  const before = new Date(+at + maxKeyHours * unitMs.hour);
  const keys = await stores.noticeObservations.listEndingKeys(at, before);
  return [{ kind: 'key_ending', conditions: keysEnding(keys, rulesOf, at), covers: always }];
}

async function findBacklog({ stores }: FindDeps, { rulesOf, at }: FindInput): Promise<Finding[]> {
  const { oldestAt } = await stores.installationCounts.countDueEvents();
  const conditions = backlogLate(oldestAt, rulesOf(null), at);
  return [{ kind: 'backlog_late', conditions, covers: always }];
}

async function findDestinations({ stores }: FindDeps): Promise<Finding[]> {
  const healths = await stores.channelHealth.listFailing(maxFailingChannels);
  const ids = healths.map(({ _id }) => _id);
  const channels = ids.length === 0 ? [] : await stores.channels.getMany(ids);
  const conditions = destinationsFailing(healths, channels);
  const covers = healths.length < maxFailingChannels ? always : () => false;
  return [{ kind: 'destination_failing', conditions, covers }];
}

type Inspected = Pick<Webhook, '_id' | 'activeVersion'>;

async function inspectWebhooks(deps: FindDeps, input: FindInput): Promise<Found> {
  const { stores } = deps;
  const { state, open, at, rulesOf } = input;
  const isRoundDue = state.afterId !== '' || +at - +state.roundAt >= roundMs;
  const webhooks = isRoundDue
    ? await stores.noticeObservations.listActive(state.afterId, inspectedPerTurn)
    : [];
  const inspected = new Set(webhooks.map(({ _id }) => _id));
  const ended = await findEnded(deps, open);
  const [silent, drifting] = [
    await observeSenders(deps, webhooks),
    await findDrift(deps, webhooks),
  ];
  const conditions = sendersSilent(silent, {
    rulesOf,
    observedSince: state.observedSince,
    at,
  });
  const covers = ({ webhookId }: Condition) => inspected.has(webhookId ?? '');
  const isEnded = (notice: Condition) => covers(notice) || ended.has(noticeKey(notice));
  const isLast = webhooks.length < inspectedPerTurn;
  const roundAt = state.afterId === '' && isRoundDue ? at : state.roundAt;
  return {
    findings: [
      { kind: 'sender_silent', conditions, covers: isEnded },
      { kind: 'mapping_drift', conditions: drifting, covers: isEnded },
    ],
    rotation: {
      afterId: isRoundDue && !isLast ? (webhooks.at(-1)?._id ?? '') : '',
      roundAt,
    },
  };
}

const noticeKey = ({ kind, webhookId }: Pick<Condition, 'kind' | 'webhookId'>): string =>
  `${kind}:${webhookId}`;

/** Returns the notices of silence and drift that are over: the webhook is not active any more, or events have arrived. */
async function findEnded(
  { stores }: FindDeps,
  open: readonly NoticeRecord[],
): Promise<ReadonlySet<string>> {
  const some = open
    .filter(({ kind }) => kind === 'sender_silent' || kind === 'mapping_drift')
    .slice(0, maxRejected);
  if (some.length === 0) return new Set();
  const ids = [...new Set(some.flatMap(({ webhookId }) => webhookId ?? []))];
  const [active, lifetimes] = await Promise.all([
    stores.webhooks.filterActive(ids),
    stores.stats.lifetimes(ids),
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

async function observeSenders(
  { stores }: FindDeps,
  webhooks: readonly Inspected[],
): Promise<ObservedSender[]> {
  const lifetimes = await stores.stats.lifetimes(webhooks.map(({ _id }) => _id));
  const senders: ObservedSender[] = [];
  for (const { webhookId, lastAt } of lifetimes) {
    if (lastAt === null) continue;
    const from = new Date(+lastAt - learnedMs);
    const hours = await stores.noticeObservations.hoursWithEvents(webhookId, { from, to: lastAt });
    senders.push({ webhookId, lastAt, rhythm: learnRhythm({ hours, lastAt }) });
  }
  return senders;
}

async function findDrift(
  { stores }: FindDeps,
  webhooks: readonly Inspected[],
): Promise<Condition[]> {
  const conditions: Condition[] = [];
  for (const { _id, activeVersion } of webhooks) {
    if (activeVersion === null) continue;
    const [buckets, active] = [
      await stores.drift.listNewest(_id),
      await stores.mappings.get(_id, activeVersion),
    ];
    if (buckets.length === 0 || !active) continue;
    conditions.push(...mappingDrift(_id, buckets, active.mapping));
  }
  return conditions;
}
