/**
 * Samples: list, add (payload, file or stored event), rename, pin and delete. They are shown decoded, with
 * credentials masked.
 *
 * Promises: the original is stored unmasked for preview, suggestion and activation. An event gives at most one
 * sample.
 */
import { AppError, invalidField } from '../../base/errors.ts';
import { derivedId, newId } from '../../base/ids.ts';
import { maskSecrets } from '../../base/observability/logger.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import type { Page } from '../../domain/pagination.ts';
import { maxPinnedSamples, type Sample } from '../../domain/webhooks/webhook.ts';
import { isDuplicateKey } from '../../store/db/errors.ts';
import { toSample, type SampleRecord } from '../../store/samples/sample-records.ts';
import type { SampleChange } from '../../store/samples/sample-changes.ts';
import type { SampleFilter, SampleStore } from '../../store/samples/samples.ts';
import type { AdminDeps } from '../dependencies.ts';
import { maskBody, maskNamed } from './mask-credentials.ts';
import { decodeStored, storedValue } from '../../producers/stored-body.ts';
import { inboundRequestFrom, type PayloadInput } from './payload.ts';
import { createStoredRequestReader } from './stored-request.ts';

/** Returns the sample with its content decoded and masked. */
const viewSample = (sample: Sample, profile: string) => ({
  sample,
  headers: maskNamed(sample.headers),
  query: maskNamed(sample.query),
  body: maskBody(storedValue(sample, profile)),
});

export type SampleView = ReturnType<typeof viewSample>;

/** The precondition refers to the decoded and masked sample; the store checks the stored one. */
const expectingShown = (actor: Actor, profile: string): Actor => ({
  ...actor,
  ...(actor.checkPrecondition && {
    checkPrecondition: (record) =>
      actor.checkPrecondition?.(viewSample(toSample(record as SampleRecord), profile)),
  }),
});

/** The payload inline or as `payload`, or the event to copy it from. */
type SampleInput = PayloadInput & {
  readonly payload?: PayloadInput;
  readonly eventId?: string;
  readonly name?: string;
};

type SampleFile = {
  readonly bytes: Buffer;
  readonly contentType: string | undefined;
  readonly name?: string | undefined;
};

type SampleDeps = Pick<AdminDeps, 'events' | 'samples' | 'webhooks' | 'forget'>;

type Origin = Partial<Pick<Sample, '_id' | 'name' | 'eventId'>>;

export function createSamples(deps: SampleDeps) {
  const { samples, webhooks } = deps;
  const storeSample = createSampleWriter(deps);
  const storedRequest = createStoredRequestReader(deps);

  const profileOf = async (webhookId: string): Promise<string> =>
    (await webhooks.get(webhookId))?.producerProfile ?? 'generic';

  async function get(webhookId: string, id: string): Promise<SampleView> {
    const sample = await samples.get(webhookId, id);
    if (!sample) throw new AppError('not_found');
    return viewSample(sample, await profileOf(webhookId));
  }

  return {
    async list(webhookId: string, filter: SampleFilter, page: Page) {
      const [profile, { results, total }] = await Promise.all([
        profileOf(webhookId),
        samples.list(webhookId, filter, page),
      ]);
      return { results: results.map((sample) => viewSample(sample, profile)), total };
    },

    get,

    /**
     * Adds a sample. Throws `invalid_field` if the payload cannot be read, `invalid_transition` if the webhook
     * is archived.
     */
    async add(webhookId: string, given: SampleInput, actor: Actor): Promise<SampleView> {
      const { payload, eventId, name = null, ...flat } = given;
      const isFlat = Object.keys(flat).length > 0;
      if ([isFlat, payload !== undefined, eventId !== undefined].filter(Boolean).length !== 1) {
        throw invalidField('', 'either a payload or an eventId is required');
      }
      const profile = await profileOf(webhookId);
      if (eventId !== undefined) {
        const delivery = await storedRequest(webhookId, eventId);
        // The id is derived: an event gives one sample.
        const _id = derivedId('event-sample', webhookId, eventId);
        return viewSample(
          await storeSample(webhookId, { delivery, origin: { _id, eventId, name } }, actor),
          profile,
        );
      }
      const path = payload ? '/payload' : '';
      const delivery = inboundRequestFrom(payload ?? flat, profile, path);
      return viewSample(
        await storeSample(webhookId, { delivery, origin: { name } }, actor),
        profile,
      );
    },

    /** Adds a file as a sample. It is decoded by its content type, as for a sender. */
    async addFile(webhookId: string, file: SampleFile, actor: Actor): Promise<SampleView> {
      const profile = await profileOf(webhookId);
      const { contentType, name = null } = file;
      // latin1 keeps every byte that is not masked.
      const text = maskSecrets(file.bytes.toString('latin1'));
      const body = Buffer.from(text, 'latin1');
      const decoded = decodeStored({ contentType, body }, profile);
      if (!decoded.ok) throw new AppError(decoded.code, { internal: decoded.message });
      const delivery = { body, contentType: contentType ?? '', headers: {}, query: {} };
      return viewSample(
        await storeSample(webhookId, { delivery, origin: { name } }, actor),
        profile,
      );
    },

    ...createEditing(samples, { profileOf }),
  };
}

function createEditing(
  samples: SampleStore,
  { profileOf }: { readonly profileOf: (webhookId: string) => Promise<string> },
) {
  return {
    async change(
      key: { webhookId: string; id: string },
      given: SampleChange,
      actor: Actor,
    ): Promise<SampleView> {
      const { webhookId, id } = key;
      const profile = await profileOf(webhookId);
      const by = expectingShown(actor, profile);
      const changed = await samples.change({ _id: id, webhookId }, given, by);
      if (changed.ok) return viewSample(changed.value, profile);
      if (changed.reason === 'not_found') throw new AppError('not_found');
      throw new AppError('conflict', {
        internal: `No more than ${maxPinnedSamples} samples of a webhook can be pinned.`,
      });
    },

    async remove(webhookId: string, id: string, actor: Actor): Promise<void> {
      const by = expectingShown(actor, await profileOf(webhookId));
      const removed = await samples.remove({ _id: id, webhookId }, by);
      if (!removed.ok) throw new AppError('not_found');
    },
  };
}

function createSampleWriter({ samples, forget }: SampleDeps) {
  type Kept = { readonly delivery: InboundRequest; readonly origin: Origin };

  return async function keep(
    webhookId: string,
    { delivery, origin }: Kept,
    actor: Actor,
  ): Promise<Sample> {
    const { body, contentType, headers, query } = delivery;
    const sample: Sample = {
      _id: newId(),
      webhookId,
      receivedAt: new Date(),
      source: 'manual',
      ...origin,
      body,
      contentType,
      headers,
      query,
    };
    await add(sample, actor);
    forget(webhookId);
    return (await samples.get(webhookId, sample._id)) ?? sample;
  };

  /** A sample that exists already stays as it is. */
  async function add(sample: Sample, actor: Actor): Promise<void> {
    const added = await samples.addManually(sample, actor).catch((error: unknown) => {
      if (isDuplicateKey(error)) return { ok: true } as const;
      throw error;
    });
    if (added.ok) return;
    if (added.reason === 'not_found') throw new AppError('not_found');
    throw new AppError('invalid_transition', { details: { state: added.reason } });
  }
}
