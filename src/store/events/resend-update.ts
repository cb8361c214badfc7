/** The update pipeline that counts resends on their first event, and revives an event that a resend can revive. */
import type { TraceContext } from '../../base/observability/tracing.ts';
import { maxResends } from '../../domain/events/event.ts';
import { transitions, type StateAfter } from '../../domain/events/lifecycle.ts';
import { literal } from '../db/queries.ts';
import { maxKeptBodies, type ResendBody } from './resend-bodies.ts';
import { stateChange } from './state-change.ts';

export type ResentEvent = ResendBody & {
  readonly webhookId: string;
  readonly channelId: string;
  readonly dedupKeys: readonly string[];
  /** After a revival the processing continues the trace of the resend. */
  readonly trace?: TraceContext | undefined;
  readonly mappingVersion: number;
  /** The state of the event after a revival: `held` when the webhook is paused. */
  readonly revivedState: StateAfter<'revive'>;
  /** The webhook's own limit, if it has one. */
  readonly maxAttempts?: number | undefined;
};

/** Equal resends of one event. Only the first of them can revive it. */
export type EqualResends = { readonly resend: ResentEvent; readonly times: number };

/** A resend revives a dead event, and an ignored event whose mapping version is older. */
const isRevivable = (version: number) => ({
  $and: [
    { $in: ['$state', [...transitions.revive.from]] },
    { $ne: ['$erased', true] },
    { $or: [{ $ne: ['$state', 'ignored'] }, { $gt: [version, '$mappingVersion'] }] },
  ],
});

/** Returns the count and the list of resends after `times` equal ones. */
export function countFields(bodySha256: string, times: number, revived: object | false = false) {
  const first = Math.max(1, times - maxResends + 1);
  const lines = Array.from({ length: times - first + 1 }, (_, index) => ({
    n: { $add: ['$deliveries', first + index] },
    at: '$$NOW',
    bodySha256,
    revived: first + index === 1 ? revived : false,
  }));
  const all = { $concatArrays: [{ $ifNull: ['$resends', []] }, lines] };
  return {
    deliveries: { $add: ['$deliveries', times] },
    resends: { $slice: [all, -maxResends] },
    lastSeenAt: '$$NOW',
  };
}

function differingFields({ bodySha256, mappingVersion }: ResentEvent, times: number) {
  // After a revival the event has the body of the resends.
  const others = { $cond: [isRevivable(mappingVersion), 1, times] };
  const more = { $cond: [{ $eq: ['$bodySha256', bodySha256] }, 0, others] };
  return { differing: { $add: ['$differing', more] } };
}

/** When the bodies differ, a copy is kept of the one that the event does not store. */
function copyHashes({ bodySha256, mappingVersion }: ResentEvent) {
  const isOther = { $ne: ['$bodySha256', bodySha256] };
  const keep = { $cond: [isRevivable(mappingVersion), '$bodySha256', bodySha256] };
  const others = {
    $filter: {
      input: { $ifNull: ['$resentBodies', []] },
      cond: { $not: { $in: ['$$this', [bodySha256, '$bodySha256']] } },
    },
  };
  const kept = { $slice: [{ $concatArrays: [others, [keep]] }, -maxKeptBodies] };
  return { resentBodies: { $cond: [isOther, kept, { $ifNull: ['$resentBodies', '$$REMOVE'] }] } };
}

function revivalFields(resend: ResentEvent) {
  const when = (value: unknown, field: string) => ({ $cond: ['$revived', value, `$${field}`] });
  const isHeld = resend.revivedState === 'held';
  const previousBody = { $concat: ['resent, the body before was ', '$bodySha256'] };
  const { state, timeline } = stateChange('revive', resend.revivedState, previousBody);
  return {
    timeline: when(timeline, 'timeline'),
    state: when(state, 'state'),
    reason: when(null, 'reason'),
    delivery: when(literal(resend.delivery), 'delivery'),
    trace: when(resend.trace ?? '$$REMOVE', 'trace'),
    strippedAt: when('$$REMOVE', 'strippedAt'),
    firstSha256: when({ $ifNull: ['$firstSha256', '$bodySha256'] }, 'firstSha256'),
    bodySha256: when(resend.bodySha256, 'bodySha256'),
    bodyBytes: when(resend.bodyBytes, 'bodyBytes'),
    parentId: when(resend.parentId, 'parentId'),
    itemIndex: when(resend.itemIndex, 'itemIndex'),
    channelId: when(resend.channelId, 'channelId'),
    mappingVersion: when(resend.mappingVersion, 'mappingVersion'),
    attempts: when(0, 'attempts'),
    maxAttempts: when(resend.maxAttempts ?? '$$REMOVE', 'maxAttempts'),
    generation: when({ $add: ['$generation', 1] }, 'generation'),
    fence: when({ $add: ['$fence', 1] }, 'fence'),
    dueAt: when(null, 'dueAt'),
    nextAt: when(isHeld ? null : '$$NOW', 'nextAt'),
    sweeps: when(0, 'sweeps'),
    crashes: when(0, 'crashes'),
    alone: when('$$REMOVE', 'alone'),
    finishedAt: when(null, 'finishedAt'),
    livesAgainAt: when('$$NOW', 'livesAgainAt'),
    open: when(isHeld ? '$$REMOVE' : true, 'open'),
  };
}

/** Returns the stages that count equal resends, the first of which may revive the event. */
export function resendStages({ resend, times }: EqualResends): Record<string, unknown>[] {
  const revived = isRevivable(resend.mappingVersion);
  return [
    {
      $set: {
        ...countFields(resend.bodySha256, times, revived),
        ...differingFields(resend, times),
        ...copyHashes(resend),
        revived,
      },
    },
    { $set: revivalFields(resend) },
    { $unset: 'revived' },
  ];
}

/** Returns an expression for whether one of the resends replaces the body of the event. */
export const replacesBody = (resends: readonly ResentEvent[]) => ({
  $or: resends.map(({ bodySha256, mappingVersion }) => ({
    $and: [{ $ne: ['$bodySha256', bodySha256] }, isRevivable(mappingVersion)],
  })),
});
