/** Retry settings of a webhook, and the delay before the next attempt. */
import { Type, type Static } from 'typebox';
import { optionalInteger, strictObject } from '../schemas.ts';

const maxDelaySeconds = 86_400;

export const retrySettings = strictObject(
  {
    maxAttempts: optionalInteger(
      1,
      20,
      'Number of attempts, the first included; default 9. Events keep the number that they were recorded with.',
    ),
    delaysSeconds: Type.Optional(
      Type.Array(Type.Integer({ minimum: 1, maximum: maxDelaySeconds }), {
        minItems: 1,
        maxItems: 19,
        description:
          'The maximum wait after the first attempt, the second, and so on; the last value repeats. Each wait is a random part of it.',
      }),
    ),
  },
  { minProperties: 1 },
);
export type RetrySettings = Static<typeof retrySettings>;

/** Default number of attempts, including the first. */
export const defaultMaxAttempts = 9;

const minute = 60;
const hour = 60 * minute;
const defaultDelaysSeconds = [
  5,
  30,
  2 * minute,
  10 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
];

type RetryDelayOptions = {
  /** Number of attempts so far. */
  readonly attempts: number;
  readonly settings?: RetrySettings | undefined;
  /** Delay that the other side requested, in milliseconds. At most one day is used. */
  readonly retryAfterMs?: number | undefined;
  /** Shortens longer steps. */
  readonly maxDelaySeconds?: number | undefined;
  readonly random: () => number;
};

/**
 * Returns the delay before the next attempt in milliseconds: the requested delay, plus a random part of the
 * step (full jitter), so that events that failed together do not retry together.
 */
export function retryDelayMs({
  attempts,
  settings,
  retryAfterMs = 0,
  maxDelaySeconds: longest = maxDelaySeconds,
  random,
}: RetryDelayOptions): number {
  const delays = settings?.delaysSeconds ?? defaultDelaysSeconds;
  const step = delays[Math.min(attempts, delays.length) - 1] ?? 0;
  const asked = Math.min(Math.max(0, retryAfterMs), maxDelaySeconds * 1_000);
  return asked + Math.floor(random() * Math.min(step, longest) * 1_000);
}
