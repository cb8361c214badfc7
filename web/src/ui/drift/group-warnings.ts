/** Groups drift warnings of the same kind and target into one change with all its fields. */
export type DriftWarning = {
  readonly kind: string;
  readonly target: string | null;
  readonly path: string | null;
  readonly since: string;
  readonly events: number;
};

export type GroupedWarning<Warning extends DriftWarning> = Pick<Warning, 'kind' | 'target'> & {
  readonly paths: readonly string[];
  readonly text: string;
  /** The time of the first warning. */
  readonly since: string;
  readonly events: number;
};

export function groupWarnings<Warning extends DriftWarning>(
  warnings: readonly Warning[],
  wordsOf: (warning: Warning) => string,
): GroupedWarning<Warning>[] {
  const changes = new Map<string, GroupedWarning<Warning>>();
  for (const warning of warnings) {
    const { kind, target, path, since, events } = warning;
    const text = wordsOf(warning);
    const key = JSON.stringify([kind, target ?? { path }, text]);
    const same = changes.get(key);
    changes.set(key, {
      kind,
      target,
      paths: [...(same?.paths ?? []), ...(path === null ? [] : [path])],
      text,
      since: same && same.since < since ? same.since : since,
      events: Math.max(same?.events ?? 0, events),
    });
  }
  return [...changes.values()];
}
