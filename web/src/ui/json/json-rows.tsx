/** The visible rows of a JSON tree, and its keyboard handling. */
import { ChevronRight } from 'lucide-react';
import {
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react';
import { useIntl } from 'react-intl';
import { kindOf, sizeOf, textOf, type Node, type ExpandedNodes } from './json-tree.ts';

/** In px, as in the style sheet. */
const rowHeight = 26;
const maxHeight = 520;
/** Extra rows above and below the viewport. */
const margin = 12;
/** The maximum length of a text in a row; CSS clips it earlier. */
const maxRowTextLength = 300;

type RowsProps = {
  readonly id: string;
  readonly label: string;
  readonly rows: readonly Node[];
  readonly open: ExpandedNodes;
  readonly active: Node;
  readonly onActive: (node: Node) => void;
  readonly onOpen: (nodes: readonly Node[], isOpen: boolean) => void;
};

export function JsonRows({ id, label, rows, open, active, onActive, onOpen }: RowsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { from, to } = useWindow(frame, rows.length);
  const activeAt = useMemo(() => rows.indexOf(active), [rows, active]);
  useEffect(() => {
    if (activeAt >= 0 && frame.current) scrollTo(frame.current, activeAt);
  }, [activeAt]);
  const visibleRows = rows.slice(from, to).map((node, at) => ({ node, at: from + at }));
  if (activeAt >= 0 && (activeAt < from || activeAt >= to)) {
    visibleRows.push({ node: active, at: activeAt });
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event.key, { rows, at: activeAt, open });
    if (!action || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    if (action.active) onActive(action.active);
    if (action.toggle) onOpen(action.toggle, action.isOpen ?? false);
  };
  return (
    <div
      ref={frame}
      id={id}
      className="json-rows"
      role="tree"
      tabIndex={0}
      aria-label={label}
      aria-activedescendant={activeAt < 0 ? undefined : `${id}-${activeAt}`}
      style={{ height: Math.min(maxHeight, Math.max(1, rows.length) * rowHeight + 2) }}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" style={{ height: rows.length * rowHeight }}>
        {visibleRows.map(({ node, at }) => (
          <Row
            key={at}
            id={`${id}-${at}`}
            at={at}
            node={node}
            isOpen={open.has(node)}
            isActive={node === active}
            onPress={(isToggling) => {
              onActive(node);
              if (isToggling) onOpen([node], !open.has(node));
            }}
          />
        ))}
      </div>
    </div>
  );
}

/** The range of rows to render. */
function useWindow(frame: RefObject<HTMLDivElement | null>, count: number) {
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(maxHeight);
  useLayoutEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const measure = () => setHeight(element.clientHeight);
    const scrolled = () => setTop(element.scrollTop);
    const sizes = new ResizeObserver(measure);
    sizes.observe(element);
    element.addEventListener('scroll', scrolled, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener('scroll', scrolled);
    };
  }, [frame]);
  const first = Math.min(Math.floor(top / rowHeight), Math.max(0, count - 1));
  return {
    from: Math.max(0, first - margin),
    to: Math.min(count, first + Math.ceil(height / rowHeight) + margin),
  };
}

function scrollTo(frame: HTMLDivElement, at: number): void {
  const [top, bottom] = [at * rowHeight, (at + 1) * rowHeight];
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (bottom > frame.scrollTop + frame.clientHeight) {
    frame.scrollTop = bottom - frame.clientHeight;
  }
}

type Action = {
  readonly active?: Node | undefined;
  readonly toggle?: readonly Node[];
  readonly isOpen?: boolean;
};
type Where = { readonly rows: readonly Node[]; readonly at: number; readonly open: ExpandedNodes };

const page = Math.floor(maxHeight / rowHeight) - 1;

/** The action of a key in a tree; null for other keys. */
function actionOf(key: string, { rows, at, open }: Where): Action | null {
  const node = rows[at];
  const moveBy = (step: number): Action => ({
    active: rows[Math.min(rows.length - 1, Math.max(0, at + step))],
  });
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: page,
    PageUp: -page,
    Home: -rows.length,
    End: rows.length,
  };
  const step = steps[key];
  if (step !== undefined) return moveBy(step);
  if (!node) return null;
  const isOpen = open.has(node);
  const hasParts = sizeOf(node.value) > 0;
  if (key === 'ArrowRight' && hasParts) {
    return isOpen ? moveBy(1) : { toggle: [node], isOpen: true };
  }
  if (key === 'ArrowLeft') {
    if (isOpen) return { toggle: [node], isOpen: false };
    return node.level > 1 && node.parent ? { active: node.parent } : {};
  }
  if ((key === 'Enter' || key === ' ') && hasParts) return { toggle: [node], isOpen: !isOpen };
  if (key === '*') return { toggle: node.parent?.children() ?? [node], isOpen: true };
  return null;
}

type RowProps = {
  readonly id: string;
  readonly at: number;
  readonly node: Node;
  readonly isOpen: boolean;
  readonly isActive: boolean;
  readonly onPress: (isToggling: boolean) => void;
};

/** Deeper levels show a number instead of more indentation. */
const maxIndents = 10;

function Row({ id, at, node, isOpen, isActive, onPress }: RowProps) {
  const size = sizeOf(node.value);
  const indents = Math.min(maxIndents, Math.max(0, node.level - 1));
  return (
    // The keys are heard by the tree, which has the focus.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
    <div
      id={id}
      role="treeitem"
      className={`json-row ${isActive ? 'active' : ''}`}
      style={{ top: at * rowHeight, paddingLeft: 6 + indents * 15 }}
      aria-level={Math.max(1, node.level)}
      aria-posinset={node.position}
      aria-setsize={node.parent ? sizeOf(node.parent.value) : 1}
      aria-selected={isActive}
      {...(size > 0 && { 'aria-expanded': isOpen })}
      onClick={() => onPress(size > 0)}
    >
      <span className="json-mark" aria-hidden>
        {size > 0 && <ChevronRight className={isOpen ? 'open' : ''} />}
      </span>
      {node.level > maxIndents && <span className="json-depth">{node.level}</span>}
      {node.key !== null && <bdi className="json-key clip">{node.key}</bdi>}
      <ValueText value={node.value} />
    </div>
  );
}

function ValueText({ value }: { readonly value: unknown }) {
  const { formatMessage } = useIntl();
  const kind = kindOf(value);
  if (kind === 'object' || kind === 'list') {
    return (
      <span className="json-size">
        {formatMessage({ id: `json.${kind}` }, { count: sizeOf(value) })}
      </span>
    );
  }
  const text = textOf(value).slice(0, maxRowTextLength);
  return (
    <bdi className={`json-text clip ${kind}`}>
      {kind === 'string' ? JSON.stringify(text) : text}
    </bdi>
  );
}
