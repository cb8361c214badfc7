/** The conditions that need a person, in what the installation has stored. */
import { healthStateOf, type ChannelHealth } from '../domain/messages/channel-health.ts';
import type { ChannelRecord } from '../domain/messages/channel.ts';
import type { DriftBucket } from '../domain/mappings/drift.ts';
import type { MappingDocument } from '../domain/mappings/mapping.ts';
import type { Condition } from '../domain/notices/notice.ts';
import { chanceOfSilence, type Rhythm } from '../domain/notices/rhythm.ts';
import type { EffectiveRules } from '../domain/notices/rules.ts';
import { unitMs } from '../domain/stats.ts';
import { summarizeDrift } from '../mapping/drift/drift-summary.ts';

export type RulesOf = (webhookId: string | null) => EffectiveRules;

type Counted = { readonly webhookId: string; readonly count: number };

/** Counts of a webhook in this hour and the last. */
type RecentCounts = {
  readonly webhookId: string;
  readonly received: number;
  readonly dead: number;
};

/** How often the count has grown tenfold beyond the threshold. */
export const levelOf = (count: number, threshold: number): number =>
  count < threshold ? 0 : Math.floor(Math.log10(count / threshold) + 1e-9);

/** One condition for each webhook and reason that has dead letters. */
export const firstDead = (groups: readonly (Counted & { readonly reason: string })[]) =>
  groups.map(({ webhookId, reason: subject, count }): Condition => ({
    kind: 'first_dead',
    webhookId,
    subject,
    level: 0,
    facts: { count },
  }));

export const deadRising = (counts: readonly RecentCounts[], rulesOf: RulesOf) =>
  counts.flatMap(({ webhookId, dead: count }): Condition[] => {
    const threshold = rulesOf(webhookId).dead_rising.count;
    if (count < threshold) return [];
    const level = levelOf(count, threshold);
    return [{ kind: 'dead_rising', webhookId, subject: '', level, facts: { count } }];
  });

/** Rejections that are many in a short time, and a considerable share of the requests. */
export function rejectionsRising(
  rejected: readonly Counted[],
  counts: readonly RecentCounts[],
  rulesOf: RulesOf,
) {
  const receivedBy = new Map(counts.map(({ webhookId, received }) => [webhookId, received]));
  return rejected.flatMap(({ webhookId, count }): Condition[] => {
    const rule = rulesOf(webhookId).rejections_rising;
    const requests = count + (receivedBy.get(webhookId) ?? 0);
    if (count < rule.count || (count / requests) * 100 < rule.percent) return [];
    const level = levelOf(count, rule.count);
    return [{ kind: 'rejections_rising', webhookId, subject: '', level, facts: { count } }];
  });
}

/** The longest due event waits longer than the objective. */
export function backlogLate(
  since: Date | null,
  { backlog_late: { minutes } }: EffectiveRules,
  at: Date,
): Condition[] {
  if (since === null) return [];
  const [waitedMs, mostMs] = [+at - +since, minutes * unitMs.minute];
  if (waitedMs < mostMs) return [];
  const level = levelOf(waitedMs, mostMs);
  return [{ kind: 'backlog_late', webhookId: null, subject: '', level, facts: { since } }];
}

type EndingKey = {
  readonly _id: string;
  readonly webhookId: string;
  readonly expiresAt: Date;
  readonly uses: number;
  readonly usesBefore: number;
  /** Whether the webhook has a key that is valid for longer. */
  readonly hasSuccessor: boolean;
};

/** Path keys that end soon although the sender needs them: it has used them since the rotation, or there is no other. */
export const keysEnding = (keys: readonly EndingKey[], rulesOf: RulesOf, at: Date) =>
  keys.flatMap((key): Condition[] => {
    const { _id: subject, webhookId, expiresAt, uses, usesBefore, hasSuccessor } = key;
    const beginsMs = +expiresAt - rulesOf(webhookId).key_ending.hours * unitMs.hour;
    const isNeeded = !hasSuccessor || uses > usesBefore;
    if (+at < beginsMs || expiresAt <= at || !isNeeded) return [];
    return [{ kind: 'key_ending', webhookId, subject, level: 0, facts: { until: expiresAt } }];
  });

const levels = { healthy: 0, failing: 1, off: 10 } as const;

/** Channels that take no messages. Leaves out channels that are deleted, and those that a person disabled. */
export function destinationsFailing(
  healths: readonly ChannelHealth[],
  channels: readonly Pick<ChannelRecord, '_id' | 'name' | 'enabled' | 'deletedAt'>[],
) {
  const healthOf = new Map(healths.map((health) => [health._id, health]));
  return channels.flatMap((channel): Condition[] => {
    const health = healthOf.get(channel._id);
    const state = healthStateOf(health, channel);
    const isLeftOut = Boolean(channel.deletedAt) || (!channel.enabled && state !== 'off');
    if (!health || state === 'healthy' || isLeftOut) return [];
    const facts = { name: channel.name, since: health.failingSince ?? health.since };
    const [subject, level] = [channel._id, levels[state]];
    return [{ kind: 'destination_failing', webhookId: null, subject, level, facts }];
  });
}

type SilenceInput = {
  readonly rulesOf: RulesOf;
  /** Since when the installation has observed without a gap. A silence before is not the sender's. */
  readonly observedSince: Date;
  readonly at: Date;
};

export type ObservedSender = {
  readonly webhookId: string;
  readonly rhythm: Rhythm;
  readonly lastAt: Date;
};

/** Senders whose silence is unusual by their own rhythm. */
export const sendersSilent = (
  senders: readonly ObservedSender[],
  { rulesOf, observedSince, at }: SilenceInput,
) =>
  senders.flatMap(({ webhookId, rhythm, lastAt }): Condition[] => {
    const { oneIn, hours } = rulesOf(webhookId).sender_silent;
    const since = lastAt > observedSince ? lastAt : observedSince;
    if (+at - +since < hours * unitMs.hour) return [];
    if (chanceOfSilence(rhythm, { since, now: at }) > 1 / oneIn) return [];
    return [{ kind: 'sender_silent', webhookId, subject: '', level: 0, facts: { since: lastAt } }];
  });

const maxDriftTargets = 10;

/** Mappings that no longer read what the sender sends. New paths, which no mapping reads, need no person. */
export function mappingDrift(
  webhookId: string,
  buckets: readonly DriftBucket[],
  mapping: MappingDocument,
): Condition[] {
  const { warnings } = summarizeDrift(buckets, mapping);
  const read = warnings.filter(({ kind }) => kind !== 'new_path');
  if (read.length === 0) return [];
  const targets = [...new Set(read.flatMap(({ target }) => target ?? []))];
  const facts = { count: read.length, targets: targets.slice(0, maxDriftTargets) };
  return [{ kind: 'mapping_drift', webhookId, subject: '', level: targets.length, facts }];
}
