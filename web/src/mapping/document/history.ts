/** Undo and redo of a mapping document, at most 100 steps. */
import type { Document } from './mapping-document.ts';

export type History = {
  readonly past: readonly Document[];
  readonly now: Document;
  readonly future: readonly Document[];
};

const maxPast = 100;

export const startHistory = (document: Document): History => ({
  past: [],
  now: document,
  future: [],
});

const same = (one: Document, other: Document): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export const recordChange = (history: History, next: Document): History =>
  same(history.now, next)
    ? history
    : { past: [...history.past, history.now].slice(-maxPast), now: next, future: [] };

export function undoChange({ past, now, future }: History): History {
  const before = past.at(-1);
  if (before === undefined) return { past, now, future };
  return { past: past.slice(0, -1), now: before, future: [now, ...future] };
}

export function redoChange({ past, now, future }: History): History {
  const [next, ...rest] = future;
  return next === undefined
    ? { past, now, future }
    : { past: [...past, now], now: next, future: rest };
}

export const isChanged = ({ now }: History, base: Document): boolean => !same(now, base);
