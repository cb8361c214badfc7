/** Suggests a mapping from payloads or samples, and detects the producer, in the thread of computations. */
import type { Payload } from '../../domain/mappings/mapping.ts';
import { sourcesOf } from '../../mapping/drift/read-paths.ts';
import { charge, type WorkBudget } from '../../mapping/expressions/work-budget.ts';
import { suggestMapping, type Suggestion } from '../../../suggest/suggest.ts';
import { jsonCharactersPerUnit } from '../../mapping/work-limits.ts';
import { detectProducer, producerOf, type Detected } from '../../producers/registry.ts';
import { storedValue } from '../../producers/stored-body.ts';
import type { InboundRequest } from '../../domain/events/event.ts';
import { receivePayload, receiveRequest, type SentPayload } from '../samples/payload.ts';

type SuggestionTask = {
  readonly payloads: readonly SentPayload[];
  readonly samples: readonly InboundRequest[];
  readonly profile: string;
  readonly region: string;
  /** Whether the service of the channel posts to the webhook. */
  readonly isOfChannel: boolean;
};

/** The suggested mapping with reasons, and the likeliest producers of the first payload. */
type SuggestionResult = Suggestion & { producers: Detected[] };

/** What the service of a channel posts is known, and conversations need all of it: ids, addresses, the text without its quotes. */
function starterOf(profile: string): Partial<Suggestion> {
  const mapping = producerOf(profile).starterMapping;
  const targets = sourcesOf(mapping).map(([target]) => target);
  const ofEach = <Value>(value: Value) =>
    Object.fromEntries(targets.map((target) => [target, value]));
  const evidence = ofEach(['the starter mapping of the producer']);
  return { mapping, confidence: ofEach(1), evidence, messageTemplate: null };
}

/** Throws `invalid_field` for a payload that cannot be read. */
export function computeSuggestion(task: SuggestionTask, budget: WorkBudget): SuggestionResult {
  const { profile, region, isOfChannel } = task;
  const payloads = payloadsOf(task, budget);
  const found = suggestMapping(payloads, { defaultRegion: region, budget });
  const [first] = payloads;
  const producers = first ? detectProducer(first) : [];
  return { ...found, ...(isOfChannel && starterOf(profile)), producers };
}

const payloadsOf = (
  { payloads, samples, profile }: SuggestionTask,
  budget: WorkBudget,
): Payload[] => [
  ...payloads.map((payload, n) => receivePayload(payload, profile, `/payloads/${n}`)),
  ...samples.map((sample) => {
    const { headers, query, ...raw } = receiveRequest(sample);
    charge(budget, raw.body.length / jsonCharactersPerUnit);
    return { body: storedValue(raw, profile), headers, query };
  }),
];
