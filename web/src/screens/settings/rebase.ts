/** Rebases unsaved edits onto settings that were saved by someone else. */

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Unedited fields take the saved values. */
export function rebaseDraft<Draft extends object>(
  draft: Draft,
  { from, now }: { readonly from: Draft; readonly now: Draft },
): Draft {
  const names = Object.keys(draft) as (keyof Draft)[];
  const touched = names.filter((name) => !isSame(draft[name], from[name]));
  return { ...now, ...Object.fromEntries(touched.map((name) => [name, draft[name]])) };
}

/** Fields that both changed to different values. */
export function conflictingFields<Draft extends object>(
  draft: Draft,
  { from, now }: { readonly from: Draft; readonly now: Draft },
): (keyof Draft)[] {
  return (Object.keys(draft) as (keyof Draft)[]).filter(
    (name) =>
      !isSame(draft[name], from[name]) &&
      !isSame(now[name], from[name]) &&
      !isSame(draft[name], now[name]),
  );
}
