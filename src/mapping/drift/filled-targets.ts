import type { MappedEvent, MappingDocument } from '../../domain/mappings/mapping.ts';

/** Whether the filter accepted the event. An event whose filter failed is not mapped either. */
export const passedFilter = ({ ignored, failure }: MappedEvent): boolean =>
  ignored === null && failure !== 'filter_failed';

/** Returns each target of the document, and whether it has a value. For an event that the filter ignored, only `filter`. */
export function filledTargets(
  document: MappingDocument,
  mapped: MappedEvent,
): readonly (readonly [string, boolean])[] {
  const filled: [string, boolean][] = [];
  const add = (target: string, source: unknown, value: unknown): void => {
    if (source !== undefined) filled.push([target, value !== null && value !== undefined]);
  };
  add('filter', document.filter, passedFilter(mapped) ? true : null);
  if (!passedFilter(mapped)) return filled;
  add('eventId', document.eventId, mapped.eventId);
  add('eventType', document.eventType, mapped.eventType);
  add('eventDate', document.eventDate, mapped.eventDate);
  const { contact = {}, message = {}, context = {} } = document;
  for (const name of ['externalId', 'name', 'phone', 'email', 'document'] as const) {
    add(`contact.${name}`, contact[name], mapped.contact[name]);
  }
  for (const [name, source] of Object.entries(contact.fields ?? {})) {
    add(`contact.fields.${name}`, source, mapped.contact.fields[name]);
  }
  add('message.text', message.text, mapped.message.text);
  for (const name of ['origin', 'campaign', 'sector'] as const) {
    add(`context.${name}`, context[name], mapped.context[name]);
  }
  const { labels = [] } = context;
  if (labels.length > 0) add('context.labels', labels, mapped.context.labels[0]);
  for (const [name, source] of Object.entries(context.fields ?? {})) {
    add(`context.fields.${name}`, source, mapped.context.fields[name]);
  }
  return filled;
}
