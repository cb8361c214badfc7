/** The merged payloads as a tree: virtualized, keyboard-operated, with draggable fields. */
import { clsx } from 'clsx';
import { ChevronRight, GripVertical } from 'lucide-react';
import {
  createContext,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type CSSProperties,
} from 'react';
import {
  Button,
  Collection,
  ListLayout,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
  Virtualizer,
  type Key,
} from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useMappingEditor } from '../editor-context.tsx';
import type { FieldNode } from './merge-payloads.ts';
import { More, FieldRow } from './field-row.tsx';
import mappingStyles from '../mapping.module.css';
import fieldTreeStyles from './field-tree.module.css';

export const fieldType = 'application/x-inlet-field';
/** In pixels. Fingers need more than a pointer. */
const rowHeight = matchMedia('(pointer: coarse), (max-width: 719px)').matches ? 36 : 27;
/** Children of one field are loaded in steps. */
const step = 200;
const maxIndent = 10;

type Shape = {
  readonly expanded: ReadonlySet<Key>;
  readonly limits: ReadonlyMap<string, number>;
};
const ShapeContext = createContext<Shape>({ expanded: new Set(), limits: new Map() });

type Line = FieldNode | { readonly more: string; readonly id: string; readonly left: number };

function linesOf(
  nodes: readonly FieldNode[],
  parent: string,
  limits: ReadonlyMap<string, number>,
): readonly Line[] {
  const limit = limits.get(parent) ?? step;
  if (nodes.length <= limit) return nodes;
  return [
    ...nodes.slice(0, limit),
    { more: parent, id: `more ${parent}`, left: nodes.length - limit },
  ];
}

type TreeProps = {
  readonly label: string;
  readonly nodes: readonly FieldNode[];
  readonly expanded: ReadonlySet<Key>;
  readonly onExpanded: (expanded: Set<Key>) => void;
  readonly byId: ReadonlyMap<string, FieldNode>;
  readonly onPick: (node: FieldNode) => void;
  /** Scrolled into view when it changes. */
  readonly revealed: string | null;
};

/** The row index of a visible node; -1 when hidden. */
function lineOf(id: string, nodes: readonly FieldNode[], { expanded, limits }: Shape): number {
  let at = 0;
  let found = -1;
  const visit = (lines: readonly Line[]): void => {
    for (const line of lines) {
      if (found >= 0) return;
      if (line.id === id) found = at;
      at += 1;
      if (!('more' in line) && expanded.has(line.id)) {
        visit(linesOf(line.children, line.id, limits));
      }
    }
  };
  visit(linesOf(nodes, '', limits));
  return found;
}

export function FieldTree({ label, nodes, expanded, onExpanded, ...props }: TreeProps) {
  const { byId, onPick, revealed } = props;
  const { picked, setDragging } = useMappingEditor();
  const [limits, setLimits] = useState<ReadonlyMap<string, number>>(new Map());
  const shape = useMemo(() => ({ expanded, limits }), [expanded, limits]);
  const frame = useRef<HTMLDivElement>(null);
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) =>
      [...keys].map((key) => ({
        [fieldType]: String(key),
        'text/plain': byId.get(String(key))?.path ?? '',
      })),
    getAllowedDropOperations: () => ['copy'],
    onDragStart: () => setDragging(true),
    onDragEnd: () => setDragging(false),
  });
  useEffect(() => {
    if (revealed === null || !frame.current) return;
    const line = lineOf(revealed, nodes, shape);
    if (line >= 0) frame.current.scrollTop = Math.max(0, (line - 3) * rowHeight);
    // Only when the target of the scroll changes, not when the tree is expanded or collapsed.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [revealed]);
  const pickedId = picked?.id ?? null;
  useLayoutEffect(() => {
    if (pickedId === null || !frame.current) return;
    // The details of the selected field overlay the bottom of the tree.
    const { clientHeight, parentElement } = frame.current;
    const over = parentElement?.querySelector('[data-part="field-details"]')?.clientHeight ?? 0;
    const below = (lineOf(pickedId, nodes, shape) + 1) * rowHeight - (clientHeight - over);
    if (below > frame.current.scrollTop) frame.current.scrollTop = below;
    // Only when the selection changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [pickedId]);
  const act = (key: Key | undefined) => {
    const id = String(key);
    if (id.startsWith('more ')) {
      const parent = id.slice('more '.length);
      setLimits((before) => new Map(before).set(parent, (before.get(parent) ?? step) + step));
      return;
    }
    const node = byId.get(id);
    if (node?.role === 'group') {
      const next = new Set(expanded);
      if (!next.delete(id)) next.add(id);
      onExpanded(next);
    } else if (node) onPick(node);
  };
  return (
    <ShapeContext value={shape}>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight }}>
        <Tree
          ref={frame}
          aria-label={label}
          className={clsx(mappingStyles.fieldTree, fieldTreeStyles.fieldTree)}
          style={{ '--row-height': `${rowHeight}px` } as CSSProperties}
          items={linesOf(nodes, '', limits)}
          expandedKeys={expanded}
          onExpandedChange={onExpanded}
          selectionMode="single"
          selectionBehavior="toggle"
          selectedKeys={picked ? [picked.id] : []}
          onSelectionChange={(keys) =>
            act(keys === 'all' ? undefined : ([...keys][0] ?? picked?.id))
          }
          dragAndDropHooks={dragAndDropHooks}
        >
          {(line) => <LineItem line={line} />}
        </Tree>
      </Virtualizer>
    </ShapeContext>
  );
}

function LineItem({ line }: { readonly line: Line }) {
  const { formatMessage } = useIntl();
  const { expanded, limits } = use(ShapeContext);
  if ('more' in line) {
    const text = formatMessage({ id: 'mapping.more' }, { count: line.left });
    return (
      <TreeItem id={line.id} textValue={text} className={fieldTreeStyles.fieldLine}>
        <TreeItemContent>{() => <More label={text} />}</TreeItemContent>
      </TreeItem>
    );
  }
  const { id, label, role, children } = line;
  return (
    <TreeItem
      id={id}
      textValue={label === '' ? formatMessage({ id: `mapping.role.${role}` }) : label}
      hasChildItems={children.length > 0}
      className={clsx(fieldTreeStyles.fieldLine, role === 'group' && fieldTreeStyles.group)}
    >
      <TreeItemContent>
        {({ level, hasChildItems }) => (
          <div
            className={fieldTreeStyles.fieldRow}
            style={{ '--level': Math.min(level - 1, maxIndent) } as CSSProperties}
          >
            {hasChildItems ? (
              <Button slot="chevron" className={fieldTreeStyles.chevron}>
                <ChevronRight aria-hidden />
              </Button>
            ) : (
              <span className={fieldTreeStyles.chevron} />
            )}
            <FieldRow node={line} level={level} />
            {role !== 'group' && (
              <Button slot="drag" className={fieldTreeStyles.grip}>
                <GripVertical aria-hidden />
              </Button>
            )}
          </div>
        )}
      </TreeItemContent>
      {expanded.has(id) && (
        <Collection items={linesOf(children, id, limits)}>
          {(inner: Line) => <LineItem line={inner} />}
        </Collection>
      )}
    </TreeItem>
  );
}
