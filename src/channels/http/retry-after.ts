/** `Retry-After`: seconds or an HTTP date (RFC 9110, 10.2.3). */

/** Returns the wait in milliseconds, never negative; undefined when the header is absent or invalid. */
export function retryAfterMsOf(value: string | undefined, now: Date): number | undefined {
  const text = value?.trim() ?? '';
  const isDate = /^[A-Z][a-z]{2}, .* GMT$/.test(text);
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1_000 : isDate ? Date.parse(text) - +now : NaN;
  return Number.isNaN(waitMs) ? undefined : Math.max(waitMs, 0);
}
