/** Suggests a mapping from payloads or samples, and detects the producer. */
import { invalidField } from '../../base/errors.ts';
import type { Actor } from '../../domain/audit/audit.ts';
import type { Payload } from '../../domain/mappings/mapping.ts';
import type { Webhook } from '../../domain/webhooks/webhook.ts';
import { inboundOf } from '../../channels/registry.ts';
import { sourcesOf } from '../../mapping/drift/read-paths.ts';
import { charge } from '../../mapping/expressions/work-budget.ts';
import { suggestInSteps, type Suggestion } from '../../../suggest/suggest.ts';
import { jsonCharactersPerUnit } from '../../mapping/work-limits.ts';
import { detectProducer, producerOf, type Detected } from '../../producers/registry.ts';
import { storedValue } from '../../producers/stored-body.ts';
import { parsePayload, type PayloadInput } from '../samples/payload.ts';
import type { ApiContext } from '../context.ts';
import { readTarget } from './mappings.ts';
import { inSteps, type RequestWork } from './work-limit.ts';
import { textWith } from '../../base/texts/texts.ts';

type SuggestionInput = {
  readonly webhookId: string;
  readonly payloads?: readonly PayloadInput[];
  readonly sampleIds?: readonly string[];
};

/** The suggested mapping with reasons, and the likeliest producers of the first payload. */
type SuggestionResult = Suggestion & { producers: Detected[] };

/** What the service of a channel posts is known, and conversations need all of it: ids, addresses, the text without its quotes. */
function starterOf({ producerProfile }: Webhook): Partial<Suggestion> {
  const mapping = producerOf(producerProfile).starterMapping;
  const targets = sourcesOf(mapping).map(([target]) => target);
  const ofEach = <Value>(value: Value) =>
    Object.fromEntries(targets.map((target) => [target, value]));
  const evidence = ofEach(['the starter mapping of the producer']);
  return { mapping, confidence: ofEach(1), evidence, messageTemplate: null };
}

export async function suggestMapping(
  ctx: ApiContext,
  given: SuggestionInput,
  { tokenId }: Actor,
): Promise<SuggestionResult> {
  const { webhook, channel, region } = await readTarget(ctx, given.webhookId);
  const isOfChannel = channel !== null && inboundOf(channel, webhook) !== null;
  return ctx.limitWork(tokenId, async (work) => {
    const payloads = await payloadsOf(ctx, { ...given, webhook }, work);
    const found = await inSteps(suggestInSteps(payloads, { defaultRegion: region }), work);
    const [first] = payloads;
    const producers = first ? detectProducer(first) : [];
    return { ...found, ...(isOfChannel && starterOf(webhook)), producers };
  });
}

async function payloadsOf(
  { samples }: ApiContext,
  { webhook, payloads, sampleIds }: SuggestionInput & { readonly webhook: Webhook },
  { budget, pause }: RequestWork,
): Promise<Payload[]> {
  if ((payloads === undefined) === (sampleIds === undefined)) {
    throw invalidField(
      '/payloads',
      textWith('field.either_required', { one: 'payloads', other: 'sampleIds' }),
    );
  }
  const profile = webhook.producerProfile;
  const found: Payload[] = [];
  for (const [n, payload] of (payloads ?? []).entries()) {
    found.push(parsePayload(payload, profile, `/payloads/${n}`));
    await pause();
  }
  for (const [n, id] of (sampleIds ?? []).entries()) {
    const sample = await samples.get(webhook._id, id);
    if (!sample) throw invalidField(`/sampleIds/${n}`, 'field.other_sample');
    const { headers, query, body } = sample;
    charge(budget, body.length / jsonCharactersPerUnit);
    found.push({ body: storedValue(sample, profile), headers, query });
    await pause();
  }
  return found;
}
