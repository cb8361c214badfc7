/**
 * Types of mappings: the mapping document, which says where an event's data is in a payload, and the result of
 * applying it.
 * The JSON Schema in the module `mapping` is typed against these types, key by key.
 */

import type { NameParts } from '../people/name-parts.ts';
import type { PublicText } from '../../base/texts/texts.ts';

export type Scalar = string | number | boolean;

/** A transform's name, or its name with options: `"trim"` or `{ "phone": { "region": "BR" } }`. */
export type TransformUse = string | Record<string, Record<string, unknown>>;

interface SourceOptions {
  transforms?: TransformUse[];
  default?: Scalar;
  required?: boolean;
}

export interface PathSource extends SourceOptions {
  /** JMESPath expression over the item (inside a split) or the body. */
  path: string;
  /** Evaluate over the whole body, even inside a split. */
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
  /** Of `contact.name` only: each part is kept by itself, because events have one part each. */
  parts?: boolean;
}

export interface TemplateSource extends SourceOptions {
  /** A text with fields, `Order {{order.id}}{{#if note}}: {{note}}{{/if}}`. Empty when no field has a value. */
  template: string;
}

export type Source =
  | PathSource
  | HeaderSource
  | QuerySource
  | ConstSource
  | FirstSource
  | JoinSource
  | TemplateSource;

/** The targets of a contact and of a context that are one text, beside their fields. */
export const contactTargets = ['externalId', 'name', 'phone', 'email', 'document'] as const;
export const contextTargets = ['origin', 'campaign', 'sector'] as const;
export type ContactTarget = (typeof contactTargets)[number];
export type ContextTarget = (typeof contextTargets)[number];

/** The targets that identify a contact. */
export const identityTargets = ['externalId', 'phone', 'email', 'document'] as const;
export type IdentityTarget = (typeof identityTargets)[number];

export type ContactMapping = { [Target in ContactTarget]?: Source } & {
  fields?: Record<string, Source>;
  /** What the person was known by before, each a value or a list: they find the contact and are never shown. */
  former?: FormerMapping;
};

export type FormerMapping = { [Target in IdentityTarget]?: Source };

export interface MessageMapping {
  text?: Source;
}

export type ContextMapping = { [Target in ContextTarget]?: Source } & {
  labels?: Source[];
  fields?: Record<string, Source>;
};

export interface MappingDocument {
  split?: string;
  filter?: string;
  /** JMESPath expression over the item: whether the event asks to forget or remove its person. Without it, the event type says so. */
  removal?: string;
  eventId?: Source;
  eventType?: Source;
  eventDate?: Source;
  contact?: ContactMapping;
  message?: MessageMapping;
  context?: ContextMapping;
}

/** Input of a mapping: the decoded body, and headers and query values by name. Header names are lower-case. */
export interface Payload {
  body: unknown;
  headers: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
}

export type ProblemCode =
  | 'path_failed'
  | 'filter_failed'
  | 'removal_failed'
  | 'split_failed'
  | 'split_not_array'
  | 'too_many_items'
  | 'too_many_names'
  | 'too_many_identities'
  | 'not_text'
  | 'too_long'
  | 'required_missing'
  | 'placeholder_value'
  | 'message_empty'
  | 'invalid_phone'
  | 'invalid_email'
  | 'invalid_document'
  | 'invalid_date'
  | 'zone_unknown'
  | 'invalid_number'
  | 'invalid_boolean'
  | 'invalid_json'
  | 'transform_failed';

/** A target that could not be read. */
export interface MappingProblem {
  target: string;
  code: ProblemCode;
  message: PublicText;
}

/** By the names that the document gives; null where the payload has none. */
type MappedFields = Record<string, string | null>;

export type FormerIdentity = { readonly kind: IdentityTarget; readonly value: string };

export interface MappedEvent {
  /** `filter` if the mapping's filter excluded the item; no target is read then. `removal_requested` if it asks to remove its person. */
  ignored: 'filter' | 'removal_requested' | null;
  eventId: string | null;
  eventType: string | null;
  /** ISO 8601, UTC, milliseconds */
  eventDate: string | null;
  /** The phone is E.164. */
  contact: Record<ContactTarget, string | null> & {
    fields: MappedFields;
    /** What the person was known by before, strongest kind first; absent when the mapping reads none. */
    former?: FormerIdentity[];
  };
  /** Present when the mapping keeps the parts of the name by themselves. */
  nameParts?: NameParts;
  message: { text: string | null };
  context: Record<ContextTarget, string | null> & { labels: string[]; fields: MappedFields };
  problems: MappingProblem[];
  /** Why this event cannot be processed: `filter_failed`, `removal_failed`, `required_missing:<target>` or `too_much_work:<target>`. */
  failure: string | null;
}

/** The external event id, and the parts that it was joined from (one if it was not joined). */
export interface EventId {
  text: string;
  parts: string[];
}
