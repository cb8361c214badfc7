/** Deduplication settings of a webhook, with their defaults. */
import type { Static } from 'typebox';
import { optionalInteger, strictObject } from '../schemas.ts';

const hourMs = 3_600_000;
const defaultWindowDays = 400;
const defaultGraceHours = 72;

export const dedupSettings = strictObject(
  {
    windowDays: optionalInteger(
      1,
      3_650,
      'How long a finished event is known by its id at least, so that a resend has no effects; default 400.',
    ),
    // A shorter period would accept a resend that is already under way as a new event.
    overlapHours: optionalInteger(
      defaultGraceHours,
      2_160,
      'How long the former event id recipe still recognises resends after an activation changes it; default 72.',
    ),
  },
  { minProperties: 1 },
);
export type DedupSettings = Static<typeof dedupSettings>;

type Settings = { readonly dedup?: DedupSettings };

/** Returns how long the record of a finished event is kept at least, in milliseconds. */
export const dedupWindowMs = ({ dedup }: Settings): number =>
  (dedup?.windowDays ?? defaultWindowDays) * 24 * hourMs;

/**
 * Returns how long the previous recipe still recognises resends after an activation changes it, in
 * milliseconds.
 */
export const dedupOverlapMs = ({ dedup }: Settings = {}): number =>
  (dedup?.overlapHours ?? defaultGraceHours) * hourMs;
