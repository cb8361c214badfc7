/**
 * Changes of samples by people: add, name, pin and delete, each with its audit row.
 *
 * Promises: at most 50 samples of a webhook are pinned, also under concurrent requests: each takes a number, and a unique index
 * gives a number to one sample.
 */
import { failure, success, type Failure, type Result } from '../../base/result.ts';
import type { StoreContext } from '../audit/store-context.ts';
import type { Actor, AuditFacts } from '../../domain/audit/audit.ts';
import { maxPinnedSamples, type Sample } from '../../domain/webhooks/webhook.ts';
import { createAuditedChange } from '../audit/audited-change.ts';
import { isDuplicateKey } from '../db/errors.ts';
import { inTransaction, type Session } from '../db/model.ts';
import { missingOrArchived, markSampled, webhookModel } from '../webhooks/records.ts';
import {
  listPins,
  sampleModel,
  toSampleRecord,
  toSample,
  type SampleRecord,
} from './sample-records.ts';

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

/** How many others may take a place first. */
const maxTries = 5;

export const createSampleChanges = (context: StoreContext) => ({
  addManually: createAddByHand(context),
  change: createChange(context),
  remove: createRemove(context),
});

function createAddByHand(context: StoreContext) {
  const { connection, audit } = context;
  const samples = sampleModel(connection);
  const webhooks = webhookModel(connection);

  /** Makes a draft webhook sampled. Fails when the webhook does not exist or is archived. */
  return function addByHand(
    sample: Sample,
    actor: Actor,
  ): Promise<Result<null, Failure<'not_found' | 'archived'>>> {
    const record = toSampleRecord(sample);
    return inTransaction(connection, async (session) => {
      const where = { _id: sample.webhookId, status: { $ne: 'archived' } };
      if (!(await webhooks.exists(where as never).session(session)))
        return missingOrArchived(webhooks, sample.webhookId, session);
      await samples.create([record], { session });
      await markSampled(webhooks, sample.webhookId, session);
      const entry = {
        actor,
        action: 'sample.create',
        target: targetOf(sample._id),
        before: null,
      } as const;
      await audit.add({ ...entry, after: factsOf(record) }, session);
      return success(null);
    });
  };
}

function createChange(context: StoreContext) {
  const { connection } = context;
  const samples = sampleModel(connection);
  const audited = createAuditedChange(context);

  const read = ({ _id, webhookId }: SampleKey, session: Session) =>
    samples.findOne({ _id, webhookId }).session(session).lean<SampleRecord | null>().exec();

  async function freePlace(webhookId: string, session: Session): Promise<number | undefined> {
    const taken = new Set((await listPins(samples, webhookId, session)).map(({ pin }) => pin));
    return Array.from({ length: maxPinnedSamples }, (_, place) => place).find((n) => !taken.has(n));
  }

  /** The sample's place as it shall be: as it is, a new one, or none; undefined when all are taken. */
  async function placeFor(
    key: SampleKey,
    pinned: boolean | undefined,
    session: Session,
  ): Promise<number | null | undefined> {
    const current = (await read(key, session))?.pin ?? null;
    if (pinned === undefined) return current;
    if (!pinned) return null;
    return current ?? (await freePlace(key.webhookId, session));
  }

  function changeOnce(key: SampleKey, given: SampleChange, actor: Actor) {
    const { pinned, name } = given;
    return audited<SampleRecord, Failure<'too_many_pinned'>>({
      actor,
      action: 'sample.change',
      target: targetOf(key._id),
      read: (session) => read(key, session),
      async write(session) {
        const pin = await placeFor(key, pinned, session);
        if (pin === undefined) return failure('too_many_pinned');
        const set = { pin, ...(name !== undefined && { name }) };
        return samples
          .findOneAndUpdate(
            { _id: key._id },
            { $set: set },
            {
              session,
              returnDocument: 'after',
            },
          )
          .lean<SampleRecord | null>()
          .exec();
      },
      factsOf,
    });
  }

  /** Fails with `too_many_pinned` when no pin is free, or when other requests took each one that was. */
  return async function change(
    key: SampleKey,
    given: SampleChange,
    actor: Actor,
  ): Promise<Result<Sample, Failure<'not_found' | 'too_many_pinned'>>> {
    for (let tries = 0; tries < maxTries; tries += 1) {
      try {
        const changed = await changeOnce(key, given, actor);
        if (changed.ok) return success(toSample(changed.value));
        return failure(changed.reason === 'too_many_pinned' ? changed.reason : 'not_found');
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    }
    return failure('too_many_pinned');
  };
}

function createRemove(context: StoreContext) {
  const { connection, audit } = context;
  const samples = sampleModel(connection);

  return function remove(
    { _id, webhookId }: SampleKey,
    actor: Actor,
  ): Promise<Result<null, Failure<'not_found'>>> {
    return inTransaction(connection, async (session) => {
      const removed = await samples
        .findOneAndDelete({ _id, webhookId }, { session })
        .lean<SampleRecord | null>();
      if (!removed) return failure('not_found');
      actor.checkPrecondition?.(removed);
      const entry = { actor, action: 'sample.delete', target: targetOf(_id), after: null } as const;
      await audit.add({ ...entry, before: factsOf(removed) }, session);
      return success(null);
    });
  };
}
