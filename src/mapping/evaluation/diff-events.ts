/** Compares the events that two mappings make of the same item. */
import type { Change, Diff, DiffKind } from '../../domain/mappings/mapping-diff.ts';
import {
  contactTargets,
  contextTargets,
  identityTargets,
  type MappedEvent,
} from '../../domain/mappings/mapping.ts';

// An event that identifies no contact fails when it is processed.
function failureOf({ ignored, failure, contact }: MappedEvent): string | null {
  if (ignored !== null) return null;
  const { externalId, phone, email, document } = contact;
  const isNamed = externalId ?? phone ?? email ?? document;
  return failure ?? (isNamed === null ? 'contact_unidentified' : null);
}

/** Yields every target with its value as a text; null where the event has none. */
export function* valuesOf(event: MappedEvent): Iterable<[string, string | null]> {
  const { contact, context } = event;
  yield ['ignored', event.ignored];
  yield ['eventId', event.eventId];
  yield ['eventType', event.eventType];
  yield ['eventDate', event.eventDate];
  for (const name of contactTargets) {
    yield [`contact.${name}`, contact[name]];
  }
  for (const [name, value] of Object.entries(contact.fields)) {
    yield [`contact.fields.${name}`, value];
  }
  for (const kind of identityTargets) {
    const values = (contact.former ?? []).filter((one) => one.kind === kind);
    yield [`contact.former.${kind}`, values.map(({ value }) => value).join(', ') || null];
  }
  yield ['message.text', event.message.text];
  for (const name of contextTargets) {
    yield [`context.${name}`, context[name]];
  }
  yield ['context.labels', context.labels.length === 0 ? null : context.labels.join(', ')];
  for (const [name, value] of Object.entries(context.fields)) {
    yield [`context.fields.${name}`, value];
  }
}

export function diffEvents(before: MappedEvent, after: MappedEvent): Diff {
  const [old, now] = [new Map(valuesOf(before)), new Map(valuesOf(after))];
  const targets = new Set([...old.keys(), ...now.keys()]);
  const changes = [...targets].flatMap((target): Change[] => {
    const change = { target, before: old.get(target) ?? null, after: now.get(target) ?? null };
    return change.before === change.after ? [] : [change];
  });
  const failure = { before: failureOf(before), after: failureOf(after) };
  return { kind: kindOf(changes, failure), changes, failure };
}

function kindOf(changes: readonly Change[], { before, after }: Diff['failure']): DiffKind {
  if (before === null && after !== null) return 'newlyFailing';
  if (before !== null && after === null) return 'newlyPassing';
  return changes.length > 0 || before !== after ? 'changed' : 'same';
}
