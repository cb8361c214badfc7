/** Divides a set into parts that one transaction takes. */
import type { PreparedLead } from '../effects/prepare-leads.ts';
import type { Part } from './commit-part.ts';

/** MongoDB holds what a transaction writes in its cache. */
const limits = { writes: 1_000, characters: 4_000_000 } as const;

/** What a lead writes besides its identities: contact, chat, message and outcome. */
const writesOfLead = 4;

/** A lead that exceeds the limits by itself is a part of its own. */
export function partsOf({ leads, ended }: Part): Part[] {
  const parts: PreparedLead[][] = [];
  let writes = Infinity;
  let characters = Infinity;
  for (const one of leads) {
    const own = sizeOf(one);
    writes += own.writes;
    characters += own.characters;
    const last = parts.at(-1);
    if (last && writes <= limits.writes && characters <= limits.characters) {
      last.push(one);
      continue;
    }
    parts.push([one]);
    ({ writes, characters } = own);
  }
  const [first = [], ...others] = parts;
  return [{ leads: first, ended }, ...others.map((some) => ({ leads: some, ended: [] }))];
}

function sizeOf({ lead, opening }: PreparedLead) {
  const { contact } = lead.mapped;
  const fields = [
    ...Object.entries(contact.fields),
    ...opening.fields.map(({ name, value }) => [name, value] as const),
  ];
  return {
    writes: lead.identities.length + writesOfLead,
    characters: fields.reduce(
      (sum, [name, value]) => sum + name.length + (value?.length ?? 0),
      lead.text.length,
    ),
  };
}
