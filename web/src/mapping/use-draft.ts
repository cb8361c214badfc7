/** The document that is being edited: where it began, what was done to it, and what of it is unsaved. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import {
  changed,
  isChanged,
  redone,
  startHistory,
  undone,
  type History,
} from './document/history.ts';
import { keepWork, keptWork } from './document/draft-storage.ts';
import type { Document } from './document/mapping-document.ts';

export type Base = {
  readonly webhookId: string;
  /** 0 for the suggestion. */
  readonly version: number;
  readonly document: Document;
};

export type Draft = {
  /** What it began from, or was last saved as; 0 for the suggestion. */
  readonly version: number;
  readonly document: Document;
  /** Says what becomes of the document as it is by then. */
  readonly change: (next: (before: Document) => Document) => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  readonly isUnsaved: boolean;
  readonly isRestored: boolean;
  /** Back to where it began. */
  readonly discard: () => void;
  /** What is there now has become that version. */
  readonly saved: (version: number) => void;
};

export function useDraft({ webhookId, version, document: began }: Base): Draft {
  const [base, setBase] = useState({ version, document: began });
  const [restored] = useState(() => keptWork({ webhookId, version }));
  const [isRestored, setRestored] = useState(restored !== null);
  const [history, setHistory] = useState<History>(() => {
    const start = startHistory(began);
    return restored === null ? start : changed(start, restored);
  });
  const isUnsaved = isChanged(history, base.document);
  // A suggestion that nobody has touched follows what is received.
  if (version === 0 && base.version === 0 && base.document !== began && !isUnsaved) {
    setBase({ version, document: began });
    setHistory(startHistory(began));
  }
  const now = useRef(history.now);
  useEffect(() => {
    now.current = history.now;
    const place = { webhookId, version: base.version };
    keepWork(place, isUnsaved ? history.now : null);
  }, [webhookId, base, history, isUnsaved]);
  const change = useCallback(
    (next: (before: Document) => Document) =>
      setHistory((before) => changed(before, next(before.now))),
    [],
  );
  const undo = useCallback(() => setHistory(undone), []);
  const redo = useCallback(() => setHistory(redone), []);
  const discard = useCallback(() => {
    setHistory((before) => changed(before, base.document));
    setRestored(false);
  }, [base]);
  const saved = useCallback(
    (next: number) => {
      keepWork({ webhookId, version: base.version }, null);
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
