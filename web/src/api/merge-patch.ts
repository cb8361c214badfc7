/** Computes the merge patch (RFC 7396) from one value to another. */

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Removes null members: in a merge patch null means absent. */
function present(value: unknown): unknown {
  if (!isMembers(value)) return value;
  const members = Object.entries(value).filter(([, member]) => (member ?? null) !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, present(member)]));
}

const isSame = (one: unknown, other: unknown): boolean =>
  isMembers(one) && isMembers(other)
    ? [...new Set([...Object.keys(one), ...Object.keys(other)])].every((name) =>
        isSame(one[name], other[name]),
      )
    : JSON.stringify(one) === JSON.stringify(other);

/** Returns `undefined` when the values are equal. */
export function mergePatchBetween(before: unknown, after: unknown): unknown {
  return between(present(before), present(after));
}

function between(before: unknown, after: unknown): unknown {
  if (isSame(before, after)) return undefined;
  if (!isMembers(before) || !isMembers(after)) return after;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const members = names.flatMap((name) => {
    const change = between(before[name] ?? null, after[name] ?? null);
    return change === undefined ? [] : [[name, change] as const];
  });
  return Object.fromEntries(members);
}
