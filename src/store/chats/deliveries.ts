/**
 * Outbound deliveries, stored in the messages. Collection `messages`.
 *
 * Promises: a claim counts the attempt before the work and takes a lease with a new token and a higher fence, by the
 * database's clock. An outcome is written only while the claim holds, or where the next claim ended the delivery without knowing it.
 */
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import {
  deliveryStates,
  type DeliveryOutcome,
  type DeliveryState,
  type MessageDelivery,
} from '../../domain/messages/delivery.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { Reason } from '../../domain/events/actions.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import { defaultMaxAttempts } from '../../domain/webhooks/retries.ts';
import { changeAudited, type ChangeResult } from '../audit/audited-change.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import { bindTo, indexesOf, type Db } from '../db/connection.ts';
import {
  anyOf,
  inDateRange,
  listIds,
  literal,
  msFromNow,
  readList,
  readable,
} from '../db/queries.ts';
import { leaseExpressions } from '../db/lease.ts';

const collection = 'messages';

export const deliveryIndexes = indexesOf(collection, {
  // The key includes the channel so that the index skips excluded channels without reading their documents.
  due: {
    key: { 'delivery.open': 1, 'delivery.nextAt': 1, channelId: 1 },
    where: { 'delivery.open': true },
  },
  by_delivery: {
    key: { 'delivery.state': 1, createdAt: -1, _id: -1 },
    where: { 'delivery.state': { $exists: true } },
  },
  by_delivery_end: {
    key: { 'delivery.finishedAt': -1, _id: -1 },
    where: { 'delivery.finishedAt': { $type: 'date' } },
  },
  by_external_id: {
    key: { 'delivery.externalId': 1, channelId: 1 },
    where: { 'delivery.externalId': { $type: 'string' } },
  },
});

export type OutboundMessage = MessageRecord & { readonly delivery: MessageDelivery };

/** What a delivery queue needs of its documents. `channelId` names the destination. */
export type Outbound = {
  readonly _id: string;
  readonly channelId: string;
  readonly delivery: MessageDelivery;
};

/** `contactId`: the recipient, where the documents name one. */
export type DueDelivery = Pick<Outbound, '_id' | 'channelId'> & { readonly contactId?: string };

export type DeliveryFinish<Doc extends Outbound = OutboundMessage> = {
  readonly message: Doc;
  readonly outcome: DeliveryOutcome;
  /** Delay before the retry, in milliseconds. Ignored for other outcomes. */
  readonly delayMs: number;
};

/** Several values of one field match any of them. A field that is absent does not restrict the result. */
type DeliveryFilter = DateRange & {
  readonly state?: readonly DeliveryState[];
  readonly channelId?: readonly string[];
  /** Messages of these webhooks, and of these channels those that no event created. */
  readonly owners?: {
    readonly webhookIds: readonly string[];
    readonly channelIds: readonly string[];
  };
  readonly reason?: readonly string[];
};

const lease = leaseExpressions({ until: 'delivery.nextAt', token: 'delivery.token' });
const isSpent = { $gte: ['$delivery.attempts', defaultMaxAttempts] };

const claimStage = (token: string, leaseMs: number) => {
  const unlessSpent = (value: unknown, other: unknown) => ({ $cond: [isSpent, other, value] });
  const claimed = lease.claimed(token, leaseMs);
  return {
    $set: {
      'delivery.state': unlessSpent('sending', 'dead'),
      'delivery.reason': unlessSpent(null, spent),
      'delivery.isUnknown': {
        $or: [{ $eq: ['$delivery.state', 'sending'] }, { $eq: ['$delivery.isUnknown', true] }],
      },
      'delivery.attempts': { $add: ['$delivery.attempts', unlessSpent(1, 0)] },
      'delivery.fence': { $add: ['$delivery.fence', 1] },
      ...claimed,
      'delivery.nextAt': unlessSpent(claimed['delivery.nextAt'], null),
      'delivery.finishedAt': unlessSpent(null, '$$NOW'),
      'delivery.open': unlessSpent(true, '$$REMOVE'),
    },
  };
};

const unknown = 'delivery_unknown' satisfies Reason;
const spent = 'attempts_spent' satisfies Reason;

const finishStage = ({ outcome, delayMs }: Omit<DeliveryFinish, 'message'>) => {
  const waits = outcome.kind === 'retry';
  const free = waits ? outcome.free : undefined;
  // Kept where an earlier attempt is the reason, so that its late outcome settles the delivery.
  const isEarlier = outcome.kind === 'dead' && outcome.reason === unknown;
  return {
    $set: {
      'delivery.state': waits ? 'waiting' : outcome.kind,
      'delivery.reason': literal('reason' in outcome ? outcome.reason : null),
      'delivery.isUnknown': isEarlier ? '$delivery.isUnknown' : waits && outcome.isUnknown,
      'delivery.attempts': { $subtract: ['$delivery.attempts', free === undefined ? 0 : 1] },
      'delivery.unsent':
        free === 'inlet' ? { $add: [{ $ifNull: ['$delivery.unsent', 0] }, 1] } : '$$REMOVE',
      'delivery.token': '$$REMOVE',
      ...(outcome.kind === 'delivered' && {
        ...(outcome.externalId !== undefined && {
          'delivery.externalId': literal(outcome.externalId),
        }),
        // An earlier report was about the message of an earlier attempt.
        'delivery.reported': outcome.reported ?? '$$REMOVE',
      }),
      'delivery.nextAt': waits ? msFromNow(delayMs) : null,
      'delivery.finishedAt': waits ? null : '$$NOW',
      'delivery.open': waits ? true : '$$REMOVE',
    },
  };
};

const resendStage = {
  $set: {
    'delivery.state': 'waiting',
    'delivery.reason': null,
    'delivery.isUnknown': false,
    'delivery.token': '$$REMOVE',
    'delivery.attempts': 0,
    'delivery.unsent': '$$REMOVE',
    'delivery.fence': { $add: ['$delivery.fence', 1] },
    'delivery.nextAt': null,
    'delivery.finishedAt': null,
    'delivery.open': true,
  },
};

/** Makes a dead delivery due again and resets its attempts. Fails with `not_found` when it is not dead. */
export function createResend<Doc extends Outbound>(
  context: Db,
  documents: Collection<Doc>,
  moreFacts: (doc: Outbound) => AuditFacts = () => ({}),
) {
  // The cast holds because only the fields of `Outbound` are read and written.
  const queued = documents as unknown as Queued;

  return (_id: string, actor: Actor): Promise<ChangeResult<Doc>> => {
    const dead = { _id, 'delivery.state': 'dead' } as const;
    return changeAudited<Outbound>(context, {
      actor,
      action: 'delivery.retry',
      target: { type: 'delivery', id: _id },
      read: (session) => queued.findOne(dead, { session }),
      write: (session) =>
        queued.findOneAndUpdate(dead, [resendStage], { returnDocument: 'after', session }),
      factsOf: (doc) => {
        const { state, reason, attempts } = doc.delivery;
        return { state, reason, attempts, ...moreFacts(doc) };
      },
    }) as Promise<ChangeResult<Doc>>;
  };
}

type Queued = Collection<Outbound>;

/** Matches due deliveries that no worker holds. */
const isDue = { 'delivery.open': true, $expr: lease.isFree } as const;

const findByToken = (messages: Queued, ids: readonly string[], token: string) =>
  messages.find({ _id: { $in: [...ids] }, 'delivery.token': token }).toArray();

/**
 * Returns the claimed deliveries and those without attempts left (state `dead`). After an error it reads by the token, because the
 * update may have been applied. It rethrows the error when nothing was claimed.
 */
async function claimDeliveries(
  messages: Queued,
  ids: readonly string[],
  { token, leaseMs }: { readonly token: string; readonly leaseMs: number },
): Promise<Outbound[]> {
  const _id = { $in: [...ids] };
  const findClaimed = () => findByToken(messages, ids, token);
  try {
    const where = { _id, ...isDue, ...readable };
    const { matchedCount } = await messages.updateMany(where, [claimStage(token, leaseMs)]);
    return matchedCount === 0 ? [] : await findClaimed();
  } catch (error) {
    const applied = await findClaimed();
    if (applied.length === 0) throw error;
    return applied;
  }
}

/** Number of deliveries that one call postpones. The bound keeps one channel's backlog from blocking other channels. */
const maxPostponed = 1_000;
const postponedMs = 60_000;

async function postponeDeliveries(
  messages: Queued,
  channelIds: readonly string[],
  reason: Extract<Reason, 'channel_disabled' | 'channel_failing'>,
): Promise<void> {
  const waiting = { ...isDue, channelId: { $in: [...channelIds] }, ...readable };
  const order = { sort: { 'delivery.nextAt': 1 }, limit: maxPostponed } as const;
  const ids = await listIds(messages, waiting, order);
  const postponed = { 'delivery.nextAt': msFromNow(postponedMs), 'delivery.reason': reason };
  await messages.updateMany({ _id: { $in: ids }, ...isDue }, [{ $set: postponed }]);
}

export type DeliveryQueue<Doc extends Outbound> = ReturnType<typeof createDeliveryQueue<Doc>>;

export function createDeliveryQueue<Doc extends Outbound>(collectionOfDocs: Collection<Doc>) {
  // The cast holds because only the fields of `Outbound` are read and written.
  const messages = collectionOfDocs as unknown as Queued;
  return {
    ...bindTo(messages, { postpone: postponeDeliveries }),

    findDue: (limit: number, except: readonly string[]): Promise<DueDelivery[]> =>
      messages
        .find(
          { ...isDue, channelId: { $nin: [...except] }, ...readable },
          { projection: { channelId: 1, contactId: 1 }, sort: { 'delivery.nextAt': 1 }, limit },
        )
        .toArray(),

    claim: async (
      ids: readonly string[],
      claim: { readonly token: string; readonly leaseMs: number },
    ) => (await claimDeliveries(messages, ids, claim)) as Outbound[] as Doc[],

    /** Returns what a claim got whose answer was lost. */
    findClaimed: async (ids: readonly string[], token: string) =>
      (await findByToken(messages, ids, token)) as Outbound[] as Doc[],

    /** Makes due deliveries due again after `ms`, and changes nothing else. */
    async delay(ids: readonly string[], ms: number): Promise<void> {
      const later = { $set: { 'delivery.nextAt': msFromNow(ms) } };
      await messages.updateMany({ _id: { $in: [...ids] }, ...isDue }, [later]);
    },

    /**
     * Writes the outcome. Returns false when the claim is lost because another worker or an API request changed the delivery. A
     * delivery that the next claim ended, because it did not know this outcome, is settled by it.
     */
    async finish(finish: DeliveryFinish<Doc>): Promise<boolean> {
      const { _id, delivery } = finish.message;
      const { matchedCount } = await messages.updateOne(
        {
          _id,
          $or: [
            { 'delivery.token': delivery.token ?? '', 'delivery.fence': delivery.fence },
            {
              'delivery.state': 'dead',
              'delivery.reason': { $in: [unknown, spent] },
              'delivery.isUnknown': true,
              'delivery.fence': delivery.fence + 1,
            },
          ],
        },
        [finishStage(finish)],
      );
      return matchedCount === 1;
    },
  };
}

export function createDeliveryStore(context: Db) {
  const messages = collectionOf<OutboundMessage>(context.connection, collection);

  return {
    ...createDeliveryQueue(messages),

    resend: createResend(context, messages),

    get: (id: string) => messages.findOne({ _id: id, 'delivery.state': { $exists: true } }),

    list: (filter: DeliveryFilter, page: Page): Promise<Paged<OutboundMessage>> => {
      const { state = deliveryStates, channelId, owners, reason } = filter;
      const where = {
        ...anyOf({ 'delivery.state': state, channelId, 'delivery.reason': reason }),
        ...(owners && {
          $or: [
            anyOf({ webhookId: owners.webhookIds }),
            { webhookId: null, ...anyOf({ channelId: owners.channelIds }) },
          ],
        }),
        ...inDateRange('createdAt', filter),
        // Unfinished deliveries are excluded when the list is sorted by the finish time.
        ...('delivery.finishedAt' in page.sort && { 'delivery.finishedAt': { $type: 'date' } }),
      };
      return readList(messages, { where, page });
    },
  };
}
