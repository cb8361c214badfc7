/** Creates the record of a new event. */
import { newId } from '../../base/ids.ts';
import type { InboundRequest, EventRecord, EventTest } from './event.ts';

type NewEvent = {
  readonly _id?: string;
  readonly webhookId: string;
  readonly channelId: string;
  readonly externalId: string | null;
  readonly dedupKeys: readonly string[];
  readonly delivery: InboundRequest | null;
  readonly bodySha256: string;
  readonly bodyBytes: number;
  readonly parentId?: string;
  readonly itemIndex?: number;
  readonly mappingVersion: number;
  readonly test?: EventTest | undefined;
  /** The webhook's attempt limit, if set. */
  readonly maxAttempts?: number | undefined;
  readonly isHeld: boolean;
  readonly receivedAt: Date;
  readonly now: Date;
};

/** Usually the hint arrives first. The sweeper hints the event after this time. */
const firstSweepMs = 15_000;

export function newEvent(event: NewEvent): EventRecord {
  const state = event.isHeld ? 'held' : 'received';
  return {
    _id: event._id ?? newId(),
    webhookId: event.webhookId,
    ...(event.test && { test: event.test }),
    channelId: event.channelId,
    externalId: event.externalId,
    ...(event.dedupKeys.length > 0 && { dedupKeys: event.dedupKeys }),
    delivery: event.delivery,
    bodySha256: event.bodySha256,
    bodyBytes: event.bodyBytes,
    parentId: event.parentId ?? null,
    itemIndex: event.itemIndex ?? null,
    items: null,
    mappingVersion: event.mappingVersion,
    state,
    reason: null,
    eventType: null,
    eventDate: null,
    attempts: 0,
    ...(event.maxAttempts !== undefined && { maxAttempts: event.maxAttempts }),
    deliveries: 1,
    differing: 0,
    generation: 0,
    crashes: 0,
    fence: 0,
    ...(!event.isHeld && { open: true }),
    dueAt: null,
    nextAt: event.isHeld ? null : new Date(+event.now + firstSweepMs),
    sweeps: 0,
    receivedAt: event.receivedAt,
    lastSeenAt: event.receivedAt,
    finishedAt: null,
    effects: null,
    problems: [],
    timeline: [{ at: event.now, state, reason: null }],
  };
}
