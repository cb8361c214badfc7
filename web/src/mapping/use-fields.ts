/** The payloads as one tree: of their bodies, or of the items of a split, plus headers and query. */
import { useMemo } from 'react';
import { mergeBodies, mergeNamed, type FieldNode } from './fields/merge-payloads.ts';
import { itemsAt, parsePlainPath } from './fields/field-path.ts';
import type { Payload } from './use-payloads.ts';

export type FieldTrees = {
  readonly nodes: readonly FieldNode[];
  /** The number of merged payloads or items. */
  readonly count: number;
  /** The index of the shown payload; -1 for none. */
  readonly shown: number;
  readonly isSplit: boolean;
  /** The split is an expression that only the server can evaluate: the tree shows whole bodies. */
  readonly isBeyond: boolean;
};

type Titles = { readonly around: string; readonly query: string; readonly headers: string };

const maxItems = 50;

const group = (id: string, label: string, children: readonly FieldNode[]): FieldNode[] =>
  children.length === 0
    ? []
    : [
        {
          id: `group ${id}`,
          role: 'group',
          label,
          title: null,
          source: null,
          path: '',
          kinds: [],
          present: 0,
          values: [],
          children,
        },
      ];

export function useFields(
  { all, shownId }: { readonly all: readonly Payload[]; readonly shownId: string | null },
  { split, item }: { readonly split: string | undefined; readonly item: number },
  titles: Titles,
): FieldTrees {
  const { around, query, headers } = titles;
  const steps = useMemo(() => (split === undefined ? null : parsePlainPath(split)), [split]);
  const parts = useMemo(
    () =>
      all.flatMap((payload) =>
        (steps === null ? [payload.body] : itemsAt(payload.body, steps).slice(0, maxItems)).map(
          (body) => ({ body, payload }),
        ),
      ),
    [all, steps],
  );
  const nodes = useMemo(() => {
    const payloads = parts.map(({ payload }) => payload);
    return [
      ...mergeBodies(parts.map(({ body }) => body)),
      ...(steps === null
        ? []
        : group(
            'around',
            around,
            mergeBodies(
              payloads.map(({ body }) => body),
              { isRoot: true },
            ),
          )),
      ...group(
        'query',
        query,
        mergeNamed(
          payloads.map((one) => one.query),
          'query',
        ),
      ),
      ...group(
        'headers',
        headers,
        mergeNamed(
          payloads.map((one) => one.headers),
          'header',
        ),
      ),
    ];
  }, [parts, steps, around, query, headers]);
  const first = parts.findIndex(({ payload }) => payload.id === shownId);
  const isMounted = first >= 0 && parts[first + item]?.payload.id === shownId;
  return {
    nodes,
    count: parts.length,
    shown: isMounted ? first + item : first,
    isSplit: split !== undefined,
    isBeyond: split !== undefined && steps === null,
  };
}
