/**
 * Unsaved mapping drafts, stored in this tab by webhook and base version, so that a reload does not lose them.
 *
 * Must never: store a payload. Documents contain paths and what people typed.
 */
import type { Document } from './mapping-document.ts';

/** 0: based on the suggestion. */
type DraftKey = { readonly webhookId: string; readonly version: number };

const keyOf = ({ webhookId, version }: DraftKey): string => `inlet.mapping.${webhookId}.${version}`;

export function loadDraft(draftKey: DraftKey): Document | null {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(keyOf(draftKey)) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Document) : null;
  } catch {
    return null;
  }
}

/** Null deletes the draft. Errors of a full storage are ignored. */
export function storeDraft(draftKey: DraftKey, document: Document | null): void {
  try {
    if (document === null) sessionStorage.removeItem(keyOf(draftKey));
    else sessionStorage.setItem(keyOf(draftKey), JSON.stringify(document));
  } catch {
    sessionStorage.removeItem(keyOf(draftKey));
  }
}
