/** The state that all parts of the mapping screen share: the draft, the pending target and the results. */
import { createContext, use } from 'react';
import type { SaveErrors } from './document/save-errors.ts';
import type { Source } from './document/mapping-document.ts';
import type { AssignMode } from './document/source.ts';
import type { TargetName } from './document/targets.ts';
import type { FieldNode } from './fields/merge-payloads.ts';
import type { Draft } from './use-draft.ts';
import type { FieldTrees } from './use-fields.ts';
import type { Payloads } from './use-payloads.ts';
import type { Item, Preview } from './use-preview.ts';

/** A target that waits for the user to choose its field. */
export type PendingTarget = { readonly target: TargetName; readonly mode: AssignMode };

type Alternative = {
  readonly path: string;
  readonly example: string | number | boolean;
  readonly confidence: number;
};

export type Suggestion = {
  readonly confidence: Readonly<Record<string, number>>;
  readonly alternatives: Readonly<Record<string, readonly Alternative[]>>;
  /** The suggested source, by target. */
  readonly sources: ReadonlyMap<TargetName, Source>;
};

export type MappingEditor = {
  readonly draft: Draft;
  readonly payloads: Payloads;
  readonly fields: FieldTrees;
  readonly preview: Preview;
  /** Validation errors of the current document, by target. */
  readonly errors: SaveErrors;
  readonly refuse: (errors: SaveErrors) => void;
  /** The index of the shown item of a split payload. */
  readonly item: Item | undefined;
  readonly suggestion: Suggestion;
  /** The default country of phone numbers in the channel. */
  readonly region: string | null;
  readonly pendingTarget: PendingTarget | null;
  readonly setPendingTarget: (pendingTarget: PendingTarget | null) => void;
  /** Assigns a field to a target and announces it. */
  readonly assign: (node: FieldNode, pendingTarget: PendingTarget) => void;
  readonly picked: FieldNode | null;
  readonly pick: (node: FieldNode | null) => void;
  readonly isDragging: boolean;
  readonly setDragging: (isDragging: boolean) => void;
};

export const EditorContext = createContext<MappingEditor | null>(null);

export function useMappingEditor(): MappingEditor {
  const editing = use(EditorContext);
  if (!editing) throw new Error('Parts of the mapping screen stand inside of it.');
  return editing;
}
