/**
 * Drift: a bounded picture of what a sender sends, counted by the hour, by which a change on its side is noticed.
 */
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

/** What a value can be. Null, blanks, `[]` and `{}` say nothing, whatever their type: they are `empty`. */
export const seenTypes = ['string', 'number', 'boolean', 'object', 'array', 'empty'] as const;
export type SeenType = (typeof seenTypes)[number];

export type PathCounts = {
  /** Events in which the path had a value that says something. */
  present: number;
  /** Events in which it had a value of this type; a path through a list may have several in one event. */
  readonly types: Partial<Record<SeenType, number>>;
  lastSeenAt: Date;
};

/** What was observed of one webhook, under one mapping version, in one hour of receipt. */
export type DriftBucket = {
  readonly webhookId: string;
  readonly version: number;
  /** The mapping's split: paths are those of its items. Empty where there is none. */
  readonly split: string;
  readonly hour: Date;
  events: number;
  /** Those of them that the mapping's filter kept out; of these nothing else is counted. */
  ignored: number;
  /** Sightings of paths beyond the bounds. */
  more: number;
  /** How many events filled each target that the mapping has; `filter` is filled by being let through. */
  readonly targets: Map<string, number>;
  readonly paths: Map<string, PathCounts>;
};

export const hourMs = 3_600_000;
export const maxBucketPaths = 500;
export const driftKeptDays = 30;
/** Newest first, this many are looked at: eight days of a sender that never sleeps, thirty of one that seldom sends. */
export const maxBucketsRead = 200;

export const warningKinds = ['missing', 'type_changed', 'rarer', 'new_path'] as const;
export type WarningKind = (typeof warningKinds)[number];

/** Shares are between 0 and 1, of the events before and since. */
export type DriftWarning = {
  readonly kind: WarningKind;
  readonly target: string | null;
  readonly path: string | null;
  /** The hour in which it began. */
  readonly since: Date;
  readonly before: number;
  readonly after: number;
  /** Events since. */
  readonly events: number;
  /** Only of a changed type: the usual one before and since. `before` and `after` are then the former's shares. */
  readonly types: { readonly before: SeenType; readonly after: SeenType } | null;
};
