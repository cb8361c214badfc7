/** Drift: hourly counts of the paths and types that a sender sends, used to detect changes. */
import type { EventRecord } from '../events/event.ts';
import type { MappedEvent, MappingDocument } from './mapping.ts';

/** One mapped item, as the drift sampler sees it. */
export type Observation = {
  readonly event: EventRecord;
  readonly document: MappingDocument;
  /** What the mapping read: the body, or an item of it. */
  readonly item: unknown;
  readonly mapped: MappedEvent;
};

/** Called once for each item that is mapped. Must not throw. */
export type ObserveEvent = (observation: Observation) => void;

/** Types of observed values. Null, blank text, `[]` and `{}` count as `empty`. */
export const seenTypes = ['string', 'number', 'boolean', 'object', 'array', 'empty'] as const;
export type SeenType = (typeof seenTypes)[number];

export type PathCounts = {
  /** Events in which the path had a non-empty value. */
  present: number;
  /**
   * Events in which the path had a value of this type. A path through a list may have several types in one
   * event.
   */
  readonly types: Partial<Record<SeenType, number>>;
  lastSeenAt: Date;
};

/** Observations of one webhook, one mapping version and one hour of receipt. */
export type DriftBucket = {
  readonly webhookId: string;
  readonly version: number;
  /** The mapping's split; paths are relative to its items. Empty without a split. */
  readonly split: string;
  readonly hour: Date;
  events: number;
  /** Events that the mapping's filter ignored. Their paths and targets are not counted. */
  ignored: number;
  /** Observed values of paths beyond the limits. */
  more: number;
  /** Events that filled each target of the mapping. `filter` counts events that passed the filter. */
  readonly targets: Map<string, number>;
  readonly paths: Map<string, PathCounts>;
};

export const hourMs = 3_600_000;
export const maxBucketPaths = 500;
export const driftKeptDays = 30;
/** Maximum number of buckets read, newest first: eight days of a sender that sends every hour. */
export const maxBucketsRead = 200;

export const warningKinds = ['missing', 'type_changed', 'rarer', 'new_path'] as const;
type WarningKind = (typeof warningKinds)[number];

/** `before` and `after` are shares of events, from 0 to 1. */
export type DriftWarning = {
  readonly kind: WarningKind;
  readonly target: string | null;
  readonly path: string | null;
  /** The hour in which the change began. */
  readonly since: Date;
  readonly before: number;
  readonly after: number;
  /** Number of events since then. */
  readonly events: number;
  /**
   * Only for `type_changed`: the most frequent type before and since. The shares then refer to the former type.
   */
  readonly types: { readonly before: SeenType; readonly after: SeenType } | null;
};
