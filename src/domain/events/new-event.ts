/** Creates the record of a new event. */
import { newIdAt } from '../../base/ids.ts';
import type { EventRecord } from './event.ts';

type NewEvent = Pick<
  EventRecord,
  | 'webhookId'
  | 'channelId'
  | 'externalId'
  | 'delivery'
  | 'bodySha256'
  | 'bodyBytes'
  | 'mappingVersion'
  | 'receivedAt'
> &
  Partial<
    Pick<EventRecord, '_id' | 'parentId' | 'itemIndex' | 'test' | 'maxAttempts' | 'trace'>
  > & {
    readonly dedupKeys: readonly string[];
    readonly isHeld: boolean;
    readonly now: Date;
  };

/** Usually the hint arrives first. The sweeper hints the event after this time. */
const firstSweepMs = 15_000;

export function newEvent({ isHeld, now, dedupKeys, ...given }: NewEvent): EventRecord {
  const state = isHeld ? 'held' : 'received';
  return {
    _id: newIdAt(+given.receivedAt),
    parentId: null,
    itemIndex: null,
    ...given,
    ...(dedupKeys.length > 0 && { dedupKeys }),
    items: null,
    state,
    reason: null,
    eventType: null,
    eventDate: null,
    attempts: 0,
    deliveries: 1,
    differing: 0,
    generation: 0,
    crashes: 0,
    fence: 0,
    ...(!isHeld && { open: true }),
    dueAt: null,
    nextAt: isHeld ? null : new Date(+now + firstSweepMs),
    sweeps: 0,
    lastSeenAt: given.receivedAt,
    finishedAt: null,
    effects: null,
    problems: [],
    timeline: [{ at: now, state, reason: null }],
  };
}
