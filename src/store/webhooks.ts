/**
 * Webhooks and their path keys.
 *
 * Promises: every transition is one conditional update, never a check and then a write; it stands or falls together with
 * its audit row; whatever a receiver must notice moves `changedAt`, in the database's time.
 * Must never: hold a path key, only its hash.
 */
import { newId } from '../base/ids.ts';
import type { Actor } from '../domain/audit.ts';
import type { DateRange, Page, Paged } from '../domain/paging.ts';
import type { PathKey, Webhook, WebhookSettings, WebhookStatus } from '../domain/webhook.ts';
import { createActivation } from './activation.ts';
import { createAuditStore } from './audit.ts';
import { collectionOf, decisive, promptly } from './connection.ts';
import type { Connection, IndexSpec } from './connection.ts';
import { keyCollection, keyModel, webhookOfKey } from './keys.ts';
import { anyOf, inTransaction, readPage, sayingUnavailable, within } from './model.ts';
import { webhookModel } from './records.ts';
import { createTransition, factsOf, noticed } from './transition.ts';
import type { Transition } from './transition.ts';

export const webhookIndexes: readonly IndexSpec[] = [
  { collection: 'webhooks', name: 'by_change', key: { changedAt: 1 } },
  { collection: 'webhooks', name: 'by_creation', key: { createdAt: -1, _id: -1 } },
  { collection: 'webhooks', name: 'by_channel', key: { channelId: 1, createdAt: -1 } },
];

export type WebhookFilter = DateRange & {
  readonly name?: readonly string[];
  readonly channelId?: readonly string[];
  readonly status?: readonly string[];
  readonly producerProfile?: readonly string[];
};

export type NewWebhook = {
  readonly name: string;
  readonly channelId: string;
  readonly producerProfile: string;
  readonly keyHash: string;
  readonly keyLastFour: string;
};

export type Configuration = {
  readonly producerProfile: string;
  readonly settings: WebhookSettings;
};

export type WebhookStore = ReturnType<typeof createWebhookStore>;

export function createWebhookStore(connection: Connection) {
  return sayingUnavailable({
    ...createReading(connection),
    ...createChanging(connection),
    create: createCreation(connection),
    /** In one transaction with the versions' status and the audit row. */
    activate: createActivation(connection),
  });
}

function createReading(connection: Connection) {
  const webhooks = webhookModel(connection);
  const keys = collectionOf<PathKey>(connection, keyCollection);
  return {
    /** One round trip. Archived webhooks included; revoked and expired keys not. */
    async findByKeyHash(
      hash: string,
      now: Date,
    ): Promise<{ webhook: Webhook; keyId: string } | null> {
      const [found] = await promptly((abort) =>
        keys
          .aggregate<{ _id: string; webhook: Webhook }>(webhookOfKey(hash, now), {
            ...abort,
            ...decisive,
          })
          .toArray(),
      );
      return found ? { webhook: found.webhook, keyId: found._id } : null;
    },

    get: (id: string): Promise<Webhook | null> =>
      webhooks.findById(id).lean<Webhook | null>().exec(),

    getMany: (ids: readonly string[]): Promise<Webhook[]> =>
      webhooks
        .find(anyOf({ _id: ids }) as never)
        .lean<Webhook[]>()
        .exec(),

    list: (filter: WebhookFilter, page: Page): Promise<Paged<Webhook>> => {
      const { name, channelId, status, producerProfile } = filter;
      const lists = anyOf({ name, channelId, status, producerProfile });
      return readPage(webhooks, { ...lists, ...within('createdAt', filter) }, page);
    },

    /**
     * Oldest change first, the date included. From null: only the newest change, to begin from. A transaction's change
     * shows once committed, later than its own time, so a poll should ask again from a little earlier.
     */
    async changedSince(date: Date | null): Promise<{ id: string; changedAt: Date }[]> {
      const query = date
        ? webhooks.find({ changedAt: { $gte: date } }).sort({ changedAt: 1 })
        : webhooks.find().sort({ changedAt: -1 }).limit(1);
      const found = await query
        .select({ changedAt: 1 })
        .lean<Pick<Webhook, '_id' | 'changedAt'>[]>();
      return found.map(({ _id, changedAt }) => ({ id: _id, changedAt }));
    },
  };
}

function createCreation(connection: Connection) {
  const webhooks = webhookModel(connection);
  const keys = keyModel(connection);
  const audit = createAuditStore(connection);

  return function create(given: NewWebhook, actor: Actor): Promise<Webhook> {
    const _id = newId();
    const { name, channelId, producerProfile, keyHash: hash, keyLastFour: lastFour } = given;
    return inTransaction(connection, async (session) => {
      const blank = {
        name,
        channelId,
        producerProfile,
        settings: {},
        status: 'draft',
        sampledAt: null,
        activeVersion: null,
        lastVersion: 0,
        overlaps: [],
      };
      const now = { createdAt: true, updatedAt: true, changedAt: true } as const;
      const webhook = await webhooks
        .findOneAndUpdate(
          { _id },
          { $setOnInsert: blank, $currentDate: now },
          { session, upsert: true, returnDocument: 'after' },
        )
        .orFail()
        .lean<Webhook>();
      const key = {
        hash,
        lastFour,
        createdAt: webhook.createdAt,
        expiresAt: null,
        revokedAt: null,
      };
      await keys.create([{ _id: newId(), webhookId: _id, ...key }], { session });
      const target = { type: 'webhook', id: _id } as const;
      const entry = { actor, action: 'webhook.create', target, before: null };
      await audit.add({ ...entry, after: factsOf(webhook) }, session);
      return webhook;
    });
  };
}

function createChanging(connection: Connection) {
  const webhooks = webhookModel(connection);
  const change = createTransition(connection);

  async function run(transition: Transition): Promise<Webhook | null> {
    const changed = await inTransaction(connection, (session) => change(transition, session));
    return changed && changed.after;
  }
  const move = (verb: string, [from, to]: readonly [WebhookStatus | null, WebhookStatus]) => {
    const where = from ? { status: from } : {};
    return (id: string, actor: Actor): Promise<Webhook | null> =>
      run({ id, where, set: { status: to }, action: `webhook.${verb}`, actor });
  };

  return {
    /** Each gives null when the webhook does not exist or its state forbids it. */
    pause: move('pause', ['active', 'paused']),
    resume: move('resume', ['paused', 'active']),
    archive: move('archive', [null, 'archived']),

    rename: (
      id: string,
      given: { name?: string; channelId?: string },
      actor: Actor,
    ): Promise<Webhook | null> => {
      const set = Object.fromEntries(
        Object.entries(given).map(([field, value]) => [field, { $literal: value }]),
      );
      const where = { status: { $ne: 'archived' } };
      return run({ id, where, set, action: 'webhook.update', actor });
    },

    /**
     * Null when the webhook is archived, or has changed since it was read: a part that somebody else has just set is not
     * written over.
     */
    configure: (
      { _id: id, changedAt: seen }: Webhook,
      given: Configuration,
      actor: Actor,
    ): Promise<Webhook | null> => {
      const set = Object.fromEntries(
        Object.entries(given).map(([field, value]) => [field, { $literal: value }]),
      );
      const where = { status: { $ne: 'archived' }, changedAt: seen };
      return run({ id, where, set, action: 'webhook.configure', actor });
    },

    /** The first sample has arrived: draft becomes sampled, or mapped where a mapping was saved before. */
    async markSampled(id: string): Promise<void> {
      const status = { $cond: [{ $gt: ['$lastVersion', 0] }, 'mapped', 'sampled'] };
      await webhooks.updateOne(
        { _id: id, status: 'draft' },
        [{ $set: { status, sampledAt: '$$NOW', ...noticed } }],
        { updatePipeline: true },
      );
    },
  };
}
