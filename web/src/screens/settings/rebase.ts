/** What a person wrote, over what somebody else has saved meanwhile. */

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Fields that the person left alone follow what is saved now. */
export function rebaseDraft<Draft extends object>(
  draft: Draft,
  { from, now }: { readonly from: Draft; readonly now: Draft },
): Draft {
  const names = Object.keys(draft) as (keyof Draft)[];
  const touched = names.filter((name) => !isSame(draft[name], from[name]));
  return { ...now, ...Object.fromEntries(touched.map((name) => [name, draft[name]])) };
}

/** Fields that both have changed, each to something else. */
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
