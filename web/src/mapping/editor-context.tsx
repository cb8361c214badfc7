/** What all parts of the mapping screen share: the draft, what is chosen next, and what came of it. */
import { createContext, use } from 'react';
import type { Answer } from '../api/client.ts';
import type { Refusals } from './document/save-errors.ts';
import type { Source } from './document/mapping-document.ts';
import type { Taking } from './document/source.ts';
import type { TargetName } from './document/targets.ts';
import type { FieldNode } from './fields/merge-payloads.ts';
import type { Draft } from './use-draft.ts';
import type { Fields } from './use-fields.ts';
import type { Payloads } from './use-payloads.ts';
import type { Item, Preview } from './use-preview.ts';

/** A target that waits for the field that is chosen next. */
export type Waiting = { readonly target: TargetName; readonly taking: Taking };

export type Alternative = {
  readonly path: string;
  readonly example: string | number | boolean;
  readonly confidence: number;
};

export type Suggestion = {
  readonly confidence: Readonly<Record<string, number>>;
  readonly alternatives: Readonly<Record<string, readonly Alternative[]>>;
  /** By target, the source that was suggested. */
  readonly sources: ReadonlyMap<TargetName, Source>;
};

export type Transform = Answer<'getTransforms'>['transforms'][number];

export type Editing = {
  readonly draft: Draft;
  readonly payloads: Payloads;
  readonly fields: Fields;
  readonly preview: Preview;
  /** Why the document as it is would not be saved, or was not, by target. */
  readonly refusals: Refusals;
  readonly refuse: (refusals: Refusals) => void;
  /** The item that is shown, of those that the payload has. */
  readonly item: Item | undefined;
  readonly suggestion: Suggestion;
  readonly transforms: readonly Transform[];
  /** Where the channel says that phone numbers belong. */
  readonly region: string | null;
  readonly waiting: Waiting | null;
  readonly waitFor: (waiting: Waiting | null) => void;
  /** Takes a field for a target, in words too. */
  readonly assign: (node: FieldNode, waiting: Waiting) => void;
  readonly picked: FieldNode | null;
  readonly pick: (node: FieldNode | null) => void;
  readonly isDragging: boolean;
  readonly setDragging: (isDragging: boolean) => void;
};

export const EditingContext = createContext<Editing | null>(null);

export function useEditing(): Editing {
  const editing = use(EditingContext);
  if (!editing) throw new Error('Parts of the mapping screen stand inside of it.');
  return editing;
}
