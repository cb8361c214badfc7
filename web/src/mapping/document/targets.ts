/** The targets of a mapping: their order and groups on the screen; reads and writes them in a document. */
import type { Document, Source } from './mapping-document.ts';

/** Dotted, as in problems and previews: `contact.phone`, `contact.fields.City`, `context.labels.0`. */
export type TargetName = string;

type GroupName = 'contact' | 'message' | 'context' | 'event';
/** `fields` and `labels` have any number of targets. */
export type Group = {
  readonly name: GroupName;
  readonly fixed: readonly TargetName[];
  readonly fields?: 'contact' | 'context';
  readonly labels?: true;
};

export const groups: readonly Group[] = [
  {
    name: 'contact',
    fixed: ['name', 'phone', 'email', 'document', 'externalId'].map((one) => `contact.${one}`),
    fields: 'contact',
  },
  { name: 'message', fixed: ['message.text'] },
  {
    name: 'context',
    fixed: ['context.origin', 'context.campaign', 'context.sector'],
    labels: true,
    fields: 'context',
  },
  { name: 'event', fixed: ['eventId', 'eventType', 'eventDate'] },
];

type Holder = Readonly<Record<string, unknown>>;

/** Only the last segment, a field name, may contain dots. */
export function segmentsOf(target: TargetName): string[] {
  const field = /^(contact|context)\.fields\.(.*)$/s.exec(target);
  return field ? [field[1] ?? '', 'fields', field[2] ?? ''] : target.split('.');
}

export function readTarget(document: Document, target: TargetName): Source | undefined {
  let value: unknown = document;
  for (const key of segmentsOf(target)) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Holder)[key];
  }
  return isSource(value) ? value : undefined;
}

/** Text from the expert editor can be anything; the server reports what is invalid. */
function isSource(value: unknown): value is Source {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const { join, first, template, transforms } = value as Holder;
  return (
    [join, first].every((parts) => parts === undefined || isListOf(parts, isSource)) &&
    (template === undefined || typeof template === 'string') &&
    (transforms === undefined || isListOf(transforms, isUse))
  );
}

const isUse = (value: unknown): boolean =>
  typeof value === 'string' ||
  (typeof value === 'object' &&
    value !== null &&
    typeof Object.values(value)[0] === 'object' &&
    Object.values(value)[0] !== null);

const isListOf = (value: unknown, isOne: (one: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(isOne);

/** Null removes the target, and parents that become empty. */
export function writeTarget(
  document: Document,
  target: TargetName,
  source: Source | null,
): Document {
  return (written(document, segmentsOf(target), source) ?? {}) as Document;
}

function written(holder: unknown, keys: readonly string[], source: Source | null): unknown {
  const [key = '', ...rest] = keys;
  if (keys.length === 0) return source ?? undefined;
  if (Array.isArray(holder) || (holder === undefined && /^\d+$/.test(key))) {
    const list: unknown[] = [...((holder as unknown[] | undefined) ?? [])];
    if (source === null) list.splice(Number(key), 1);
    else list[Number(key)] = source;
    return list.length === 0 ? undefined : list;
  }
  const before = (holder ?? {}) as Holder;
  const inner = written(Object.hasOwn(before, key) ? before[key] : undefined, rest, source);
  const { [key]: _, ...others } = before;
  if (inner === undefined) return Object.keys(others).length === 0 ? undefined : others;
  return Object.hasOwn(before, key)
    ? Object.fromEntries(
        Object.entries(before).map(([one, value]) => [one, one === key ? inner : value]),
      )
    : { ...before, [key]: inner };
}

export function fieldNames(document: Document, fieldGroup: 'contact' | 'context'): string[] {
  const fields: unknown = document[fieldGroup]?.fields;
  return typeof fields === 'object' && fields !== null ? Object.keys(fields) : [];
}

export function labelCount(document: Document): number {
  const labels: unknown = document.context?.labels;
  return Array.isArray(labels) ? labels.length : 0;
}

/** The targets of a group, in screen order. */
export function targetsOf(document: Document, group: Group): TargetName[] {
  const labels = group.labels
    ? Array.from({ length: labelCount(document) }, (_, at) => `context.labels.${at}`)
    : [];
  const { fields: fieldGroup } = group;
  const fields = fieldGroup
    ? fieldNames(document, fieldGroup).map((name) => `${fieldGroup}.fields.${name}`)
    : [];
  return [...group.fixed, ...labels, ...fields];
}

/** All targets with a source. */
export const filledTargets = (document: Document): TargetName[] =>
  groups
    .flatMap((group) => targetsOf(document, group))
    .filter((target) => readTarget(document, target) !== undefined);

/** The name of a custom field; null for other targets. */
export function fieldNameOf(target: TargetName): string | null {
  const [, holder, name] = segmentsOf(target);
  return holder === 'fields' ? (name ?? null) : null;
}

export const isLabel = (target: TargetName): boolean => target.startsWith('context.labels.');

/** Returns a free name for a new field. */
export function freeName(taken: readonly string[], wanted: string): string {
  const name =
    wanted
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .slice(0, 60) || 'field';
  if (!taken.includes(name)) return name;
  for (let n = 2; ; n += 1) if (!taken.includes(`${name} ${n}`)) return `${name} ${n}`;
}

export function renameField(document: Document, target: TargetName, name: string): Document {
  const [fieldGroup = 'contact', , before] = segmentsOf(target);
  const holder = document[fieldGroup as 'contact' | 'context'];
  const fields = Object.fromEntries(
    Object.entries(holder?.fields ?? {}).map(([one, source]) => [
      one === before ? name : one,
      source,
    ]),
  );
  return { ...document, [fieldGroup]: { ...holder, fields } };
}
