/**
 * Channels by id. Collection `channels`. Each change is written with its audit row.
 *
 * Promises: a channel is not deleted while a webhook uses it or an acknowledged event or an open delivery needs it, also when
 * the deletion and the use are concurrent. A deleted channel keeps its name for its chats and loses its secrets.
 */
import { newId } from '../../base/ids.ts';
import { failure, type Failure } from '../../base/result.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { ChannelRecord } from '../../domain/messages/channel.ts';
import type { EventRecord } from '../../domain/events/event.ts';
import type { MessageRecord } from '../../domain/messages/message.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import {
  changeAuditedRecord,
  insertAudited,
  updateRecord,
  type AuditedRecords,
} from '../audit/audited-change.ts';
import { collectionOf } from '../db/collection.ts';
import { indexesOf, type Connection, type Session, type Db } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import { anyOf, inDateRange, listAllIds, listChanges, readPage } from '../db/queries.ts';
import { markDeleted } from '../chats/use-marks.ts';
import { webhooksOf } from '../webhooks/records.ts';
import { changeSeen, settingsFacts, type SecretsChange } from './sealed-settings.ts';

export const channelIndexes = [
  ...indexesOf('channels', {
    by_creation: { key: { createdAt: -1, _id: -1 } },
    by_name: { key: { name: 1, _id: 1 } },
    by_update: { key: { updatedAt: -1, _id: -1 } },
  }),
  ...indexesOf('events', {
    // The index contains held events only, so that other events do not write to it. A deletion searches it for one event.
    held_by_channel: { key: { channelId: 1 }, where: { state: 'held' } },
  }),
];

/** Index by sort field. A list uses the index of its order for every filter, because channels are few. */
const indexOf: Readonly<Record<string, string>> = { name: 'by_name', updatedAt: 'by_update' };

export type ChannelFilter = DateRange & {
  readonly id?: readonly string[];
  readonly name?: readonly string[];
  readonly kind?: readonly string[];
  readonly enabled?: boolean;
};

type NewChannel = Pick<ChannelRecord, 'name' | 'kind' | 'settings' | 'secrets'> & {
  /** Set when secrets are sealed for this id before the insert. Otherwise the store creates an id. */
  readonly id?: string;
};

type ChannelChange = Partial<Pick<ChannelRecord, 'name' | 'settings' | 'enabled'>> & SecretsChange;

/** A webhook, open event or open delivery that prevents the deletion of a channel. */
type ChannelUser = {
  readonly type: 'webhook' | 'event' | 'delivery';
  readonly _id: string;
  readonly name: string;
};

type ChannelInUse = Failure<'in_use'> & { readonly users: readonly ChannelUser[] };

const factsOf = (channel: ChannelRecord, before = channel): AuditFacts => ({
  name: channel.name,
  kind: channel.kind,
  enabled: channel.enabled,
  settings: settingsFacts(channel, before),
});

const notDeleted = { deletedAt: null };

const channelsOf = (connection: Connection) => collectionOf<ChannelRecord>(connection, 'channels');

const maxUsers = 10;

export function createChannelStore(context: Db) {
  const { connection } = context;
  const channels = channelsOf(connection);
  return {
    ...createChanging(context),
    get: (id: string) => channels.findOne({ _id: id, ...notDeleted }),
    /** Returns all channel ids, including deleted channels. */
    listIds: (): Promise<string[]> => listAllIds(channels),
    getMany: (ids: readonly string[]) => channels.find(anyOf({ _id: ids })).toArray(),
    /** Deleted channels are absent. */
    getPresent: (ids: readonly string[]) =>
      withDeadline((abort) =>
        channels.find({ ...anyOf({ _id: ids }), ...notDeleted }, abort).toArray(),
      ),
    /** Deletions are changes. */
    changedSince: (date: Date, limit: number) =>
      listChanges(channels, 'updatedAt', { since: date, limit }),
    list: (filter: ChannelFilter, page: Page): Promise<Paged<ChannelRecord>> =>
      readPage(
        channels,
        {
          ...anyOf({ _id: filter.id, name: filter.name, kind: filter.kind }),
          ...(filter.enabled !== undefined && { enabled: filter.enabled }),
          ...inDateRange('createdAt', filter),
          ...notDeleted,
        },
        { ...page, hint: indexOf[Object.keys(page.sort)[0] ?? ''] ?? 'by_creation' },
      ),
  };
}

/** Time limit of the index scan of a backlog. After it, the deletion fails and may be retried. */
const maxScanMs = 5_000;

/** Finds the webhooks that use a channel. When there are none, finds an open event and an open delivery that need it. */
function createUsers(connection: Connection) {
  const webhooks = webhooksOf(connection);
  const events = collectionOf<EventRecord>(connection, 'events');
  const messages = collectionOf<MessageRecord>(connection, 'messages');

  return async function usersOf(channelId: string, session: Session): Promise<ChannelUser[]> {
    const found = await webhooks
      .find<Pick<ChannelUser, '_id' | 'name'>>(
        { channelId, status: { $ne: 'archived' } },
        { session, projection: { name: 1 }, sort: { createdAt: -1 }, limit: maxUsers },
      )
      .toArray();
    if (found.length > 0) return found.map((user) => ({ type: 'webhook', ...user }));
    const options = { session, projection: { state: 1 }, maxTimeMS: maxScanMs } as const;
    const event =
      (await events.findOne({ open: true, channelId }, { ...options, hint: 'due_by_webhook' })) ??
      (await events.findOne({ state: 'held', channelId }, options));
    const message = await messages.findOne(
      { 'delivery.open': true, channelId },
      { ...options, projection: { 'delivery.state': 1 }, hint: 'due' },
    );
    return [
      ...(event ? [{ type: 'event' as const, _id: event._id, name: event.state }] : []),
      ...(message
        ? [{ type: 'delivery' as const, _id: message._id, name: message.delivery?.state ?? '' }]
        : []),
    ];
  };
}

function createChanging(context: Db) {
  const { connection, clock } = context;
  const audited: AuditedRecords<ChannelRecord> = {
    records: channelsOf(connection),
    type: 'channel',
    present: notDeleted,
    factsOf,
  };
  const usersOf = createUsers(connection);

  return {
    async create({ id = newId(), ...given }: NewChannel, actor: Actor): Promise<ChannelRecord> {
      const now = clock.now();
      const record = { _id: id, ...given, enabled: true, createdAt: now, updatedAt: now };
      return (await insertAudited(context, audited, { record, actor })).value;
    },

    /** Fails when the channel was deleted or has changed since it was read. */
    change: (seen: ChannelRecord, change: ChannelChange, actor: Actor) =>
      changeSeen(context, audited, { seen, change, actor, action: 'channel.change' }),

    /** Deletes a channel. Fails with some of its users while it is in use. */
    remove: (_id: string, actor: Actor) =>
      changeAuditedRecord<ChannelRecord, ChannelInUse>(context, audited, {
        id: _id,
        actor,
        action: 'channel.delete',
        write: async (session) => {
          const users = await usersOf(_id, session);
          if (users.length > 0) return { ...failure('in_use'), users };
          await markDeleted(connection, { name: 'channels', id: _id }, session);
          const now = clock.now();
          const gone = { enabled: false, deletedAt: now, updatedAt: now };
          return updateRecord(
            audited,
            { where: { _id }, update: { $set: gone, $unset: { secrets: true } } },
            session,
          );
        },
      }),
  };
}
