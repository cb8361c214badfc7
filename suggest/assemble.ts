/** Assembles a mapping document. A target is filled only when its best candidate reaches the confidence of the model. */
import type { MappingDocument, Source } from '../src/domain/mappings/mapping.ts';
import { selectWithFallbacks } from './fallbacks.ts';
import { contactFields, contextFields } from './extra-fields.ts';
import type { TargetName } from './candidates.ts';
import type { RankedCandidate, RankingModel } from './rank.ts';
import type { LeafIndex } from './leaf-index.ts';
import { isGroupFlag, type PayloadWalk } from './leaves/add-leaf.ts';
import { exampleOf, nameWords, textOf, type Leaf } from './leaves/leaf.ts';
import { hasConcept } from './names/concepts.ts';
import { isPersonAddress, privateChatFilter } from './messenger-addresses.ts';
import { equalsCondition } from './leaves/jmespath.ts';

const directions = /^(?:message type|direction|message direction)$/;
const incoming = /^(?:incoming|inbound|received|in)$/i;

/** Returns a filter that accepts only incoming messages; undefined when the payloads have no field for the direction, or several. */
function incomingFilter(index: LeafIndex, flags: PayloadWalk['flags']): string | undefined {
  const falseFlags = [...flags].filter(
    ([path, values]) => !isGroupFlag(path) && values.every((value) => !value),
  );
  const leaves = index.leaves.filter(
    (leaf) =>
      directions.test(nameWords(leaf)) &&
      leaf.values.every((value) => incoming.test(String(value))) &&
      !leaf.outside &&
      leaf.text === null,
  );
  const [leaf] = leaves;
  if (leaf !== undefined)
    return leaves.length === 1 ? equalsCondition(leaf.path, exampleOf(leaf)) : undefined;
  const [flag] = falseFlags;
  return flag !== undefined && falseFlags.length === 1 ? `${flag[0]} != \`true\`` : undefined;
}

const maxGroupFlags = 3;

/** Returns the tests that leave out messages of a messenger that are not in a chat with one person. */
function privateTests(
  id: RankedCandidate | undefined,
  flags: PayloadWalk['flags'],
): readonly (string | undefined)[] {
  const leaf = id?.leaf;
  const address = leaf && isPersonAddress(textOf(leaf)) ? privateChatFilter(leaf) : undefined;
  const isMessenger = address !== undefined || [...flags.keys()].some((path) => !isGroupFlag(path));
  const groups = [...flags].filter(
    ([path, values]) => isMessenger && isGroupFlag(path) && values.every((value) => !value),
  );
  return [...groups.slice(0, maxGroupFlags).map(([path]) => `${path} != \`true\``), address];
}

interface Parts {
  readonly index: LeafIndex;
  readonly split: string | null;
  readonly flags: PayloadWalk['flags'];
  readonly model: RankingModel;
}

/** The score of the rules from which on a target without weights is filled. */
const ruleLevel = 0.6;

/** The confidence that an address in the object of another person needs. A missing address is noticed, a message to a wrong person is not. */
const otherLevel = 0.9;
const reaching: ReadonlySet<TargetName> = new Set(['contact.phone', 'contact.email']);

const levelOf = (target: TargetName, { weights, level }: RankingModel): number =>
  weights[target] === undefined ? ruleLevel : level;

/** `emergency_contact_phone` */
const isNamedOther = ({ names: [own] }: Leaf): boolean =>
  hasConcept(own?.reading, 'actor', 'past', 'relation');

export function assembleMapping(
  found: ReadonlyMap<TargetName, readonly RankedCandidate[]>,
  { index, split, flags, model }: Parts,
): MappingDocument {
  const best = (target: TargetName): RankedCandidate | undefined => {
    const first = found.get(target)?.[0];
    if (first === undefined) return undefined;
    const isOfOther =
      first.leaf !== null && (index.ownership(first.leaf).score < 0 || isNamedOther(first.leaf));
    const strict = isOfOther && reaching.has(target) ? otherLevel : 0;
    return first.confidence >= Math.max(levelOf(target, model), strict) ? first : undefined;
  };
  const pick = (target: TargetName): Source | undefined => best(target)?.source;
  const named = best('contact.name');
  const name = named === undefined ? null : String(named.example);
  const pickWithFallbacks = (trait: 'phone' | 'email'): Source | undefined => {
    const target = `contact.${trait}` as const;
    const [chosen, ...others] = best(target) === undefined ? [] : (found.get(target) ?? []);
    return chosen && selectWithFallbacks([chosen, ...others], { trait, name }, index);
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
    filter:
      [incomingFilter(index, flags), ...privateTests(best('contact.externalId'), flags)]
        .filter((part) => part !== undefined)
        .join(' && ') || undefined,
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
