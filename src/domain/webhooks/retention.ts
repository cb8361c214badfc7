/** Retention settings of a webhook. The API validates with the schema; the type is derived from it. */
import type { Static } from 'typebox';
import { optionalInteger, strictObject } from '../schemas.ts';
import { dedupWindowMs, type DedupSettings } from './dedup.ts';

const days = (description: string) => optionalInteger(1, 3_650, description);

export const retentionSettings = strictObject({
  bodiesDays: days(
    'How long the body, headers and query of an event are kept after its end; default: INLET_RETENTION_DAYS.',
  ),
  samplesDays: days(
    'How long unpinned samples and rejections are kept; default: INLET_RETENTION_DAYS.',
  ),
  eventsDays: days(
    'How long events are kept after their end: at least dedup.windowDays, which is the default.',
  ),
});
type RetentionSettings = Static<typeof retentionSettings>;

const dayMs = 86_400_000;

type Settings = { readonly retention?: RetentionSettings; readonly dedup?: DedupSettings };

/** Returns the retention periods of a webhook in milliseconds. `defaultDays` is INLET_RETENTION_DAYS. */
export function retentionMsOf(settings: Settings, defaultDays: number) {
  const {
    bodiesDays = defaultDays,
    samplesDays = defaultDays,
    eventsDays = 0,
  } = settings.retention ?? {};
  return {
    bodies: bodiesDays * dayMs,
    samples: samplesDays * dayMs,
    events: Math.max(eventsDays * dayMs, dedupWindowMs(settings)),
  };
}
