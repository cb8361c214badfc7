import { isJsonObject } from '../src/base/json/json-values.ts';
/** Cuts a sample to a size that every part of the suggestion can walk. */

/** Keys and elements of one sample. The largest real payload seen has about 1,500. */
const maxNodes = 4_000;

/** Returns the value itself, or a copy with its first 4,000 keys and elements, level by level. */
export function pruneSample(value: unknown): unknown {
  const kept = new Map<object, number>();
  let left = maxNodes;
  let level: unknown[] = [value];
  let isCut = false;
  while (level.length > 0) {
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each !== 'object' || each === null) continue;
      const inner: readonly unknown[] = Array.isArray(each) ? each : Object.values(each);
      const length = Math.min(inner.length, left);
      left -= length;
      isCut ||= length < inner.length;
      kept.set(each, length);
      for (let i = 0; i < length; i += 1) next.push(inner[i]);
    }
    level = next;
  }
  return isCut ? copyKept(value, kept) : value;
}

function copyKept(value: unknown, kept: ReadonlyMap<object, number>): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const length = kept.get(value) ?? 0;
  if (Array.isArray(value)) return value.slice(0, length).map((each) => copyKept(each, kept));
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).slice(0, length);
  return Object.fromEntries(entries.map(([key, inner]) => [key, copyKept(inner, kept)]));
}
