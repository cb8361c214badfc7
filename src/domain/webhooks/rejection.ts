/**
 * Rejections: requests with a valid path key that were not accepted. They are kept so that a person sees what a sender does
 * wrong, and counted by code.
 */
import type { ErrorCode } from '../../base/errors.ts';
import { derivedIdAfter } from '../../base/ids.ts';

/** The codes of rejections that are kept: those that a sender or the webhook's settings cause, not an outage. */
export const rejectionCodes = [
  'malformed_json',
  'invalid_body',
  'unsupported_media_type',
  'body_too_large',
  'request_timeout',
  'invalid_signature',
  'source_not_allowed',
  'rate_limited',
] as const satisfies readonly ErrorCode[];
export type RejectionCode = (typeof rejectionCodes)[number];

const codes: ReadonlySet<string> = new Set(rejectionCodes);
export const isRejectionCode = (code: ErrorCode): code is RejectionCode => codes.has(code);

/** Number of rejections that a webhook keeps. */
export const maxRejections = 100;
/** Of a longer body only its beginning is kept. */
export const maxRejectionBytes = 4_096;

export type Rejection = {
  readonly _id: string;
  readonly webhookId: string;
  readonly receivedAt: Date;
  readonly code: RejectionCode;
  /** What exactly was wrong, in English; null when the code says it. Has no content of the request. */
  readonly detail: string | null;
  /** The client's address; empty when it was unknown. */
  readonly address: string;
  readonly contentType: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Length of the body as it was sent; null when it is unknown. */
  readonly bytes: number | null;
  /** The body or its beginning; null when nothing of it is kept. */
  readonly body: Buffer | null;
  /** Whether `body` is the whole body. Only then it can become a sample or an event. */
  readonly complete: boolean;
  /** The sample and the event that a person made of it. */
  readonly sampleId?: string;
  readonly eventId?: string;
};

/** Returns the id of the sample that a rejection becomes. An event of the rejection has the id of an event of that sample. */
export const rejectionSampleId = (rejectionId: string): string =>
  derivedIdAfter(rejectionId, 0, 'rejection-sample');

/** Rejections of a webhook in one hour, by code, whether they were kept or not. */
export type RejectionBucket = {
  readonly webhookId: string;
  readonly hour: Date;
  readonly codes: Readonly<Partial<Record<RejectionCode, number>>>;
};

/** How long the counts are kept. */
export const keptRejectionCountDays = 30;
