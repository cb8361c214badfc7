/** From candidates to a document: what wins clearly is filled, the rest stays empty. */
import type { MappingDocument, Source } from '../../domain/mapping.ts';
import type { Candidate } from './candidate.ts';
import { contactFields, contextFields } from './fields.ts';
import { filterOf } from './filter.ts';
import type { Proposals, TargetName } from './propose.ts';
import type { Survey } from './survey.ts';
import type { Walk } from './emit.ts';

const thresholds: Readonly<Record<TargetName, number>> = {
  eventId: 0.6,
  eventType: 0.5,
  eventDate: 0.5,
  'contact.externalId': 0.4,
  'contact.name': 0.46,
  'contact.phone': 0.45,
  'contact.email': 0.46,
  'contact.document': 0.45,
  'message.text': 0.5,
  'context.campaign': 0.42,
  'context.origin': 0.42,
};

const maxFallbacks = 3;

export function assemble(
  found: Proposals,
  { survey, split, flags }: { survey: Survey; split: string | null; flags: Walk['flags'] },
): MappingDocument {
  const pick = (target: TargetName): Source | undefined => {
    const best = found.get(target)?.[0];
    return best !== undefined && best.score >= thresholds[target] ? best.source : undefined;
  };
  const reach = (target: 'contact.phone' | 'contact.email'): Source | undefined =>
    withFallbacks(found.get(target) ?? [], thresholds[target]);
  const contact = present({
    externalId: pick('contact.externalId'),
    name: pick('contact.name'),
    phone: reach('contact.phone'),
    email: reach('contact.email'),
    document: pick('contact.document'),
  });
  const message = present({ text: pick('message.text') });
  const context = present({ origin: pick('context.origin'), campaign: pick('context.campaign') });
  const used = pathsIn({ contact, message, context, date: pick('eventDate'), id: pick('eventId') });
  return present({
    split: split ?? undefined,
    filter: filterOf(survey, flags),
    eventId: pick('eventId'),
    eventType: pick('eventType'),
    eventDate: pick('eventDate'),
    contact: orNothing(present({ ...contact, fields: orNothing(contactFields(survey, used)) })),
    message: orNothing(message),
    context: orNothing(present({ ...context, fields: orNothing(contextFields(survey, used)) })),
  });
}

/** Every path that the targets read, also inside of parsed texts. */
function pathsIn(value: unknown): Set<string> {
  const paths = new Set<string>();
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'path' && typeof inner === 'string') paths.add(inner);
    return inner;
  });
  return paths;
}

/** A copy without the parts that are not there. */
const present = <Parts extends object>(
  parts: Parts,
): { [Key in keyof Parts]?: NonNullable<Parts[Key]> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [Key in keyof Parts]?: NonNullable<Parts[Key]>;
  };

const orNothing = <Part extends object>(part: Part): Part | undefined =>
  Object.keys(part).length === 0 ? undefined : part;

/** The next best paths stand in where a payload lacks the best one. */
function withFallbacks(candidates: readonly Candidate[], threshold: number): Source | undefined {
  const [best, ...rest] = candidates;
  if (best === undefined || best.score < threshold) return undefined;
  const others = rest
    .filter(({ score }) => score >= Math.max(threshold + 0.1, best.score - 0.25))
    .map(({ source }) => source)
    .slice(0, maxFallbacks);
  return others.length === 0 ? best.source : { first: [best.source, ...others] };
}
