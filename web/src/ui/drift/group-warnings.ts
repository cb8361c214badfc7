/** Warnings of drift that say the same of one target are one change, with all of its fields. */
export type Warned = {
  readonly kind: string;
  readonly target: string | null;
  readonly path: string | null;
  readonly since: string;
  readonly events: number;
};

export type Change<Warning extends Warned> = Pick<Warning, 'kind' | 'target'> & {
  readonly paths: readonly string[];
  readonly words: string;
  /** When the first of them began. */
  readonly since: string;
  readonly events: number;
};

export function changesOf<Warning extends Warned>(
  warnings: readonly Warning[],
  wordsOf: (warning: Warning) => string,
): Change<Warning>[] {
  const changes = new Map<string, Change<Warning>>();
  for (const warning of warnings) {
    const { kind, target, path, since, events } = warning;
    const words = wordsOf(warning);
    const key = JSON.stringify([kind, target ?? { path }, words]);
    const same = changes.get(key);
    changes.set(key, {
      kind,
      target,
      paths: [...(same?.paths ?? []), ...(path === null ? [] : [path])],
      words,
      since: same && same.since < since ? same.since : since,
      events: Math.max(same?.events ?? 0, events),
    });
  }
  return [...changes.values()];
}
