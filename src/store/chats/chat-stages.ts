/** Aggregation stages of the chat queries. Text from outside appears only in literals. */
import type { ChatStatus } from '../../domain/messages/chat.ts';
import { escapeRegex } from '../db/queries.ts';

/** Filter of a chat query. A field that is absent does not restrict the result. */
export type ChatFilter = {
  readonly statuses: readonly ChatStatus[];
  readonly labelIds?: readonly string[];
  readonly channelIds?: readonly string[];
  readonly userIds?: readonly string[];
  readonly sectorIds?: readonly string[];
  readonly protocols?: readonly string[];
  /** Part of the contact's name. Case is ignored. */
  readonly name?: string;
  /** Consecutive digits of the contact's phone number. */
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

export function chatConditions(filter: ChatFilter): Stage {
  const { from, to } = filter;
  return {
    ...oneOf('status', filter.statuses),
    ...oneOf('labelIds', filter.labelIds),
    ...oneOf('channelId', filter.channelIds),
    ...oneOf('userId', filter.userIds),
    ...oneOf('opening.sectorId', filter.sectorIds),
    ...oneOf('protocol', filter.protocols),
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

/** Returns the conditions on the contact of a chat; null if there are none. */
export function contactConditions({ name, phoneDigits }: ChatFilter): Stage | null {
  const conditions = {
    ...(name !== undefined && {
      'registers.name.value': { $regex: escapeRegex(name), $options: 'i' },
    }),
    ...(phoneDigits !== undefined && {
      'registers.phone.value': { $regex: escapeRegex(phoneDigits) },
    }),
  };
  return Object.keys(conditions).length > 0 ? conditions : null;
}

export const replySenders = { by: ['operator', 'bot'] } as const;

/** Counts the client's messages after the last reply. */
export const unreadCountStages: readonly Stage[] = [
  {
    $lookup: {
      from: 'messages',
      localField: '_id',
      foreignField: 'chatId',
      pipeline: [
        { $match: { typeUser: { $in: [...replySenders.by] } } },
        { $sort: { date: -1 } },
        { $limit: 1 },
        { $project: { date: 1 } },
      ],
      as: 'replies',
    },
  },
  {
    $lookup: {
      from: 'messages',
      localField: '_id',
      foreignField: 'chatId',
      let: { repliedAt: { $ifNull: [{ $first: '$replies.date' }, new Date(0)] } },
      pipeline: [
        { $match: { typeUser: 'client', $expr: { $gt: ['$date', '$$repliedAt'] } } },
        { $count: 'count' },
      ],
      as: 'unread',
    },
  },
  { $set: { unread: { $ifNull: [{ $first: '$unread.count' }, 0] } } },
  { $unset: 'replies' },
];

const joined = (from: string, [localField, as]: readonly [string, string]): Stage => ({
  $lookup: { from, localField, foreignField: '_id', as },
});

/** Adds the contact, channel, sector and labels of a chat. Use it for the chats of one page only. */
export const chatViewStages: readonly Stage[] = [
  ...withContact,
  joined('channels', ['channelId', 'channel']),
  joined('sectors', ['opening.sectorId', 'sector']),
  joined('labels', ['labelIds', 'labels']),
  {
    $set: {
      channel: { $ifNull: [{ $first: '$channel' }, null] },
      sector: { $ifNull: [{ $first: '$sector' }, null] },
    },
  },
];
