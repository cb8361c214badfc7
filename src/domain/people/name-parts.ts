/**
 * A name in parts, for senders that send one part an event. Each part is a register of its own, in the scope of its webhook, and the
 * name follows from all parts that are known.
 *
 * Promises: the same events give the same name in any order. The name of all parts ranks by the last of them; while a part is
 * unknown, any whole name ranks before it. `store/people/name-stages.ts` computes the same in MongoDB.
 */
import type { Registers } from './contact.ts';

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
export const partialClass = '0';

/** Returns the registers with the name that follows from the parts among them, unless a whole name ranks later. */
export function withName(registers: Registers, { keys, separator }: PartRegisters): Registers {
  const parts = keys.flatMap((key) => registers[key] ?? []);
  const last = parts
    .map(({ stamp }) => stamp)
    .toSorted()
    .at(-1);
  if (last === undefined) return registers;
  const stamp = parts.length === keys.length ? last : `${partialClass}${last.slice(1)}`;
  if (registers.name && registers.name.stamp >= stamp) return registers;
  const value = parts.map((part) => part.value).join(separator);
  return { ...registers, name: { value, stamp } };
}
