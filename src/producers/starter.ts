/** Starter mappings in short: a text is a path, and of a list the first source that has a value is read. */
import type { IdentityTarget, MappingDocument, Source } from '../domain/mappings/mapping.ts';

type Short = string | Source | readonly Short[];
type Sources<Name extends string> = { readonly [Each in Name]?: Short };
type Starter = Pick<MappingDocument, 'split' | 'filter' | 'removal'> &
  Sources<'eventId' | 'eventType' | 'eventDate' | 'text'> & {
    readonly contact: Sources<'externalId' | 'name' | 'phone' | 'email' | 'document'> & {
      readonly fields?: Record<string, Source>;
      readonly former?: Sources<IdentityTarget>;
    };
    readonly context?: Sources<'origin' | 'campaign'>;
  };

/** The transforms of targets, unless their source has transforms of its own. */
const transforms: Readonly<Record<string, string>> = {
  eventDate: 'date',
  phone: 'phone',
  email: 'email',
  document: 'document',
};

const isList = (short: Short): short is readonly Short[] => Array.isArray(short);

export function sourceOf(short: Short): Source {
  if (typeof short === 'string') return { path: short };
  return isList(short) ? { first: short.map(sourceOf) } : short;
}

export const joined = (parts: readonly Short[], separator?: string): Source => ({
  join: parts.map(sourceOf),
  ...(separator !== undefined && { with: separator }),
});

/** A name whose parts come one an event. */
export const nameInParts = (parts: readonly Short[]): Source => ({
  join: parts.map(sourceOf),
  parts: true,
});

/** An expression that compares a member with several texts. */
export const isAny = (member: string, texts: readonly string[]): string =>
  texts.map((text) => `${member} == '${text}'`).join(' || ');

const sourcesOf = (shorts: Sources<string>): Record<string, Source> =>
  Object.fromEntries(
    Object.entries(shorts).flatMap(([target, short]) => {
      if (short === undefined) return [];
      const source = sourceOf(short);
      const transform = transforms[target];
      const isPlain = transform === undefined || source.transforms !== undefined;
      return [[target, isPlain ? source : { ...source, transforms: [transform] }]];
    }),
  );

export function starter({
  split,
  filter,
  removal,
  contact: { fields, former, ...contact },
  text,
  context,
  ...event
}: Starter): MappingDocument {
  return {
    ...(split !== undefined && { split }),
    ...(filter !== undefined && { filter }),
    ...(removal !== undefined && { removal }),
    ...sourcesOf(event),
    contact: {
      ...sourcesOf(contact),
      ...(fields && { fields }),
      ...(former && { former: sourcesOf(former) }),
    },
    ...(text !== undefined && { message: { text: sourceOf(text) } }),
    ...(context && { context: sourcesOf(context) }),
  };
}
