/** How long a webhook knows its events by their ids: what may be set, and what holds where nothing is. */
import { Type } from 'typebox';
import type { Static } from 'typebox';

const hourMs = 3_600_000;
const defaultWindowDays = 400;
const defaultOverlapHours = 72;

export const dedupSettings = Type.Object(
  {
    windowDays: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 3_650,
        description:
          'How long, at least, an event that has ended is known by its id, so that a resend of it repeats nothing; 400 unless set.',
      }),
    ),
    // Less than the usual overlap would let a resend that is on its way already have its effects twice.
    overlapHours: Type.Optional(
      Type.Integer({
        minimum: defaultOverlapHours,
        maximum: 2_160,
        description:
          'How long resends are still known the old way after an activation that reads event ids otherwise; 72 unless set.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);
export type DedupSettings = Static<typeof dedupSettings>;

type Settings = { readonly dedup?: DedupSettings };

/** How long the record of an event that has ended must stay. */
export const dedupWindowMs = ({ dedup }: Settings): number =>
  (dedup?.windowDays ?? defaultWindowDays) * 24 * hourMs;

/** How long the recipe before stays known after an activation that changes it. */
export const dedupOverlapMs = ({ dedup }: Settings = {}): number =>
  (dedup?.overlapHours ?? defaultOverlapHours) * hourMs;
