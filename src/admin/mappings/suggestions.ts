/** Suggests a mapping from payloads or samples, and detects the producer. */
import { AppError, invalidField } from '../../base/errors.ts';
import type { Payload } from '../../domain/mappings/mapping.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { suggestMapping, type Suggestion } from '../../mapping/suggest/suggest.ts';
import { detectProducer, type Detected } from '../../producers/registry.ts';
import { storedValue } from '../../producers/stored-body.ts';
import { parsePayload, type PayloadInput } from '../payloads/payload.ts';
import type { AdminDeps } from '../dependencies.ts';

type SuggestionInput = {
  readonly payloads?: readonly PayloadInput[];
  readonly sampleIds?: readonly string[];
};

/** The suggested mapping with reasons, and the likeliest producers of the first payload. */
type SuggestionResult = Suggestion & { producers: Detected[] };

type SuggestDeps = Pick<AdminDeps, 'webhooks' | 'channels' | 'samples' | 'defaultRegion'>;

export function createSuggest({ webhooks, channels, samples, defaultRegion }: SuggestDeps) {
  async function payloadsOf(webhook: Webhook, given: SuggestionInput): Promise<Payload[]> {
    const { payloads, sampleIds } = given;
    if ((payloads === undefined) === (sampleIds === undefined)) {
      throw invalidField('/payloads', 'either payloads or sampleIds is required');
    }
    const profile = webhook.producerProfile;
    if (payloads) {
      return payloads.map((payload, n) => parsePayload(payload, profile, `/payloads/${n}`));
    }
    const found = (sampleIds ?? []).map(async (id, n) => {
      const sample = await samples.get(webhook._id, id);
      if (!sample) throw invalidField(`/sampleIds/${n}`, 'is not a sample of this webhook');
      const { headers, query } = sample;
      return { body: storedValue(sample, profile), headers, query };
    });
    return Promise.all(found);
  }

  return async function suggest(
    webhookId: string,
    given: SuggestionInput,
  ): Promise<SuggestionResult> {
    const webhook = await webhooks.get(webhookId);
    if (!webhook) throw new AppError('not_found');
    const payloads = await payloadsOf(webhook, given);
    const region = (await channels.get(webhook.channelId))?.settings.region;
    const suggestion = suggestMapping(payloads, {
      defaultRegion: typeof region === 'string' ? region : defaultRegion,
    });
    const [first] = payloads;
    return { ...suggestion, producers: first ? detectProducer(first) : [] };
  };
}
