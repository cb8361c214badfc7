/** Samples, as people see them: decoded, and with credentials masked. */
import { AppError } from '../base/errors.ts';
import type { Page } from '../domain/paging.ts';
import type { Sample } from '../domain/webhook.ts';
import type { SampleFilter, SampleStore } from '../store/samples.ts';
import type { WebhookStore } from '../store/webhooks.ts';
import { decodeKept, maskBody, maskNamed } from './payload.ts';

export const presentSample = (sample: Sample, profile: string) => ({
  id: sample._id,
  receivedAt: sample.receivedAt.toISOString(),
  source: sample.source,
  contentType: sample.contentType,
  headers: maskNamed(sample.headers),
  query: maskNamed(sample.query),
  body: maskBody(decodeKept(sample, profile)),
});

export type ShownSample = ReturnType<typeof presentSample>;

type SampleDeps = { readonly samples: SampleStore; readonly webhooks: WebhookStore };

export function createSamples({ samples, webhooks }: SampleDeps) {
  const profileOf = async (webhookId: string): Promise<string> =>
    (await webhooks.get(webhookId))?.producerProfile ?? 'generic';

  return {
    async list(webhookId: string, filter: SampleFilter, page: Page) {
      const [profile, { results, total }] = await Promise.all([
        profileOf(webhookId),
        samples.list(webhookId, filter, page),
      ]);
      return { results: results.map((sample) => presentSample(sample, profile)), total };
    },

    async get(webhookId: string, id: string): Promise<ShownSample> {
      const sample = await samples.get(webhookId, id);
      if (!sample) throw new AppError('not_found');
      return presentSample(sample, await profileOf(webhookId));
    },
  };
}
