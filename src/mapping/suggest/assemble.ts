/** From candidates to a document: what wins clearly is filled, the rest stays empty. */
import type { MappingDocument, Source } from '../../domain/mappings/mapping.ts';
import { selectWithFallbacks } from './fallbacks.ts';
import { contactFields, contextFields } from './extra-fields.ts';
import { incomingFilter } from './direction-filter.ts';
import { clearName, thresholds } from './candidates.ts';
import type { CandidatesByTarget, TargetName } from './candidates.ts';
import type { LeafIndex } from '../suggest-candidates/leaf-index.ts';
import type { PayloadWalk } from '../suggest-leaves/add-leaf.ts';

export function assembleMapping(
  found: CandidatesByTarget,
  {
    survey,
    split,
    flags,
  }: { survey: LeafIndex; split: string | null; flags: PayloadWalk['flags'] },
): MappingDocument {
  const pick = (target: TargetName): Source | undefined => {
    const best = found.get(target)?.[0];
    return best !== undefined && best.score >= thresholds[target] ? best.source : undefined;
  };
  const name = clearName(found.get('contact.name') ?? []);
  const reached = (trait: 'phone' | 'email'): Source | undefined => {
    const target = `contact.${trait}` as const;
    const threshold = thresholds[target];
    return selectWithFallbacks(found.get(target) ?? [], { trait, threshold, name }, survey);
  };
  const contact = present({
    externalId: pick('contact.externalId'),
    name: pick('contact.name'),
    phone: reached('phone'),
    email: reached('email'),
    document: pick('contact.document'),
  });
  const message = present({ text: pick('message.text') });
  const context = present({ origin: pick('context.origin'), campaign: pick('context.campaign') });
  const used = pathsIn({ contact, message, context, date: pick('eventDate'), id: pick('eventId') });
  return present({
    split: split ?? undefined,
    filter: incomingFilter(survey, flags),
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
