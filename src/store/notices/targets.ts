/**
 * Targets of notices. Collection `notice_targets`. Each change has its audit row.
 *
 * Promises: what is sent to a target and the turn up to which it was sent are written together, so that nothing is left out or
 * sent twice. Deleting a target deletes what waits for it.
 */
import { failure, type Failure } from '../../base/result.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import type { NoticeDelivery } from '../../domain/notices/notice.ts';
import { maxTargets, type TargetRecord } from '../../domain/notices/target.ts';
import type { Page, Paged } from '../../domain/pagination.ts';
import {
  changeAuditedRecord,
  insertAudited,
  type AuditedRecords,
} from '../audit/audited-change.ts';
import { changeSeen, settingsFacts, type SecretsChange } from '../channels/sealed-settings.ts';
import { collectionOf, type Collection } from '../db/collection.ts';
import { indexesOf, inTransaction, type Session, type Db } from '../db/connection.ts';
import { anyOf, readPage } from '../db/queries.ts';
import { noticeDeliveriesOf } from './deliveries.ts';

const collection = 'notice_targets';

export const targetIndexes = indexesOf(collection, {
  by_creation: { key: { createdAt: -1, _id: -1 } },
  by_name: { key: { name: 1, _id: 1 } },
});

type NewTarget = Omit<
  TargetRecord,
  'enabled' | 'createdAt' | 'updatedAt' | 'sentTurn' | 'sentAt'
> & { readonly secrets: Readonly<Record<string, string>> };

type TargetChange = Partial<
  Pick<
    TargetRecord,
    'name' | 'kinds' | 'settings' | 'language' | 'quietHours' | 'reminderHours' | 'enabled'
  >
> &
  SecretsChange;

type TargetFilter = {
  readonly name?: readonly string[] | undefined;
  readonly kind?: readonly string[] | undefined;
  readonly webhookId?: readonly string[] | undefined;
};

const factsOf = (target: TargetRecord, before = target): AuditFacts => {
  const { name, kind, webhookId, kinds, language, quietHours, reminderHours, enabled } = target;
  const settings = settingsFacts(target, before);
  return { name, kind, webhookId, kinds, language, quietHours, reminderHours, enabled, settings };
};

export function createTargetStore(context: Db) {
  const { connection } = context;
  const targets = collectionOf<TargetRecord>(connection, collection);
  const deliveries = noticeDeliveriesOf(connection);
  return {
    ...createTargetChanges(context),
    get: (id: string): Promise<TargetRecord | null> => targets.findOne({ _id: id }),
    list: ({ name, kind, webhookId }: TargetFilter, page: Page): Promise<Paged<TargetRecord>> =>
      readPage(targets, anyOf({ name, kind, webhookId }), {
        ...page,
        hint: 'name' in page.sort ? 'by_name' : 'by_creation',
      }),
    listEnabled: (): Promise<TargetRecord[]> =>
      targets.find({ enabled: true }, { limit: maxTargets, hint: 'by_creation' }).toArray(),

    /** Records that the target was sent everything up to a turn, and stores what is to be sent. Returns false when it has changed. */
    send: (
      target: Pick<TargetRecord, '_id' | 'sentTurn' | 'updatedAt'>,
      delivery: NoticeDelivery,
      { turn, at }: { readonly turn: number; readonly at: Date },
    ): Promise<boolean> =>
      inTransaction(connection, async (session) => {
        const { _id, sentTurn, updatedAt } = target;
        const { matchedCount } = await targets.updateOne(
          { _id, sentTurn, updatedAt, enabled: true },
          { $set: { sentTurn: turn, sentAt: at } },
          { session },
        );
        if (matchedCount === 0) return false;
        await deliveries.insertOne(delivery, { session });
        return true;
      }),
  };
}

function createTargetChanges(context: Db) {
  const { connection, clock } = context;
  const targets = collectionOf<TargetRecord>(connection, collection);
  const deliveries = noticeDeliveriesOf(connection);
  const audited: AuditedRecords<TargetRecord> = { records: targets, type: 'target', factsOf };

  return {
    /** Returns null when there are `maxTargets`. */
    async create({ secrets, ...given }: NewTarget, actor: Actor): Promise<TargetRecord | null> {
      const now = clock.now();
      const record: TargetRecord = {
        ...given,
        ...(Object.keys(secrets).length > 0 && { secrets }),
        enabled: true,
        createdAt: now,
        updatedAt: now,
        sentTurn: null,
        sentAt: null,
      };
      const check = async (session: Session) =>
        (await takePlace(targets, session)) ? null : failure('too_many');
      const created = await insertAudited(context, audited, { record, actor, check });
      return created.ok ? created.value : null;
    },

    /** Fails when the target has changed since it was read. A target that is enabled again is sent only what is open. */
    change: (seen: TargetRecord, change: TargetChange, actor: Actor) => {
      const isEnabledAgain = change.enabled === true && !seen.enabled;
      const set = { ...change, ...(isEnabledAgain && { sentTurn: null }) };
      const by = { actor, action: 'target.change' } as const;
      return changeSeen(context, audited, { seen, change: set, ...by });
    },

    remove: (_id: string, actor: Actor) =>
      changeAuditedRecord<TargetRecord, Failure>(context, audited, {
        id: _id,
        actor,
        action: 'target.delete',
        write: async (session) => {
          await deliveries.deleteMany({ 'delivery.open': true, channelId: _id }, { session });
          return (await targets.findOneAndDelete({ _id }, { session })) ?? failure('not_found');
        },
      }),
  };
}

/**
 * Returns false when there are `maxTargets`. Writes to the newest target, so that of two creations at the same time one is retried
 * and counts the other.
 */
async function takePlace(targets: Collection<TargetRecord>, session: Session): Promise<boolean> {
  const count = await targets.countDocuments({}, { session, limit: maxTargets });
  if (count >= maxTargets) return false;
  const newest = { session, sort: { createdAt: -1, _id: -1 } } as const;
  await targets.findOneAndUpdate({}, { $currentDate: { countedAt: true } }, newest);
  return true;
}
