/**
 * A read-only JSON view: an expandable tree with search, and copying of paths and values.
 *
 * Promises: only visible rows are rendered, so that a megabyte scrolls smoothly; values are rendered as text.
 * The keyboard handling follows the ARIA tree pattern: arrows, Home, End, Enter, and `*` to expand all
 * siblings.
 */
import { ChevronsDownUp, ChevronsUpDown } from 'lucide-react';
import { useId, useMemo, useState, type ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { IconButton } from '../forms/button.tsx';
import { JsonRows } from './json-rows.tsx';
import { JsonSearch } from './json-search.tsx';
import { JsonValue } from './json-value.tsx';
import {
  ancestorsOf,
  expandLevels,
  rowsOf,
  sizeOf,
  treeOf,
  type Node,
  type ExpandedNodes,
} from './json-tree.ts';
import { CopyButton } from '../text/copyable-text.tsx';

/** The number of rows expanded initially, and the maximum of "expand all". */
const initialRows = 80;
const maxRows = 200_000;

type Props = {
  readonly value: unknown;
  /** The accessible name. */
  readonly label: string;
  /** Shown at the end of the toolbar. */
  readonly actions?: ReactNode;
};

type State = { readonly root: Node; readonly open: ExpandedNodes; readonly active: Node };

function stateOf(value: unknown): State {
  const root = treeOf(value);
  return { root, open: expandLevels(root, initialRows), active: root.children()[0] ?? root };
}

export function JsonView({ value, label, actions }: Props) {
  const { formatMessage } = useIntl();
  const [shown, setShown] = useState({ value, state: stateOf(value) });
  const treeId = useId();
  // A new value resets the state.
  const current = shown.value === value ? shown : { value, state: stateOf(value) };
  if (current !== shown) setShown(current);
  const { root, open, active } = current.state;
  const rows = useMemo(() => rowsOf(root, open), [root, open]);
  const change = (next: Partial<State>) =>
    setShown({ value, state: { ...current.state, ...next } });
  const show = (node: Node) =>
    change({ open: new Set([...open, ...ancestorsOf(node)]), active: node });
  const collapse = () => change({ open: new Set(), active: root.children()[0] ?? root });
  return (
    <div className="json-view">
      <div className="json-bar">
        <JsonSearch root={root} onFound={show} controls={treeId} />
        <span className="row json-tools">
          <IconButton
            isSmall
            label={formatMessage({ id: 'json.expandAll' })}
            onPress={() => change({ open: expandLevels(root, maxRows) })}
          >
            <ChevronsUpDown aria-hidden />
          </IconButton>
          <IconButton isSmall label={formatMessage({ id: 'json.collapseAll' })} onPress={collapse}>
            <ChevronsDownUp aria-hidden />
          </IconButton>
          <CopyButton
            text={() => JSON.stringify(value, null, 2)}
            label={formatMessage({ id: 'json.copyAll' })}
          />
          {actions}
        </span>
      </div>
      <JsonRows
        id={treeId}
        label={label}
        rows={rows}
        open={open}
        active={active}
        onActive={(node) => change({ active: node })}
        onOpen={(nodes, isOpen) => change({ open: withNodes(open, nodes, isOpen) })}
      />
      <JsonValue node={active} />
    </div>
  );
}

function withNodes(open: ExpandedNodes, nodes: readonly Node[], isOpen: boolean): ExpandedNodes {
  const next = new Set(open);
  for (const node of nodes) {
    if (isOpen && sizeOf(node.value) > 0) next.add(node);
    else next.delete(node);
  }
  return next;
}
