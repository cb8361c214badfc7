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

export const findChannel = (db: Db, id: string) =>
  channelsOf(db.connection).findOne({ _id: id, ...notDeleted });

/** Returns all channel ids, including deleted channels. */
export const listChannelIds = (db: Db): Promise<string[]> => listAllIds(channelsOf(db.connection));

export const getChannels = (db: Db, ids: readonly string[]) =>
  channelsOf(db.connection)
    .find(anyOf({ _id: ids }))
    .toArray();

/** Deleted channels are absent. */
export const getPresentChannels = (db: Db, ids: readonly string[]) =>
  withDeadline((abort) =>
    channelsOf(db.connection)
      .find({ ...anyOf({ _id: ids }), ...notDeleted }, abort)
      .toArray(),
  );

/** Deletions are changes. */
export const listChangedChannels = (db: Db, date: Date, limit: number) =>
  listChanges(channelsOf(db.connection), 'updatedAt', { since: date, limit });

export const readChannelPage = (
  db: Db,
  filter: ChannelFilter,
  page: Page,
): Promise<Paged<ChannelRecord>> =>
  readPage(
    channelsOf(db.connection),
    {
      ...anyOf({ _id: filter.id, name: filter.name, kind: filter.kind }),
      ...(filter.enabled !== undefined && { enabled: filter.enabled }),
      ...inDateRange('createdAt', filter),
      ...notDeleted,
    },
    { ...page, hint: indexOf[Object.keys(page.sort)[0] ?? ''] ?? 'by_creation' },
  );

/** Time limit of the index scan of a backlog. After it, the deletion fails and may be retried. */
const maxScanMs = 5_000;

const eventsOf = (db: Db) => collectionOf<EventRecord>(db.connection, 'events');

const messagesOf = (db: Db) => collectionOf<MessageRecord>(db.connection, 'messages');

/** Finds the webhooks that use a channel. When there are none, finds an open event and an open delivery that need it. */
async function usersOf(db: Db, channelId: string, session: Session): Promise<ChannelUser[]> {
  const found = await webhooksOf(db.connection)
    .find<Pick<ChannelUser, '_id' | 'name'>>(
      { channelId, status: { $ne: 'archived' } },
      { session, projection: { name: 1 }, sort: { createdAt: -1 }, limit: maxUsers },
    )
    .toArray();
  if (found.length > 0) return found.map((user) => ({ type: 'webhook', ...user }));
  const options = { session, projection: { state: 1 }, maxTimeMS: maxScanMs } as const;
  const event =
    (await eventsOf(db).findOne(
      { open: true, channelId },
      { ...options, hint: 'due_by_webhook' },
    )) ?? (await eventsOf(db).findOne({ state: 'held', channelId }, options));
  const message = await messagesOf(db).findOne(
    { 'delivery.open': true, channelId },
    { ...options, projection: { 'delivery.state': 1 }, hint: 'due' },
  );
  return [
    ...(event ? [{ type: 'event' as const, _id: event._id, name: event.state }] : []),
    ...(message
      ? [{ type: 'delivery' as const, _id: message._id, name: message.delivery?.state ?? '' }]
      : []),
  ];
}

const auditedOf = (db: Db): AuditedRecords<ChannelRecord> => ({
  records: channelsOf(db.connection),
  type: 'channel',
  present: notDeleted,
  factsOf,
});

export async function insertChannel(
  db: Db,
  { id = newId(), ...given }: NewChannel,
  actor: Actor,
): Promise<ChannelRecord> {
  const now = db.clock.now();
  const record = { _id: id, ...given, enabled: true, createdAt: now, updatedAt: now };
  return (await insertAudited(db, auditedOf(db), { record, actor })).value;
}

/** Fails when the channel was deleted or has changed since it was read. */
export const updateChannel = (
  db: Db,
  { seen, change }: { readonly seen: ChannelRecord; readonly change: ChannelChange },
  actor: Actor,
) => changeSeen(db, auditedOf(db), { seen, change, actor, action: 'channel.change' });

/** Deletes a channel. Fails with some of its users while it is in use. */
export const markChannelDeleted = (db: Db, _id: string, actor: Actor) =>
  changeAuditedRecord<ChannelRecord, ChannelInUse>(db, auditedOf(db), {
    id: _id,
    actor,
    action: 'channel.delete',
    write: async (session) => {
      const users = await usersOf(db, _id, session);
      if (users.length > 0) return { ...failure('in_use'), users };
      await markDeleted(db.connection, { name: 'channels', id: _id }, session);
      const now = db.clock.now();
      const gone = { enabled: false, deletedAt: now, updatedAt: now };
      return updateRecord(
        auditedOf(db),
        { where: { _id }, update: { $set: gone, $unset: { secrets: true } } },
        session,
      );
    },
  });
