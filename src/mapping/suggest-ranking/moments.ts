import type { Scalar } from '../../domain/mappings/mapping.ts';

/** Returns the seconds since the epoch, ignoring the zone when the text has none; null when it is no moment. */
export function secondsOf(value: Scalar): number | null {
  const text = String(value).trim();
  if (/^\d{10}(?:\.\d+)?$/.test(text)) return Number(text);
  if (/^\d{13}$/.test(text)) return Number(text) / 1_000;
  const time = Date.parse(/\d T?\d|\d{4}-\d\d-\d\d/.test(text) ? text.replace(' ', 'T') : text);
  return Number.isNaN(time) ? null : time / 1_000;
}
