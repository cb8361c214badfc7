/** Replaces the sources of a mapping document. */
import type { MappingDocument, PathSource, Source } from '../../domain/mappings/mapping.ts';
import { replaceTemplatePaths } from '../transforms/template-text.ts';

/** The members that hold targets: of the document, and of these. */
const sections: readonly (readonly string[])[] = [
  ['contact', 'message', 'context'],
  ['fields', 'former'],
];

function mapPart(
  part: object,
  change: (source: Source) => Source,
  [names = [], ...deeper]: typeof sections,
): object {
  const members = Object.entries(part).map(([name, value]: [string, Source | Source[]]) => {
    if (names.includes(name)) return [name, mapPart(value, change, deeper)];
    return [name, Array.isArray(value) ? value.map((each) => change(each)) : change(value)];
  });
  return Object.fromEntries(members) as object;
}

/** Returns a copy of the document in which the source of each target is replaced. */
export function mapSources(
  { split, filter, removal, ...targets }: MappingDocument,
  change: (source: Source) => Source,
): MappingDocument {
  return {
    ...(split !== undefined && { split }),
    ...(filter !== undefined && { filter }),
    ...(removal !== undefined && { removal }),
    ...mapPart(targets, change, sections),
  };
}

/** Returns the source that takes the place of a path. */
type ReplacePath = (source: PathSource) => Source;

/** Returns a copy of the document in which each path source, also inside of `first` and `join`, is replaced. */
export const mapPathSources = (document: MappingDocument, replace: ReplacePath): MappingDocument =>
  mapSources(document, (source) => replaceIn(source, replace));

function replaceIn(source: Source, replace: ReplacePath): Source {
  if ('path' in source) return replace(source);
  const inner = (parts: readonly Source[]) => parts.map((part) => replaceIn(part, replace));
  if ('first' in source) return { ...source, first: inner(source.first) };
  if ('join' in source) return { ...source, join: inner(source.join) };
  if (!('template' in source)) return source;
  const template = replaceTemplatePaths(
    source.template,
    (path) => expressionOf(replace({ path })) ?? path,
  );
  return { ...source, template };
}

/** Returns the expression that reads the same as a source of paths; null when there is none. */
function expressionOf(source: Source): string | null {
  if ((source.transforms?.length ?? 0) > 0) return null;
  if ('path' in source) return source.root ? null : source.path;
  if (!('first' in source)) return null;
  const paths = source.first.map(expressionOf);
  return paths.includes(null) ? null : paths.join(' || ');
}
