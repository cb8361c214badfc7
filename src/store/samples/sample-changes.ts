/**
 * Changes of samples by users: add, name, pin and delete, each with its audit row.
 *
 * Promises: at most 50 samples of a webhook are pinned, also under concurrent requests. Each pinned sample has a number, which a
 * unique index allows only once.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import { maxPinnedSamples, type Sample } from '../../domain/webhooks/webhook.ts';
import { changeAudited, removeAudited } from '../audit/audited-change.ts';
import { inTransaction, type Session, type Db } from '../db/connection.ts';
import { ignoreDuplicate, retryAfterDuplicate } from '../db/errors.ts';
import { exists } from '../db/queries.ts';
import { missingOrArchived, markSampled, webhooksOf } from '../webhooks/records.ts';
import { listPins, samplesOf, toSample, withTexts, type SampleRecord } from './sample-records.ts';
import { addAuditRow } from '../audit/audit.ts';

type SampleKey = Pick<Sample, '_id' | 'webhookId'>;
export type SampleChange = { readonly pinned?: boolean; readonly name?: string | null };

const factsOf = (sample: SampleRecord): AuditFacts => ({
  webhookId: sample.webhookId,
  source: sample.source,
  name: sample.name ?? null,
  pinned: typeof sample.pin === 'number',
  eventId: sample.eventId ?? null,
  contentType: sample.contentType,
});

const targetOf = (id: string) => ({ type: 'sample', id }) as const;

/** Number of attempts when concurrent requests take the same pin number. */
const maxTries = 5;

export const createSampleChanges = (context: Db) => ({
  addManually: createManualAdd(context),
  change: createChange(context),
  remove: ({ _id, webhookId }: SampleKey, actor: Actor) =>
    removeAudited(context, {
      actor,
      action: 'sample.delete',
      target: targetOf(_id),
      remove: (session) =>
        samplesOf(context.connection).findOneAndDelete({ _id, webhookId }, { session }),
      factsOf,
    }),
});

function createManualAdd(context: Db) {
  const { connection } = context;
  const samples = samplesOf(connection);
  const webhooks = webhooksOf(connection);

  /** Stores a sample. A draft webhook becomes sampled. Fails when the webhook does not exist or is archived. */
  return function addSample(
    sample: Sample,
    actor: Actor,
  ): Promise<Result<null, Failure<'not_found' | 'archived'>>> {
    const record = withTexts(sample);
    return inTransaction(connection, async (session) => {
      const where = { _id: sample.webhookId, status: { $ne: 'archived' as const } };
      if (!(await exists(webhooks, where, { session })))
        return missingOrArchived(webhooks, sample.webhookId, session);
      await samples.insertOne(record, { session });
      await markSampled(webhooks, sample.webhookId, session);
      const entry = { actor, action: 'sample.create', target: targetOf(sample._id) } as const;
      await addAuditRow(context, { ...entry, after: factsOf(record) }, session);
      return success(null);
    });
  };
}

function createChange(context: Db) {
  const { connection } = context;
  const samples = samplesOf(connection);

  /** Returns null when all numbers are taken. */
  async function findFreePin(webhookId: string, session: Session): Promise<number | null> {
    const taken = new Set((await listPins(samples, webhookId, session)).map(({ pin }) => pin));
    const places = Array.from({ length: maxPinnedSamples }, (_, place) => place);
    return places.find((n) => !taken.has(n)) ?? null;
  }

  function changeOnce({ _id, webhookId }: SampleKey, given: SampleChange, actor: Actor) {
    const { pinned, name } = given;
    return changeAudited<SampleRecord, Failure<'too_many_pinned'>>(context, {
      actor,
      action: 'sample.change',
      target: targetOf(_id),
      read: (session) => samples.findOne({ _id, webhookId }, { session }),
      async write(session, { pin: current = null }) {
        const isPinned = pinned ?? current !== null;
        const pin = isPinned ? (current ?? (await findFreePin(webhookId, session))) : null;
        if (isPinned && pin === null) return failure('too_many_pinned');
        const set = { $set: { pin, ...(name !== undefined && { name }) } };
        return samples.findOneAndUpdate({ _id }, set, { session, returnDocument: 'after' });
      },
      factsOf,
    });
  }

  /** Fails with `too_many_pinned` when no pin number is free, or when concurrent requests took the number `maxTries` times. */
  return async function change(
    key: SampleKey,
    given: SampleChange,
    actor: Actor,
  ): Promise<Result<Sample, Failure<'not_found' | 'too_many_pinned'>>> {
    try {
      const changed = await retryAfterDuplicate(() => changeOnce(key, given, actor), maxTries);
      if (changed.ok) return success(toSample(changed.value));
      return failure(changed.reason === 'too_many_pinned' ? changed.reason : 'not_found');
    } catch (error) {
      ignoreDuplicate(error);
      return failure('too_many_pinned');
    }
  };
}
