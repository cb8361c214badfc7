/**
 * The nouns of mapping: the document that says where an event's data sits in a payload, and what applying it yields.
 * These types are the one truth about the document's shape; the JSON Schema in the mapping room is typed against
 * them, key by key, so that neither can gain or lose a part alone.
 */

export type Scalar = string | number | boolean;

/** `"trim"` or `{ "phone": { "region": "BR" } }`: a transform's name, or its name with its options. */
export type TransformUse = string | Record<string, Record<string, unknown>>;

export interface SourceOptions {
  transforms?: TransformUse[];
  default?: Scalar;
  required?: boolean;
}

export interface PathSource extends SourceOptions {
  /** JMESPath over the item (inside a split) or the body. */
  path: string;
  /** Read the whole body, also inside a split. */
  root?: boolean;
}

export interface HeaderSource extends SourceOptions {
  header: string;
}

export interface QuerySource extends SourceOptions {
  query: string;
}

export interface ConstSource extends SourceOptions {
  const: Scalar;
}

export interface FirstSource extends SourceOptions {
  first: Source[];
}

export interface JoinSource extends SourceOptions {
  join: Source[];
  with?: string;
}

export type Source =
  PathSource | HeaderSource | QuerySource | ConstSource | FirstSource | JoinSource;

export interface ContactMapping {
  externalId?: Source;
  name?: Source;
  phone?: Source;
  email?: Source;
  document?: Source;
  fields?: Record<string, Source>;
}

export interface MessageMapping {
  text?: Source;
}

export interface ContextMapping {
  origin?: Source;
  campaign?: Source;
  labels?: Source[];
  sector?: Source;
  fields?: Record<string, Source>;
}

export interface MappingDocument {
  split?: string;
  filter?: string;
  eventId?: Source;
  eventType?: Source;
  eventDate?: Source;
  contact?: ContactMapping;
  message?: MessageMapping;
  context?: ContextMapping;
}

/** What a mapping reads: the decoded body, and headers and query values by name (header names in lower case). */
export interface Payload {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export type ProblemCode =
  | 'path_failed'
  | 'filter_failed'
  | 'split_failed'
  | 'split_not_array'
  | 'too_many_items'
  | 'not_text'
  | 'too_long'
  | 'required_missing'
  | 'invalid_phone'
  | 'invalid_email'
  | 'invalid_document'
  | 'invalid_date'
  | 'zone_unknown'
  | 'invalid_number'
  | 'invalid_boolean'
  | 'invalid_json'
  | 'transform_failed';

/** Something of a payload that could not be read as the mapping asks; `message` is for people. */
export interface MappingProblem {
  target: string;
  code: ProblemCode;
  message: string;
}

export interface MappedContact {
  externalId: string | null;
  name: string | null;
  /** E.164 */
  phone: string | null;
  email: string | null;
  document: string | null;
  /** By the names that the document gives; null where the payload has none. */
  fields: Record<string, string | null>;
}

export interface MappedContext {
  origin: string | null;
  campaign: string | null;
  labels: string[];
  sector: string | null;
  /** By the names that the document gives; null where the payload has none. */
  fields: Record<string, string | null>;
}

export interface MappedEvent {
  /** `filter` when the mapping's filter said no; then nothing else was read. */
  ignored: 'filter' | null;
  eventId: string | null;
  eventType: string | null;
  /** ISO 8601, UTC, milliseconds */
  eventDate: string | null;
  contact: MappedContact;
  message: { text: string | null };
  context: MappedContext;
  problems: MappingProblem[];
  /** Why this event cannot be processed: `filter_failed`, `required_missing:<target>` or `too_much_work:<target>`. */
  failure: string | null;
}

/** The external event id: its text, and the parts that it was joined from (one, when it was not joined). */
export interface EventId {
  text: string;
  parts: string[];
}
