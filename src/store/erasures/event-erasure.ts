/**
 * Erases the events of a person. Bodies and external ids are removed. The record stays, so that counts stay correct and a resend
 * is recognised. The fence is raised, so that a worker that has claimed the event cannot finish it.
 */
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';
import type { ErasureRecord } from '../../domain/people/erasure.ts';
import { transitions } from '../../domain/events/lifecycle.ts';
import { collectionOf, type Collection, type Connection, type Session } from '../db/connection.ts';
import { timelineWith } from '../events/state-change.ts';

/** A body that also names other people, reduced to their data. */
export type RedactedBody = {
  readonly parentId: string;
  /** The inbound request that was redacted. A body that has changed since then is not overwritten. */
  readonly seen: InboundRequest;
  readonly delivery: InboundRequest | null;
};

export type EventErasure = {
  readonly ids: readonly string[];
  readonly bodies: readonly RedactedBody[];
};

const openStates = transitions.discard.from.filter((state) => state !== 'dead');
const isOpen = { $in: ['$state', openStates] };
const ifOpen = (value: unknown, otherwise: unknown) => ({ $cond: [isOpen, value, otherwise] });

const erasedStages = [
  {
    $set: {
      erased: true,
      delivery: null,
      externalId: null,
      problems: [],
      state: ifOpen('discarded', '$state'),
      reason: ifOpen(null, '$reason'),
      timeline: ifOpen(
        timelineWith('discarded', 'erased'),
        timelineWith({ $toString: '$state' }, 'erased'),
      ),
      fence: { $add: ['$fence', 1] },
      dueAt: null,
      nextAt: null,
      finishedAt: { $ifNull: ['$finishedAt', '$$NOW'] },
    },
  },
  { $unset: ['claimToken', 'open', 'alone', 'resentBodies'] },
];

export function createEventErasure(connection: Connection) {
  const events = collectionOf<EventRecord>(connection, 'events');
  const resends = collectionOf<{ _id: string; eventId: string }>(connection, 'resends');

  /**
   * Returns the counts, and the time until which a worker may process one of the events. Returns null when another erasure or
   * a resend has changed a body since it was read: the caller must then abort the transaction.
   */
  return async function eraseEvents({ ids, bodies }: EventErasure, session: Session) {
    const where = { _id: { $in: [...ids] }, erased: { $exists: false } } as const;
    const inProcess = await events
      .find({ ...where, state: 'processing' }, { projection: { dueAt: 1 }, session })
      .toArray();
    const { modifiedCount } = await events.updateMany(where, erasedStages, { session });
    for (const { parentId, seen, delivery } of bodies) {
      const asSeen = { _id: parentId, 'delivery.body': seen.body };
      const { matchedCount } = await events.updateOne(asSeen, { $set: { delivery } }, { session });
      if (matchedCount === 0) return null;
    }
    const copies = await resends.deleteMany({ eventId: { $in: [...ids] } }, { session });
    return {
      waitUntil: latestDate(inProcess.map(({ dueAt }) => dueAt)),
      counts: { events: modifiedCount, bodies: bodies.length, resends: copies.deletedCount },
    };
  };
}

export const latestDate = (times: readonly (Date | null)[]): Date | null => {
  const known = times.flatMap((time) => (time ? [+time] : []));
  return known.length > 0 ? new Date(Math.max(...known)) : null;
};

export type Erasures = Collection<ErasureRecord>;
