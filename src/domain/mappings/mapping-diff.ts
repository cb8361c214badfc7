/** Difference between the results of two mappings for one item. */

export const diffKinds = ['same', 'changed', 'newlyFailing', 'newlyPassing'] as const;
export type DiffKind = (typeof diffKinds)[number];

export type Change = {
  readonly target: string;
  readonly before: string | null;
  readonly after: string | null;
};

export type Diff = {
  readonly kind: DiffKind;
  readonly changes: Change[];
  /** Why the item fails under each mapping; null if it does not fail. */
  readonly failure: { readonly before: string | null; readonly after: string | null };
};
