/**
 * Webhooks. Collection `webhooks`.
 *
 * Promises: every transition is one conditional update, written with its audit row; every change that a receiver must detect
 * sets `changedAt` to the database's time.
 * Must never: hold a path key, only its hash.
 */
import type { StoreContext } from '../audit/audited-change.ts';
import { newId } from '../../base/ids.ts';
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { foldName, foldedWords } from '../../domain/people/fold-name.ts';
import type { DateRange, Page, Paged } from '../../domain/pagination.ts';
import type { Webhook, WebhookSettings, WebhookStatus } from '../../domain/webhooks/webhook.ts';
import { createActivation } from './activation.ts';
import { createUseMarks } from '../chats/use-marks.ts';
import { indexesOf, inTransaction, type Connection } from '../db/connection.ts';
import { withDeadline } from '../db/deadline.ts';
import { mapStoreErrors } from '../db/errors.ts';
import {
  anyOf,
  escapeRegex,
  inDateRange,
  isEmpty,
  listAllIds,
  listIds,
  literal,
  readPage,
} from '../db/queries.ts';
import { keysOf, keyLookupPipeline } from './keys.ts';
import { markSampled, webhooksOf } from './records.ts';
import { createScheduling, scheduleIndex } from './schedules.ts';
import { createWebhookChange, createWebhookTransition, webhookFacts } from './transition.ts';
import type { WebhookFailure } from './transition.ts';

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

type NewWebhook = {
  readonly name: string;
  readonly channelId: string;
  readonly producerProfile: string;
  readonly keyHash: string;
  readonly keyLastFour: string;
};

type WebhookConfiguration = {
  readonly producerProfile: string;
  readonly settings: WebhookSettings;
};

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(context: StoreContext) {
  const { connection } = context;
  return mapStoreErrors({
    ...createReading(connection),
    ...createChanging(context),
    create: createCreation(context),
    activate: createActivation(context),
    ...createScheduling(context),
  });
}

type Keyed = { webhook: Webhook; keyId: string; expiresAt: Date | null };

function findingByKey(connection: Connection) {
  const keys = keysOf(connection);
  /**
   * Finds webhooks by their keys in one round trip, archived webhooks included. The map has no unknown, revoked or expired
   * keys.
   */
  return async function findByKeyHashes(
    hashes: readonly string[],
    now: Date,
  ): Promise<Map<string, Keyed>> {
    const found = await withDeadline((abort) =>
      keys
        .aggregate<Omit<Keyed, 'keyId'> & { _id: string; hash: string }>(
          keyLookupPipeline(hashes, now),
          abort,
        )
        .toArray(),
    );
    return new Map(
      found.map(({ _id, hash, webhook, expiresAt }) => [hash, { keyId: _id, webhook, expiresAt }]),
    );
  };
}

function createReading(connection: Connection) {
  const webhooks = webhooksOf(connection);
  return {
    findByKeyHashes: findingByKey(connection),

    get: (id: string): Promise<Webhook | null> =>
      withDeadline((abort) => webhooks.findOne({ _id: id }, abort)),

    nextByChannels: (channelIds: readonly string[], afterId: string): Promise<Webhook | null> =>
      webhooks.findOne(
        { ...anyOf({ channelId: channelIds }), _id: { $gt: afterId } },
        { sort: { _id: 1 } },
      ),
    listIds: (): Promise<string[]> => listAllIds(webhooks),
    filterActive: (ids: readonly string[]): Promise<string[]> =>
      listIds(webhooks, { ...anyOf({ _id: ids }), status: 'active' }),
    getMany: (ids: readonly string[]): Promise<Webhook[]> =>
      webhooks.find(anyOf({ _id: ids })).toArray(),

    listIdsByChannels: (channelIds: readonly string[]): Promise<string[]> =>
      listIds(webhooks, anyOf({ channelId: channelIds })),

    list: (filter: WebhookFilter, page: Page): Promise<Paged<Webhook>> =>
      readPage(webhooks, conditionsOf(filter), page),

    /** Returns the number of webhooks by status. A status without webhooks is absent. */
    async countByStatus(filter: WebhookFilter): Promise<ReadonlyMap<WebhookStatus, number>> {
      const conditions = conditionsOf(filter);
      const found = await webhooks
        .aggregate<{ _id: WebhookStatus; n: number }>(
          [{ $match: conditions }, { $group: { _id: '$status', n: { $sum: 1 } } }],
          isEmpty(conditions) ? { hint: byStatus } : {},
        )
        .toArray();
      return new Map(found.map(({ _id, n }) => [_id, n]));
    },

    /**
     * Returns the newest changes at or after the date, newest first. A change becomes visible at its commit, after its
     * `changedAt`, so a poll should start somewhat before its last result.
     */
    async changedSince(date: Date, limit: number): Promise<{ id: string; changedAt: Date }[]> {
      const found = await webhooks
        .find({ changedAt: { $gte: date } })
        .sort({ changedAt: -1 })
        .limit(limit)
        .project<Pick<Webhook, '_id' | 'changedAt'>>({ changedAt: 1 })
        .toArray();
      return found.map(({ _id, changedAt }) => ({ id: _id, changedAt }));
    },
  };
}

/** `unknown_channel`: the channel does not exist or is deleted. */
type CreateResult = Result<Webhook, Failure<'unknown_channel'>>;
type ChangeResult = Result<Webhook, WebhookFailure | Failure<'unknown_channel'>>;
/** `channel_deleted`: the webhook's channel is deleted and no other channel was given. */
type RestoreResult = ChangeResult | Failure<'channel_deleted'>;

function createCreation(context: StoreContext) {
  const { connection, audit } = context;
  const webhooks = webhooksOf(connection);
  const keys = keysOf(connection);
  const marks = createUseMarks(connection);

  return function create(given: NewWebhook, actor: Actor): Promise<CreateResult> {
    const _id = newId();
    const { name, channelId, producerProfile, keyHash: hash, keyLastFour: lastFour } = given;
    return inTransaction(connection, async (session) => {
      if (!(await marks.channel(channelId, session))) return failure('unknown_channel');
      const blank = {
        name,
        nameKey: foldName(name),
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
      const webhook = await webhooks.findOneAndUpdate(
        { _id },
        { $setOnInsert: blank, $currentDate: now },
        { session, upsert: true, returnDocument: 'after' },
      );
      if (!webhook) throw new Error('The upsert of the webhook returned no document.');
      const key = {
        hash,
        lastFour,
        createdAt: webhook.createdAt,
        expiresAt: null,
        revokedAt: null,
      };
      await keys.insertOne({ _id: newId(), webhookId: _id, ...key }, { session });
      const target = { type: 'webhook', id: _id } as const;
      const after = webhookFacts(webhook);
      await audit.add({ actor, action: 'webhook.create', target, after }, session);
      return success(webhook);
    });
  };
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

function createRestore(context: StoreContext) {
  const { connection } = context;
  const change = createWebhookTransition(context);
  const marks = createUseMarks(connection);
  return function restore(
    id: string,
    { channelId }: { readonly channelId?: string },
    actor: Actor,
  ): Promise<RestoreResult> {
    return inTransaction(connection, async (session) => {
      if (channelId !== undefined && !(await marks.channel(channelId, session))) {
        return failure('unknown_channel');
      }
      const where = { status: 'archived' };
      const set = {
        status: statusOfSetup,
        ...(channelId !== undefined && { channelId: { $literal: channelId } }),
      };
      const changed = await change({ id, where, set, action: 'webhook.restore', actor }, session);
      if (!changed.ok || (await marks.channel(changed.value.channelId, session))) return changed;
      await session.abortTransaction();
      return failure('channel_deleted');
    });
  };
}

const literals = (fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, literal(value)]));

function createChanging(context: StoreContext) {
  const { connection } = context;
  const webhooks = webhooksOf(connection);
  const change = createWebhookTransition(context);
  const marks = createUseMarks(connection);

  const run = createWebhookChange(context);
  const move =
    (verb: 'pause' | 'resume', [from, to]: readonly [WebhookStatus, WebhookStatus]) =>
    (id: string, actor: Actor) =>
      run({ id, where: { status: from }, set: { status: to }, action: `webhook.${verb}`, actor });

  return {
    pause: move('pause', ['active', 'paused']),
    resume: move('resume', ['paused', 'active']),
    archive: (id: string, actor: Actor) =>
      run({
        id,
        where: {},
        set: { status: 'archived', schedule: null },
        action: 'webhook.archive',
        actor,
      }),

    /**
     * Restores an archived webhook to the status that its set-up had reached. A webhook that was active before becomes paused, so
     * that nothing is processed unexpectedly.
     */
    restore: createRestore(context),

    update: (
      id: string,
      given: { name?: string; channelId?: string },
      actor: Actor,
    ): Promise<ChangeResult> => {
      const { name, channelId } = given;
      const set = literals({ ...given, ...(name !== undefined && { nameKey: foldName(name) }) });
      const where = { status: { $ne: 'archived' } };
      return inTransaction(connection, async (session) => {
        if (channelId !== undefined && !(await marks.channel(channelId, session))) {
          return failure('unknown_channel');
        }
        return change({ id, where, set, action: 'webhook.update', actor }, session);
      });
    },

    /** Fails when the webhook is archived or has changed since it was read, so that no other change is overwritten. */
    configure: (
      { _id: id, changedAt: seen }: Webhook,
      given: WebhookConfiguration,
      actor: Actor,
    ) => {
      const where = { status: { $ne: 'archived' }, changedAt: seen };
      const set = { ...literals(given), configuredAt: '$$NOW' };
      return run({ id, where, set, action: 'webhook.configure', actor });
    },

    markSampled: (id: string): Promise<void> => markSampled(webhooks, id),
  };
}
