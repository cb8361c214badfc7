/** Assembles a mapping document. A target is filled only when its best candidate reaches the threshold. */
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
  { index, split, flags }: { index: LeafIndex; split: string | null; flags: PayloadWalk['flags'] },
): MappingDocument {
  const pick = (target: TargetName): Source | undefined => {
    const best = found.get(target)?.[0];
    return best !== undefined && best.score >= thresholds[target] ? best.source : undefined;
  };
  const name = clearName(found.get('contact.name') ?? []);
  const pickWithFallbacks = (trait: 'phone' | 'email'): Source | undefined => {
    const target = `contact.${trait}` as const;
    const threshold = thresholds[target];
    return selectWithFallbacks(found.get(target) ?? [], { trait, threshold, name }, index);
  };
  const contact = present({
    externalId: pick('contact.externalId'),
    name: pick('contact.name'),
    phone: pickWithFallbacks('phone'),
    email: pickWithFallbacks('email'),
    document: pick('contact.document'),
  });
  const message = present({ text: pick('message.text') });
  const context = present({ origin: pick('context.origin'), campaign: pick('context.campaign') });
  const used = pathsIn({ contact, message, context, date: pick('eventDate'), id: pick('eventId') });
  return present({
    split: split ?? undefined,
    filter: incomingFilter(index, flags),
    eventId: pick('eventId'),
    eventType: pick('eventType'),
    eventDate: pick('eventDate'),
    contact: orUndefined(present({ ...contact, fields: orUndefined(contactFields(index, used)) })),
    message: orUndefined(message),
    context: orUndefined(present({ ...context, fields: orUndefined(contextFields(index, used)) })),
  });
}

/** Returns every path that the targets read, also inside parsed texts. */
export function pathsIn(value: unknown): Set<string> {
  const paths = new Set<string>();
  JSON.stringify(value, (key, inner: unknown) => {
    if (key === 'path' && typeof inner === 'string') paths.add(inner);
    return inner;
  });
  return paths;
}

/** Returns a copy without the undefined parts. */
const present = <Parts extends object>(
  parts: Parts,
): { [Key in keyof Parts]?: NonNullable<Parts[Key]> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [Key in keyof Parts]?: NonNullable<Parts[Key]>;
  };

const orUndefined = <Part extends object>(part: Part): Part | undefined =>
  Object.keys(part).length === 0 ? undefined : part;
