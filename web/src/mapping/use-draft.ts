/** The edited document: its base version, its history, and whether it has unsaved changes. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  recordChange,
  isChanged,
  redoChange,
  startHistory,
  undoChange,
  type History,
} from './document/history.ts';
import { storeDraft, loadDraft } from './document/draft-storage.ts';
import type { Document } from './document/mapping-document.ts';

export type Base = {
  readonly webhookId: string;
  /** 0 for the suggestion. */
  readonly version: number;
  readonly document: Document;
};

export type Draft = {
  /** The base version, or the last saved version; 0 for the suggestion. */
  readonly version: number;
  readonly document: Document;
  /** Applies a change to the current document. */
  readonly change: (next: (before: Document) => Document) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly isUnsaved: boolean;
  readonly isRestored: boolean;
  /** Discards the changes. */
  readonly discard: () => void;
  /** The current document was saved as that version. */
  readonly saved: (version: number) => void;
};

export function useDraft({ webhookId, version, document: began }: Base): Draft {
  const [base, setBase] = useState({ version, document: began });
  const [restored] = useState(() => loadDraft({ webhookId, version }));
  const [isRestored, setRestored] = useState(restored !== null);
  const [history, setHistory] = useState<History>(() => {
    const start = startHistory(began);
    return restored === null ? start : recordChange(start, restored);
  });
  const isUnsaved = isChanged(history, base.document);
  // An untouched suggestion follows new payloads.
  if (version === 0 && base.version === 0 && base.document !== began && !isUnsaved) {
    setBase({ version, document: began });
    setHistory(startHistory(began));
  }
  const now = useRef(history.now);
  useEffect(() => {
    now.current = history.now;
    const draftKey = { webhookId, version: base.version };
    storeDraft(draftKey, isUnsaved ? history.now : null);
  }, [webhookId, base, history, isUnsaved]);
  const change = useCallback(
    (next: (before: Document) => Document) =>
      setHistory((before) => recordChange(before, next(before.now))),
    [],
  );
  const undo = useCallback(() => setHistory(undoChange), []);
  const redo = useCallback(() => setHistory(redoChange), []);
  const discard = useCallback(() => {
    setHistory((before) => recordChange(before, base.document));
    setRestored(false);
  }, [base]);
  const saved = useCallback(
    (next: number) => {
      storeDraft({ webhookId, version: base.version }, null);
      setBase({ version: next, document: now.current });
      setRestored(false);
    },
    [webhookId, base],
  );
  return useMemo(
    () => ({
      version: base.version,
      document: history.now,
      change,
      undo,
      redo,
      canUndo: history.past.length > 0,
      canRedo: history.future.length > 0,
      isUnsaved,
      isRestored: isRestored && isUnsaved,
      discard,
      saved,
    }),
    [base, history, change, undo, redo, isUnsaved, isRestored, discard, saved],
  );
}
