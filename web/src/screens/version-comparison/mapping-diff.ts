/** Compares two mapping documents target by target. */
/** The parts of a source that are shown. */
export type Source = {
  readonly path?: string;
  readonly root?: boolean;
  readonly header?: string;
  readonly query?: string;
  readonly const?: string | number | boolean;
  readonly first?: readonly Source[];
  readonly join?: readonly Source[];
  readonly template?: string;
  readonly transforms?: readonly (string | Readonly<Record<string, object>>)[];
  readonly default?: string | number | boolean;
  readonly required?: boolean;
};

/** The filter and the split are expressions; all other targets have sources. */
export type SourceOrExpression = string | Source;

export type Difference = {
  readonly target: string;
  readonly before: SourceOrExpression | undefined;
  readonly after: SourceOrExpression | undefined;
};

function* readingsOf(document: object): Iterable<[string, SourceOrExpression]> {
  const { contact, message, context, ...event } = document as Readonly<Record<string, object>>;
  yield* partsOf('contact', contact);
  yield* partsOf('message', message);
  yield* partsOf('context', context);
  yield* Object.entries(event) as [string, SourceOrExpression][];
}

function* partsOf(group: string, parts: object = {}): Iterable<[string, SourceOrExpression]> {
  for (const [name, part] of Object.entries(parts) as [string, object][]) {
    const isMany = name === 'fields' || name === 'labels';
    if (!isMany) yield [`${group}.${name}`, part as SourceOrExpression];
    else {
      for (const [each, source] of Object.entries(part)) {
        yield [`${group}.${name}.${each}`, source as SourceOrExpression];
      }
    }
  }
}

/** Sorts keys, so that the order of members does not matter. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : each,
  ) ?? '';

export const isSame = (one: unknown, other: unknown): boolean =>
  canonical(one) === canonical(other);

export function differencesOf(before: object, after: object): Difference[] {
  const [old, now] = [new Map(readingsOf(before)), new Map(readingsOf(after))];
  const targets = new Set([...now.keys(), ...old.keys()]);
  return [...targets]
    .filter((target) => !isSame(old.get(target), now.get(target)))
    .map((target) => ({ target, before: old.get(target), after: now.get(target) }));
}
