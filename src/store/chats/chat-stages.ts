/** Aggregation stages of the chat queries. Text from outside appears only in literals. */
import { maxUnread, type ChatStatus } from '../../domain/messages/chat.ts';

/** Filter of a chat query. A field that is absent does not restrict the result. */
export type ChatFilter = {
  readonly statuses: readonly ChatStatus[];
  readonly labelIds?: readonly string[];
  readonly channelIds?: readonly string[] | undefined;
  /** Agents who have the chat or joined it. */
  readonly agentIds?: readonly string[];
  readonly sectorIds?: readonly string[];
  readonly protocols?: readonly string[];
  /** Words of the contact's name or parts of them. Case and accents are ignored. */
  readonly name?: string;
  /** Consecutive digits of the contact's phone number, in any spelling of it. */
  readonly phoneDigits?: string;
  /** Range of `lastMessageAt`. Both ends are included. */
  readonly from?: Date;
  readonly to?: Date;
  readonly isUnread?: true;
  /** True: only chats of test events. Otherwise these chats are excluded. */
  readonly test?: boolean;
};

type Stage = Record<string, unknown>;

const oneOf = (field: string, values: readonly string[] | undefined): Stage =>
  values ? { [field]: { $in: [...values] } } : {};

/** Each given list of alternatives must match. */
const allOf = (alternatives: readonly (readonly Stage[] | undefined)[]): Stage => {
  const given = alternatives.flatMap((any) => (any ? [{ $or: [...any] }] : []));
  return given.length === 0 ? {} : { $and: given };
};

export function chatConditions(filter: ChatFilter): Stage {
  const { from, to } = filter;
  // The indexes of agents contain open chats only.
  const isOpen = filter.statuses.includes('closed') ? {} : { open: true };
  return {
    ...oneOf('status', filter.statuses),
    ...oneOf('labelIds', filter.labelIds),
    ...oneOf('channelId', filter.channelIds),
    ...oneOf('protocol', filter.protocols),
    ...allOf([
      filter.agentIds && [
        { ...isOpen, ...oneOf('agent.agentId', filter.agentIds) },
        { ...isOpen, ...oneOf('joined.agentId', filter.agentIds) },
      ],
      filter.sectorIds && [
        oneOf('sectorId', filter.sectorIds),
        { sectorId: { $exists: false }, ...oneOf('opening.sectorId', filter.sectorIds) },
      ],
    ]),
    test: { $exists: filter.test === true },
    lastMessageAt: { $ne: null, ...(from && { $gte: from }), ...(to && { $lte: to }) },
  };
}

/** Adds the contact of a chat and follows tombstones to the surviving contact. */
const withContact: readonly Stage[] = [
  {
    $graphLookup: {
      from: 'contacts',
      startWith: '$contactId',
      connectFromField: 'mergedInto',
      connectToField: '_id',
      as: 'contact',
    },
  },
  {
    $set: {
      contact: {
        $ifNull: [
          {
            $first: {
              $filter: {
                input: '$contact',
                cond: { $eq: [{ $type: '$$this.mergedInto' }, 'missing'] },
              },
            },
          },
          null,
        ],
      },
    },
  },
];

export const replySenders = { by: ['operator', 'bot'] } as const;

/**
 * Counts the client's messages that were stored after the last reply and after the chat was marked as read, among the newest
 * messages of the chat.
 */
export const unreadCountStages: readonly Stage[] = [
  {
    $lookup: {
      from: 'messages',
      localField: '_id',
      foreignField: 'chatId',
      pipeline: [
        { $sort: { date: -1, _id: -1 } },
        // One more, in which the reply before a hundred messages may be.
        { $limit: maxUnread + 1 },
        { $project: { typeUser: 1, date: 1, createdAt: 1 } },
      ],
      as: 'newest',
    },
  },
  {
    $set: {
      repliedAt: {
        $max: {
          $map: {
            input: {
              $filter: {
                input: '$newest',
                cond: { $in: ['$$this.typeUser', [...replySenders.by]] },
              },
            },
            in: '$$this.date',
          },
        },
      },
    },
  },
  {
    $set: {
      unread: {
        $size: {
          $filter: {
            input: '$newest',
            cond: {
              $and: [
                { $eq: ['$$this.typeUser', 'client'] },
                // An event may be processed after a reply and be dated before it.
                { $gt: ['$$this.createdAt', { $ifNull: ['$repliedAt', new Date(0)] }] },
                { $gt: ['$$this.createdAt', { $ifNull: ['$readAt', new Date(0)] }] },
              ],
            },
          },
        },
      },
    },
  },
  { $set: { unread: { $min: ['$unread', maxUnread] } } },
  { $unset: ['newest', 'repliedAt'] },
];

const joined = (from: string, [localField, as]: readonly [string, string]): Stage => ({
  $lookup: { from, localField, foreignField: '_id', as },
});

/** Adds the contact, channel, sector, agent and labels of a chat. Use it for the chats of one page only. */
export const chatViewStages: readonly Stage[] = [
  ...withContact,
  joined('channels', ['channelId', 'channel']),
  { $set: { sector: { $ifNull: ['$sectorId', '$opening.sectorId'] } } },
  joined('sectors', ['sector', 'sector']),
  joined('agents', ['agent.agentId', 'user']),
  joined('labels', ['labelIds', 'labels']),
  {
    $set: {
      channel: { $ifNull: [{ $first: '$channel' }, null] },
      sector: { $ifNull: [{ $first: '$sector' }, null] },
      user: { $ifNull: [{ $first: '$user' }, null] },
    },
  },
];
