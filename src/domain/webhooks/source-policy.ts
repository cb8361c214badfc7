/**
 * Source policy of a webhook: an IP allowlist and a rate limit. Both are off by default. The API validates with
 * these schemas; the types are derived from them.
 */
import { Type, type Static, type TInteger } from 'typebox';
import type { Rate } from '../../base/rate-limit/token-bucket.ts';
import { optionalInteger, strictObject } from '../schemas.ts';

const maxBurst = 100_000;

const rateSchema = <Name extends string>(name: Name, maximum: number) =>
  strictObject({
    [name]: Type.Integer({ minimum: 1, maximum }),
    burst: optionalInteger(
      1,
      maxBurst,
      'Number of requests allowed at once after a pause; default: the rate.',
    ),
  } as { [key in Name]: TInteger } & { burst: ReturnType<typeof optionalInteger> });

export const rateLimitSettings = Type.Union([
  rateSchema('perSecond', 10_000),
  rateSchema('perMinute', 600_000),
]);

export const allowlistSettings = Type.Array(Type.String({ minLength: 2, maxLength: 64 }), {
  minItems: 1,
  maxItems: 200,
  description: 'Addresses and CIDR ranges. Requests from other addresses are rejected.',
});

type RateLimitSettings = Static<typeof rateLimitSettings>;

export function rateOf(settings: RateLimitSettings): Rate {
  const [number, withinMs] =
    'perSecond' in settings ? [settings.perSecond, 1_000] : [settings.perMinute, 60_000];
  return { burst: settings.burst ?? number, everyMs: withinMs / number };
}
