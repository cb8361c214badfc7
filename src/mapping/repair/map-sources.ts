/** Replaces the paths that the sources of a mapping document read. */
import type { MappingDocument, PathSource, Source } from '../../domain/mappings/mapping.ts';
import { replaceTemplatePaths } from '../text-transforms/template-text.ts';

/** Returns the source that takes the place of a path. `target` is the name of the target that reads it. */
type ReplacePath = (source: PathSource, target: string) => Source;

/** Returns a copy of the document in which each path source, also inside of `first` and `join`, is replaced. */
export function mapPathSources(document: MappingDocument, replace: ReplacePath): MappingDocument {
  const { eventId, eventType, eventDate, contact, message, context } = document;
  const one = (target: string, source: Source | undefined) =>
    source && replaceIn(source, target, replace);
  const named = (prefix: string, sources: Readonly<Record<string, Source>> | undefined) =>
    sources &&
    Object.fromEntries(
      Object.entries(sources).map(([name, source]) => [
        name,
        replaceIn(source, `${prefix}${name}`, replace),
      ]),
    );
  const group = <Group extends object>(parts: Group, has: unknown): Group | undefined =>
    has === undefined ? undefined : parts;
  return present({
    ...document,
    eventId: one('eventId', eventId),
    eventType: one('eventType', eventType),
    eventDate: one('eventDate', eventDate),
    contact: group(
      present({
        externalId: one('contact.externalId', contact?.externalId),
        name: one('contact.name', contact?.name),
        phone: one('contact.phone', contact?.phone),
        email: one('contact.email', contact?.email),
        document: one('contact.document', contact?.document),
        fields: named('contact.fields.', contact?.fields),
      }),
      contact,
    ),
    message: group(present({ text: one('message.text', message?.text) }), message),
    context: group(
      present({
        origin: one('context.origin', context?.origin),
        campaign: one('context.campaign', context?.campaign),
        labels: context?.labels?.map((label) => replaceIn(label, 'context.labels', replace)),
        sector: one('context.sector', context?.sector),
        fields: named('context.fields.', context?.fields),
      }),
      context,
    ),
  });
}

function replaceIn(source: Source, target: string, replace: ReplacePath): Source {
  if ('path' in source) return replace(source, target);
  const inner = (parts: readonly Source[]) => parts.map((part) => replaceIn(part, target, replace));
  if ('first' in source) return { ...source, first: inner(source.first) };
  if ('join' in source) return { ...source, join: inner(source.join) };
  if ('template' in source) {
    const template = replaceTemplatePaths(
      source.template,
      (path) => expressionOf(replace({ path }, target)) ?? path,
    );
    return { ...source, template };
  }
  return source;
}

/** Returns the expression that reads the same as a source of paths; null when there is none. */
function expressionOf(source: Source): string | null {
  if ((source.transforms?.length ?? 0) > 0) return null;
  if ('path' in source) return source.root ? null : source.path;
  if (!('first' in source)) return null;
  const paths = source.first.map(expressionOf);
  return paths.includes(null) ? null : paths.join(' || ');
}

/** Returns a copy without the undefined parts. */
const present = <Parts extends object>(
  parts: Parts,
): { [Key in keyof Parts]: Exclude<Parts[Key], undefined> } =>
  Object.fromEntries(Object.entries(parts).filter(([, part]) => part !== undefined)) as {
    [Key in keyof Parts]: Exclude<Parts[Key], undefined>;
  };
