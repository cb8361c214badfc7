/**
 * A name in parts, for senders that send one part an event. Each part is a register of its own, in the scope of its webhook, and the
 * name follows from all parts that are known.
 *
 * Promises: the same events give the same name in any order. The name of all parts ranks by the last of them; while a part is
 * unknown, any whole name ranks before it.
 */
import type { ContactRecord, Register } from './contact.ts';
import { writtenRegister } from './register-layers.ts';

/** The parts of a name as an event has them; null for one that it does not have. */
export type NameParts = {
  readonly texts: readonly (string | null)[];
  readonly separator: string;
};

/** The registers of all parts, in the order of the name. */
export type PartRegisters = { readonly keys: readonly string[]; readonly separator: string };

const prefix = 'part:';

export const isNamePart = (key: string): boolean => key.startsWith(prefix);

export const partRegisters = (
  { texts, separator }: NameParts,
  webhookId: string,
): PartRegisters => ({
  keys: texts.map((_, at) => `${prefix}${webhookId}:${at}`),
  separator,
});

/** The class of stamps of names that lack a part: smaller than that of any event. */
const partialClass = '0';

const partial = (stamp: string): string => `${partialClass}${stamp.slice(1)}`;

type Layers = Pick<ContactRecord, 'registers' | 'beneath'>;

/**
 * Returns the contact with the name that follows from its parts, after an event has written some of them, unless a whole name ranks
 * later. `before`: the contact without what the event wrote.
 */
export function withNameOfParts(before: Layers, after: Layers, parts: PartRegisters): Layers {
  const name = nameOf(after, parts);
  if (!name) return after;
  const [was, is] = [before, after].map((one) => writtenRegister(one, 'name')?.stamp ?? '');
  const followed = was === is && mayFollow(was ?? '', lastOf(before, parts));
  if (!followed && name.stamp <= (is ?? '')) return after;
  const isShown = name.stamp > (after.registers.name?.stamp ?? '');
  const isHidden = Object.hasOwn(after.beneath ?? {}, 'name');
  if (isHidden && !isShown) return { ...after, beneath: { ...after.beneath, name } };
  const { name: _hidden, ...beneath } = after.beneath ?? {};
  const registers = { ...after.registers, name };
  return { registers, ...(Object.keys(beneath).length > 0 && { beneath }) };
}

/** Whether a name of this stamp followed from the parts, of which `last` is the latest, or there is no name. */
const mayFollow = (stamp: string, last: string): boolean =>
  ['', last, partial(last)].includes(stamp);

const writtenParts = (layers: Layers, { keys }: PartRegisters): Register[] =>
  keys.flatMap((key) => writtenRegister(layers, key) ?? []);

const lastOf = (layers: Layers, parts: PartRegisters): string =>
  writtenParts(layers, parts)
    .map(({ stamp }) => stamp)
    .toSorted()
    .at(-1) ?? '';

function nameOf(layers: Layers, parts: PartRegisters): Register | null {
  const known = writtenParts(layers, parts);
  if (known.length === 0) return null;
  const last = lastOf(layers, parts);
  const stamp = known.length === parts.keys.length ? last : partial(last);
  return { value: known.map(({ value }) => value).join(parts.separator), stamp };
}
