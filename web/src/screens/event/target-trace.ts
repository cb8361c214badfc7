/** What a mapping version read from a payload, by target: source, raw value and result. */
import type { Answer } from '../../api/operation.ts';
import type { PayloadLocation } from '../../ui/location/parse-location.ts';

type Document = Answer<'getWebhookMapping'>['mapping'];
type Source = NonNullable<Document['eventType']>;
export type Item = Answer<'previewWebhookMappings'>['items'][number];

export type TracedTarget = {
  readonly name: string;
  /** The sources: paths of the payload, and fixed text. */
  readonly from: readonly (PayloadLocation | string)[];
  readonly raw: unknown;
  /** The applied transforms. */
  readonly transforms: readonly string[];
  readonly value: string | null;
  readonly problem: Item['problems'][number] | undefined;
};

/** In the format of preview sources. */
function expressionOf(source: Source): string {
  const { path, header, query, const: fixed, first, join } = source;
  if (path !== undefined) return path;
  if (header !== undefined) return `header ${header}`;
  if (query !== undefined) return `query ${query}`;
  if (first !== undefined) return first.map((one: Source) => expressionOf(one)).join(' | ');
  if (join !== undefined) return join.map((one: Source) => expressionOf(one)).join(' + ');
  return JSON.stringify(fixed);
}

const partsOf = ({ first, join }: Source): readonly Source[] => first ?? join ?? [];

const withParts = (source: Source): Source[] => [source, ...partsOf(source).flatMap(withParts)];

function locationsOf(source: Source): TracedTarget['from'] {
  const { path, root, first } = source;
  if (path !== undefined) return [{ path, root }];
  const parts = partsOf(source);
  if (parts.length === 0) return [expressionOf(source)];
  const between = first === undefined ? ' + ' : ' | ';
  return parts.flatMap((part, at) =>
    at === 0 ? locationsOf(part) : [between, ...locationsOf(part)],
  );
}

/** With several sources, the one that the preview names. */
function fromOf(source: Source, expression: string | undefined): TracedTarget['from'] {
  if (!expression || expression === 'const') return locationsOf(source);
  const read = withParts(source).find((one) => expressionOf(one) === expression);
  return read ? locationsOf(read) : [expression];
}

type Named = readonly [name: string, source: Source | undefined];

/** In reading order: person, message, context, event. */
function sourcesOf({ contact, message, context, ...event }: Document): readonly Named[] {
  const own = (group: string, fields: Document['contact'] | Document['context']): Named[] =>
    Object.entries({ ...fields, fields: undefined, labels: undefined }).map(
      ([part, source]): Named => [`${group}.${part}`, source as Source | undefined],
    );
  const extra = (group: string, fields: Partial<Record<string, Source>> = {}): Named[] =>
    Object.entries(fields).map(([part, source]): Named => [`${group}.fields.${part}`, source]);
  return [
    ...own('contact', contact),
    ...extra('contact', contact?.fields),
    ['message.text', message?.text],
    ...own('context', context),
    ...(context?.labels ?? []).map((source, at): Named => [`context.labels.${at}`, source]),
    ...extra('context', context?.fields),
    ['eventId', event.eventId as Source | undefined],
    ['eventType', event.eventType],
    ['eventDate', event.eventDate],
  ];
}

function valueOf(item: Item, name: string): string | null {
  const [group = '', part = '', ...rest] = name.split('.');
  if (part === 'labels') return null;
  let value: unknown = item;
  for (const step of [group, part, rest.join('.')].filter((one) => one !== '')) {
    value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[step];
  }
  return typeof value === 'string' ? value : null;
}

type Trace = {
  readonly source: string;
  readonly raw: unknown;
  readonly steps: readonly { readonly transform: string }[];
};

export function traceTargets(mapping: Document, item: Item): readonly TracedTarget[] {
  const traces = item.sources as Partial<Readonly<Record<string, Trace>>>;
  const named = sourcesOf(mapping).flatMap(([name, source]) => (source ? [{ name, source }] : []));
  return named.map(({ name, source }) => {
    const trace = traces[name];
    const isLabel = name.startsWith('context.labels.');
    return {
      name,
      from: fromOf(source, trace?.source),
      raw: trace?.raw ?? null,
      transforms: [...new Set(trace?.steps.map(({ transform }) => transform))],
      value: isLabel && trace ? rawText(trace.raw) : valueOf(item, name),
      problem: item.problems.find(({ target }) => target === name),
    };
  });
}

/** One line for a table; the payload card has the full text. */
export function rawText(raw: unknown): string {
  if (typeof raw === 'string') return raw;
  return Array.isArray(raw) && raw.every((one) => typeof one === 'string')
    ? raw.join(' + ')
    : JSON.stringify(raw);
}

/** For an item that was already split. */
export const withoutSplit = ({ split: _split, ...mapping }: Document): Document => mapping;
