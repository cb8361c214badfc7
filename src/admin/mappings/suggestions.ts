/** Suggests a mapping from payloads or samples, and detects the producer. */
import { invalidField, orNotFound } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import { regionOf } from '../../domain/messages/channel.ts';
import type { Payload } from '../../domain/mappings/mapping.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { inboundOf } from '../../channels/registry.ts';
import { sourcesOf } from '../../mapping/drift/read-paths.ts';
import { charge } from '../../mapping/expressions/work-budget.ts';
import { suggestInSteps, type Suggestion } from '../../mapping/suggest/suggest.ts';
import { jsonCharactersPerUnit, suggestStepUnits } from '../../mapping/work-limits.ts';
import { detectProducer, producerOf, type Detected } from '../../producers/registry.ts';
import { storedValue } from '../../producers/stored-body.ts';
import { parsePayload, type PayloadInput } from '../payloads/payload.ts';
import type { AdminDeps } from '../dependencies.ts';
import type { LimitWork, RequestWork } from './work-limit.ts';

type SuggestionInput = {
  readonly payloads?: readonly PayloadInput[];
  readonly sampleIds?: readonly string[];
};

/** The suggested mapping with reasons, and the likeliest producers of the first payload. */
type SuggestionResult = Suggestion & { producers: Detected[] };

type SuggestDeps = Pick<AdminDeps, 'webhooks' | 'channels' | 'samples' | 'defaultRegion'> & {
  readonly limitWork: LimitWork;
};

/** What the service of a channel posts is known, and conversations need all of it: ids, addresses, the text without its quotes. */
function starterOf({ producerProfile }: Webhook): Partial<Suggestion> {
  const mapping = producerOf(producerProfile).starterMapping;
  const targets = sourcesOf(mapping).map(([target]) => target);
  const ofEach = <Value>(value: Value) =>
    Object.fromEntries(targets.map((target) => [target, value]));
  const evidence = ofEach(['the starter mapping of the producer']);
  return { mapping, confidence: ofEach(1), evidence, messageTemplate: null };
}

export function createSuggestions(deps: SuggestDeps) {
  const { webhooks, channels, samples, defaultRegion, limitWork } = deps;

  async function payloadsOf(
    webhook: Webhook,
    given: SuggestionInput,
    { budget, pause }: RequestWork,
  ): Promise<Payload[]> {
    const { payloads, sampleIds } = given;
    if ((payloads === undefined) === (sampleIds === undefined)) {
      throw invalidField('/payloads', 'either payloads or sampleIds is required');
    }
    const profile = webhook.producerProfile;
    const found: Payload[] = [];
    for (const [n, payload] of (payloads ?? []).entries()) {
      found.push(parsePayload(payload, profile, `/payloads/${n}`));
      await pause();
    }
    for (const [n, id] of (sampleIds ?? []).entries()) {
      const sample = await samples.get(webhook._id, id);
      if (!sample) throw invalidField(`/sampleIds/${n}`, 'is not a sample of this webhook');
      const { headers, query, body } = sample;
      charge(budget, body.length / jsonCharactersPerUnit);
      found.push({ body: storedValue(sample, profile), headers, query });
      await pause();
    }
    return found;
  }

  /** Throws as `LimitWork`. */
  return async function suggest(
    webhookId: string,
    given: SuggestionInput,
    { tokenId }: Actor,
  ): Promise<SuggestionResult> {
    const webhook = orNotFound(await webhooks.get(webhookId));
    const channel = await channels.get(webhook.channelId);
    const region = regionOf(channel, defaultRegion);
    const isOfChannel = channel !== null && inboundOf(channel, webhook) !== null;
    return limitWork(tokenId, async (work) => {
      const payloads = await payloadsOf(webhook, given, work);
      const steps = suggestInSteps(payloads, { defaultRegion: region });
      for (;;) {
        const { done, value } = steps.next();
        if (!done) {
          charge(work.budget, suggestStepUnits);
          await work.pause();
          continue;
        }
        const [first] = payloads;
        const detected = first ? detectProducer(first) : [];
        return { ...value, ...(isOfChannel && starterOf(webhook)), producers: detected };
      }
    });
  };
}
