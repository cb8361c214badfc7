/**
 * Webhooks. Collection `webhooks`.
 *
 * Promises: every transition is one conditional update, written with its audit row; every change that a receiver must detect
 * sets `changedAt` to the database's time.
 * Must never: hold a path key, only its hash.
 */
import { newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { foldName, foldedWords } from '../../domain/people/fold-name.ts';
import type { DateRange, Page } from '../../domain/pagination.ts';
import {
  webhookFieldsOf,
  type Webhook,
  type WebhookFields,
  type WebhookStatus,
} from '../../domain/webhooks/webhook.ts';
import { scheduleIndex } from './activation.ts';
import { markOneUsed } from '../chats/use-marks.ts';
import { indexesOf, inTransaction, type Session, type Db } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import {
  anyOf,
  escapeRegex,
  inDateRange,
  isEmpty,
  listAllIds,
  listChanges,
  listIds,
  literal,
  readPage,
} from '../db/queries.ts';
import { keysOf, keyLookupPipeline, newKey } from './keys.ts';
import { markSampled, webhooksOf } from './records.ts';
import { transitionWebhook, webhookFacts } from './transition.ts';
import { addAuditRow } from '../audit/audit.ts';

const byStatus = 'by_status';

export const webhookIndexes = [
  ...indexesOf('webhooks', {
    by_change: { key: { changedAt: 1 } },
    by_creation: { key: { createdAt: -1, _id: -1 } },
    by_channel: { key: { channelId: 1, createdAt: -1 } },
    by_name: { key: { nameKey: 1, _id: 1 } },
    [byStatus]: { key: { status: 1, _id: 1 } },
    by_profile: { key: { producerProfile: 1 } },
    by_update: { key: { updatedAt: -1, _id: -1 } },
  }),
  scheduleIndex,
];

export type WebhookFilter = DateRange & {
  /** Words that the name contains. Case and accents are ignored. */
  readonly search?: string;
  readonly id?: readonly string[];
  readonly name?: readonly string[];
  readonly channelId?: readonly string[];
  readonly status?: readonly string[];
  readonly producerProfile?: readonly string[];
};

/** Parts of words are matched by a scan of the index of folded names: about 10 ms for 10,000 names. */
function conditionsOf(filter: WebhookFilter): Readonly<Record<string, unknown>> {
  const { id: _id, search, name, channelId, status, producerProfile } = filter;
  const names = [
    ...(search === undefined ? [] : foldedWords(search)).map((word) => ({
      nameKey: { $regex: escapeRegex(word) },
    })),
    ...(name ? [{ name: { $in: [...name] }, nameKey: { $in: name.map(foldName) } }] : []),
  ];
  return {
    ...anyOf({ _id, channelId, status, producerProfile }),
    ...inDateRange('createdAt', filter),
    ...(names.length > 0 && { $and: names }),
  };
}

type NewWebhook = WebhookFields &
  Pick<Webhook, 'channelId' | 'producerProfile'> & {
    readonly keyHash: string;
    readonly keyLastFour: string;
  };

type WebhookSettingsChange = Pick<Webhook, 'producerProfile' | 'settings'>;

export type WebhookChange = Partial<WebhookFields> & { readonly channelId?: string };

type Keyed = { webhook: Webhook; keyId: string; expiresAt: Date | null };

/** One round trip, archived webhooks included. The map has no unknown, revoked or expired keys. */
export async function findWebhooksByKeyHashes(
  { connection }: Db,
  hashes: readonly string[],
  now: Date,
): Promise<Map<string, Keyed>> {
  const found = await withDeadline((abort) =>
    keysOf(connection)
      .aggregate<Omit<Keyed, 'keyId'> & { _id: string; hash: string }>(
        keyLookupPipeline(hashes, now),
        abort,
      )
      .toArray(),
  );
  return new Map(
    found.map(({ _id, hash, webhook, expiresAt }) => [hash, { keyId: _id, webhook, expiresAt }]),
  );
}

export const getWebhook = (db: Db, id: string) =>
  withDeadline((abort) => webhooksOf(db.connection).findOne({ _id: id }, abort));

export const nextWebhookOfChannels = (
  db: Db,
  channelIds: readonly string[],
  afterId: string,
): Promise<Webhook | null> =>
  webhooksOf(db.connection).findOne(
    { ...anyOf({ channelId: channelIds }), _id: { $gt: afterId } },
    { sort: { _id: 1 } },
  );

export const listWebhookIds = (db: Db): Promise<string[]> => listAllIds(webhooksOf(db.connection));

export const filterActiveWebhooks = (db: Db, ids: readonly string[]): Promise<string[]> =>
  listIds(webhooksOf(db.connection), { ...anyOf({ _id: ids }), status: 'active' });

export const getWebhooks = (db: Db, ids: readonly string[]) =>
  withDeadline((abort) =>
    webhooksOf(db.connection)
      .find(anyOf({ _id: ids }), abort)
      .toArray(),
  );

export const listWebhookIdsOfChannels = (
  db: Db,
  channelIds: readonly string[],
): Promise<string[]> => listIds(webhooksOf(db.connection), anyOf({ channelId: channelIds }));

export const listWebhooks = (db: Db, filter: WebhookFilter, page: Page) =>
  readPage(webhooksOf(db.connection), conditionsOf(filter), page);

/** Returns the number of webhooks by status. A status without webhooks is absent. */
export async function countWebhooksByStatus(
  db: Db,
  filter: WebhookFilter,
): Promise<ReadonlyMap<WebhookStatus, number>> {
  const conditions = conditionsOf(filter);
  const found = await webhooksOf(db.connection)
    .aggregate<{ _id: WebhookStatus; n: number }>(
      [{ $match: conditions }, { $group: { _id: '$status', n: { $sum: 1 } } }],
      isEmpty(conditions) ? { hint: byStatus } : {},
    )
    .toArray();
  return new Map(found.map(({ _id, n }) => [_id, n]));
}

/** Newest first. A change becomes visible at its commit, so a poll should start somewhat before its last result. */
export const listChangedWebhooks = (db: Db, date: Date, limit: number) =>
  listChanges(webhooksOf(db.connection), 'changedAt', { since: date, limit });

/** `unknown_channel`: the channel does not exist or is deleted. */
type CreateResult = Result<Webhook, Failure<'unknown_channel'>>;

/** Creates a webhook with its first path key. */
export function insertWebhook(db: Db, given: NewWebhook, actor: Actor): Promise<CreateResult> {
  const { connection } = db;
  const _id = newId();
  const { channelId, producerProfile, keyHash: hash, keyLastFour: lastFour } = given;
  return inTransaction(connection, async (session) => {
    if (!(await markOneUsed(connection, { name: 'channels', id: channelId }, session)))
      return failure('unknown_channel');
    const blank = {
      ...webhookFieldsOf(given),
      nameKey: foldName(given.name),
      channelId,
      producerProfile,
      settings: {},
      status: 'draft',
      sampledAt: null,
      activeVersion: null,
      lastVersion: 0,
      formerVersions: [],
      overlaps: [],
    } as const;
    const now = { createdAt: true, updatedAt: true, changedAt: true } as const;
    const webhook = await webhooksOf(connection).findOneAndUpdate(
      { _id },
      { $setOnInsert: blank, $currentDate: now },
      { session, upsert: true, returnDocument: 'after' },
    );
    if (!webhook) throw new Error('The upsert of the webhook returned no document.');
    const key = { hash, lastFour, createdAt: webhook.createdAt, expiresAt: null, ...newKey };
    await keysOf(connection).insertOne({ _id: newId(), webhookId: _id, ...key }, { session });
    const target = { type: 'webhook', id: _id } as const;
    const after = webhookFacts(webhook);
    await addAuditRow(db, { actor, action: 'webhook.create', target, after }, session);
    return success(webhook);
  });
}

const either = (condition: object, status: WebhookStatus, otherwise: WebhookStatus | object) => ({
  $cond: [condition, status, otherwise],
});

const statusOfSetup = either(
  { $ne: ['$activeVersion', null] },
  'paused',
  either(
    { $eq: ['$sampledAt', null] },
    'draft',
    either({ $gt: ['$lastVersion', 0] }, 'mapped', 'sampled'),
  ),
);

const literals = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, literal(value)]));

export const markWebhookPaused = (db: Db, id: string, actor: Actor) =>
  transitionWebhook(db, {
    id,
    where: { status: 'active' },
    set: { status: 'paused' },
    action: 'webhook.pause',
    actor,
  });

export const markWebhookResumed = (db: Db, id: string, actor: Actor) =>
  transitionWebhook(db, {
    id,
    where: { status: 'paused' },
    set: { status: 'active' },
    action: 'webhook.resume',
    actor,
  });

export function markWebhookArchived(db: Db, id: string, actor: Actor) {
  const set = { status: 'archived', schedule: null };
  return transitionWebhook(db, { id, where: {}, set, action: 'webhook.archive', actor });
}

/** A webhook that was active before becomes paused. `channel_deleted`: its channel is deleted and no other was given. */
export function markWebhookRestored(
  db: Db,
  { id, channelId }: { readonly id: string; readonly channelId?: string },
  actor: Actor,
) {
  const where = { status: 'archived' };
  const set = {
    status: statusOfSetup,
    ...(channelId !== undefined && literals({ channelId })),
  };
  const check = async (session: Session, before: Webhook) => {
    if (channelId !== undefined) return unknownChannel(db, channelId, session);
    if (before.status !== 'archived') return null;
    return (await markOneUsed(db.connection, { name: 'channels', id: before.channelId }, session))
      ? null
      : failure('channel_deleted');
  };
  const transition = { id, where, set, action: 'webhook.restore', actor } as const;
  return transitionWebhook<Failure<'unknown_channel' | 'channel_deleted'>>(db, transition, {
    check,
  });
}

export function updateWebhook(
  db: Db,
  { id, given }: { readonly id: string; readonly given: WebhookChange },
  actor: Actor,
) {
  const { name, channelId } = given;
  const set = literals({ ...given, ...(name !== undefined && { nameKey: foldName(name) }) });
  const where = { status: { $ne: 'archived' } };
  const check = async (session: Session) =>
    channelId === undefined ? null : unknownChannel(db, channelId, session);
  const transition = { id, where, set, action: 'webhook.update', actor } as const;
  return transitionWebhook<Failure<'unknown_channel'>>(db, transition, { check });
}

/** Fails when the webhook is archived or has changed since it was read, so that no other change is overwritten. */
export function updateWebhookSettings(
  db: Db,
  { webhook, given }: { readonly webhook: Webhook; readonly given: WebhookSettingsChange },
  actor: Actor,
) {
  const { _id: id, changedAt } = webhook;
  const where = { status: { $ne: 'archived' }, changedAt };
  const set = { ...literals(given), configuredAt: '$$NOW' };
  return transitionWebhook(db, { id, where, set, action: 'webhook.configure', actor });
}

export const markWebhookSampled = (db: Db, id: string): Promise<void> =>
  markSampled(webhooksOf(db.connection), id);

const unknownChannel = async (db: Db, id: string, session: Session) =>
  (await markOneUsed(db.connection, { name: 'channels', id }, session))
    ? null
    : failure('unknown_channel');
