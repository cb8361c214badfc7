/**
 * Erases the events of a person: bodies and ids are removed, the record stays, so that counts stay and a resend is recognised.
 * Raises the fence, so that a worker that has claimed the event cannot finish it.
 */
import type { InboundRequest, EventRecord } from '../../domain/events/event.ts';
import type { ErasureRecord } from '../../domain/people/erasure.ts';
import { transitions } from '../../domain/events/lifecycle.ts';
import type { Collection, Connection } from '../db/connection.ts';
import { collectionOf } from '../db/connection.ts';
import { timelineWith } from '../events/state-change.ts';
import type { Session } from '../db/model.ts';

/** What is left of a body that holds other people too; null: nothing could be kept. */
export type RedactedBody = {
  readonly parentId: string;
  /** What it was cut from: a body that is another by now is not written over. */
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
   * Tells what it counts, and until when a worker may have one of them in hand. Null where a body has changed since it was
   * read, by another erasure or a resend: then nothing of it may stand.
   */
  return async function eraseEvents({ ids, bodies }: EventErasure, session: Session) {
    const where = { _id: { $in: [...ids] }, erased: { $exists: false } } as const;
    const inHand = await events
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
      waitUntil: latestDate(inHand.map(({ dueAt }) => dueAt)),
      counts: { events: modifiedCount, bodies: bodies.length, resends: copies.deletedCount },
    };
  };
}

export const latestDate = (times: readonly (Date | null)[]): Date | null => {
  const known = times.flatMap((time) => (time ? [+time] : []));
  return known.length > 0 ? new Date(Math.max(...known)) : null;
};

export type Erasures = Collection<ErasureRecord>;
