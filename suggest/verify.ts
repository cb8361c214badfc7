/** Removes the targets of a proposal that do not compile, or read nothing from the sample payloads. */
import type { MappedEvent, MappingDocument, Payload } from '../src/domain/mappings/mapping.ts';
import { applyItem, splitItems } from '../src/mapping/evaluation/apply.ts';
import type { WorkBudget } from '../src/mapping/expressions/work-budget.ts';
import { compileMapping } from '../src/mapping/language/compile.ts';
import { chargeStep } from './charge-step.ts';

const maxItems = 5;
const maxRounds = 12;

export function verifyMapping(
  proposed: MappingDocument,
  samples: readonly Payload[],
  { defaultRegion, budget }: { readonly defaultRegion: string; readonly budget: WorkBudget },
): MappingDocument {
  let mapping = proposed;
  for (let round = 0; round < maxRounds; round += 1) {
    const compiled = compileMapping(mapping);
    if (!compiled.ok) {
      const next = compiled.problems.reduce(
        (left, { path }) => without(left, path.split('/').slice(1)),
        mapping,
      );
      if (next === mapping) return {};
      mapping = next;
      continue;
    }
    const events: MappedEvent[] = [];
    for (const payload of samples) {
      const split = splitItems(compiled.mapping, payload);
      for (const item of split.ok ? split.items.slice(0, maxItems) : []) {
        events.push(applyItem(compiled.mapping, payload, { defaultRegion, item }));
      }
      chargeStep(budget);
    }
    if (mapping.filter !== undefined && events.every(({ ignored }) => ignored !== null)) {
      mapping = without(mapping, ['filter']);
      continue;
    }
    return withoutUnread(mapping, events);
  }
  return {};
}

/** Targets whose source may be left out when no sample has its value. */
export const optionalTargets = [
  'eventType',
  'contact.externalId',
  'contact.name',
  'contact.phone',
  'contact.email',
  'contact.document',
  'message.text',
  'context.origin',
  'context.campaign',
];

function withoutUnread(mapping: MappingDocument, events: readonly MappedEvent[]): MappingDocument {
  if (events.length === 0) return mapping;
  return optionalTargets.reduce((left, target) => {
    const path = target.split('.');
    const isRead = events.some((event) => event.ignored === null && valueAt(event, path) !== null);
    return isRead || valueAt(left, path) === undefined ? left : without(left, path);
  }, mapping);
}

/** Returns the value at a path of keys; undefined when there is none. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  let at: unknown = value;
  for (const key of path) at = (at as Record<string, unknown> | undefined)?.[key];
  return at;
}

/** Returns a copy without one target: the first key, or the first two inside contact, message and context. */
function without(mapping: MappingDocument, path: readonly string[]): MappingDocument {
  const [first = '', second = ''] = path;
  if (!(first in mapping)) return mapping;
  const { [first as keyof MappingDocument]: part, ...rest } = mapping;
  if (!['contact', 'message', 'context'].includes(first) || typeof part !== 'object') return rest;
  const inner = Object.fromEntries(Object.entries(part).filter(([key]) => key !== second));
  return Object.keys(inner).length === 0 ? rest : { ...rest, [first]: inner };
}
