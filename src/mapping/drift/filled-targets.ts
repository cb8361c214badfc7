import type { MappedEvent, MappingDocument } from '../../domain/mappings/mapping.ts';
import { valuesOf } from '../evaluation/diff-events.ts';
import { sourcesOf } from './read-paths.ts';

/** Whether the filter accepted the event. An event whose filter failed is not mapped either. */
export const passedFilter = ({ ignored, failure }: MappedEvent): boolean =>
  ignored === null && failure !== 'filter_failed';

/** Returns each target of the document, and whether it has a value. For an event that the filter ignored, only `filter`. */
export function filledTargets(
  document: MappingDocument,
  mapped: MappedEvent,
): readonly (readonly [string, boolean])[] {
  const passed = passedFilter(mapped);
  const filter = document.filter === undefined ? [] : [['filter', passed] as const];
  if (!passed) return filter;
  const values = new Map(valuesOf(mapped));
  const targets = sourcesOf(document).map(([target]) => target);
  return [...filter, ...targets.map((target) => [target, isPresent(values.get(target))] as const)];
}

const isPresent = (value: string | null | undefined): boolean =>
  value !== null && value !== undefined;
