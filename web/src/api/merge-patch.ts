/** The merge patch (RFC 7396) that leads from one value to another: only what differs is in it. */

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without what is null, which is what is not there. */
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

/** `undefined`: there is nothing to change. */
export function difference(before: unknown, after: unknown): unknown {
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
