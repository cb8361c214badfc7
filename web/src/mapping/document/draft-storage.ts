/**
 * Unsaved work, kept in this tab by webhook and the version it began from, so that a reload does not lose it.
 *
 * Must never: keep a payload. Documents hold where values are, and what people wrote themselves.
 */
import type { Document } from './mapping-document.ts';

/** 0: it began from the suggestion. */
export type Place = { readonly webhookId: string; readonly version: number };

const keyOf = ({ webhookId, version }: Place): string => `inlet.mapping.${webhookId}.${version}`;

export function keptWork(place: Place): Document | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(place)) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Document) : null;
  } catch {
    return null;
  }
}

/** Null: nothing is unsaved. A full store loses the safety net, and nothing else. */
export function keepWork(place: Place, document: Document | null): void {
  try {
    if (document === null) sessionStorage.removeItem(keyOf(place));
    else sessionStorage.setItem(keyOf(place), JSON.stringify(document));
  } catch {
    sessionStorage.removeItem(keyOf(place));
  }
}
