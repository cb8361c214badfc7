/** The requests of real producers in `suggest/corpora`, with the values that a correct mapping reads. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { MappedEvent, Payload } from '../../src/domain/mappings/mapping.ts';
import type { PreviewItem } from '../../src/mapping/evaluation/preview.ts';
import { producers } from '../../src/producers/registry.ts';

interface TruthEntry {
  value: string;
  e164?: string;
  default_region?: string;
  iso?: string | null;
  plain_text?: string;
}

export type Truth = Partial<Record<TruthField, TruthEntry | null>>;

export interface Request {
  name: string;
  producer: string;
  content_type: string | null;
  headers: Record<string, string> | null;
  query?: Record<string, string>;
  body: unknown;
  raw_body?: string;
  facts: { event_id_path: string | null };
  batch: { count: number } | null;
  truth: Truth;
  truth_items?: Truth[];
  /** Further values that are right. */
  also?: Partial<Record<TruthField, TruthEntry[]>>;
  /** Fields without a truth that may have one of the further values. */
  optional?: TruthField[];
  variant_of?: string;
}

/** The fields of the truth and their paths in a mapped event. */
const readers = {
  external_id: (event: MappedEvent) => event.contact.externalId,
  name: (event: MappedEvent) => event.contact.name,
  phone: (event: MappedEvent) => event.contact.phone,
  email: (event: MappedEvent) => event.contact.email,
  document: (event: MappedEvent) => event.contact.document,
  message: (event: MappedEvent) => event.message.text,
  campaign: (event: MappedEvent) => event.context.campaign,
  source: (event: MappedEvent) => event.context.origin,
  event_date: (event: MappedEvent) => event.eventDate,
  event_type: (event: MappedEvent) => event.eventType,
};

export type TruthField = keyof typeof readers;
export const truthFields = Object.keys(readers) as TruthField[];

const corpora = join(import.meta.dirname, '../corpora');
/** Every folder of `suggest/corpora`. */
export const corpusNames: readonly string[] = readdirSync(corpora).toSorted();

/** Requests that carry a body. */
export function readCorpus(name = 'corpus'): Request[] {
  const folder = join(corpora, name);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .toSorted()
    .map((file): Request => {
      const request = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Request;
      return { ...request, name: file.replace(/\.json$/, '') };
    })
    .filter(({ body }) => body !== null);
}

/** Returns the payload as a mapping reads it. */
export function payloadOf(request: Request): Payload {
  const headers = Object.fromEntries(
    Object.entries(request.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return { body: bodyOf(request), headers, query: request.query ?? {} };
}

function bodyOf({ content_type, raw_body, body, name }: Request): unknown {
  if (/urlencoded|multipart|xml/.test(content_type ?? '')) return withoutPrototypes(body);
  const text = Buffer.from(raw_body ?? JSON.stringify(body));
  const decoded = producers.generic.decodeBody({ contentType: 'application/json', body: text });
  if (!decoded.ok) throw new Error(`${name} is not decoded: ${decoded.code}`);
  return decoded.value;
}

export function withoutPrototypes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPrototypes);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, withoutPrototypes(inner)]);
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

export const regionOf = (truth: Truth): string => truth.phone?.default_region ?? 'BR';

export type Verdict = 'right' | 'wrong' | 'missing' | 'invented' | 'empty';

type Answers = Pick<Request, 'truth' | 'also' | 'optional'>;

/** Returns whether a mapped event has a right value of a field. */
export function judge(field: TruthField, answers: Answers, event: PreviewItem): Verdict {
  const entry = answers.truth[field] ?? null;
  const further = answers.also?.[field] ?? [];
  const value = valueOf(field, event);
  if (value === null) return entry === null ? 'empty' : 'missing';
  const accepted = [...(entry === null ? [] : [entry]), ...further];
  const isAccepted = accepted.some((one) => acceptable(field, one).includes(plain(field, value)));
  if (entry !== null) return isAccepted ? 'right' : 'wrong';
  return isAccepted && answers.optional?.includes(field) ? 'empty' : 'invented';
}

/** A date with an unknown zone is compared as text. */
function valueOf(field: TruthField, event: PreviewItem): string | null {
  const value = readers[field](event);
  if (field !== 'event_date' || value !== null) return value;
  const isLocal = event.problems.some(
    ({ target, code }) => target === 'eventDate' && code === 'zone_unknown',
  );
  return isLocal ? String(event.sources.eventDate?.raw) : null;
}

function acceptable(field: TruthField, entry: TruthEntry): string[] {
  if (field === 'phone') return [entry.e164 ?? entry.value];
  if (field === 'event_date') return [entry.iso ?? entry.value, entry.value];
  return [entry.value, ...(entry.plain_text === undefined ? [] : [entry.plain_text])].map((text) =>
    plain(field, text),
  );
}

function plain(field: TruthField, text: string): string {
  if (field === 'document') return text.replace(/[\s./-]/g, '');
  return field === 'email' ? text.trim().toLowerCase() : text.trim();
}
