/** The left pane: payload choice, search, tree, and details of the selected field. */
import { clsx } from 'clsx';
import { ChevronsDownUp, ChevronsUpDown, Search, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { Input, SearchField, type Key } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { useMappingEditor } from '../editor-context.tsx';
import { PayloadChoice } from '../preview/payload-choice.tsx';
import { useTargetLabel } from '../targets/target-label.ts';
import { FieldDetails } from './field-details.tsx';
import { branchesOf, filterNodes, normalizePath, ancestorsOfFirst } from './field-search.ts';
import type { FieldNode } from './merge-payloads.ts';
import { FieldTree } from './field-tree.tsx';
import mappingStyles from '../mapping.module.css';
import fieldTreeStyles from './field-tree.module.css';

/** A tree this small is expanded completely. */
const fewNodes = 60;

function indexOf(nodes: readonly FieldNode[]): Map<string, FieldNode> {
  const byId = new Map<string, FieldNode>();
  const visit = (all: readonly FieldNode[]): void => {
    for (const node of all) {
      if (!byId.has(node.id)) byId.set(node.id, node);
      visit(node.children);
    }
  };
  visit(nodes);
  return byId;
}

/** Expands level by level up to a readable size; headers and query stay collapsed. */
function opened(nodes: readonly FieldNode[]): string[] {
  const ids: string[] = [];
  let level = nodes.filter(({ role }) => role !== 'group');
  let count = level.length;
  while (level.length > 0) {
    const branches = level.filter(({ children, role }) => children.length > 0 && role !== 'all');
    const below = branches.flatMap(({ children }) => [...children]);
    count += below.length;
    if (count > fewNodes) break;
    ids.push(...branches.map(({ id }) => id));
    level = below;
  }
  return ids;
}

type PaneProps = {
  /** The field that a link points to. */
  readonly wanted: string | null;
  /** Called after a field was assigned. */
  readonly onUsed?: () => void;
};

export function FieldsPane({ wanted, onUsed }: PaneProps) {
  const { formatMessage } = useIntl();
  const { fields, picked, pick, pendingTarget, assign } = useMappingEditor();
  const [text, setText] = useState('');
  const late = useDeferredValue(text);
  const { nodes } = fields;
  const byId = useMemo(() => indexOf(nodes), [nodes]);
  const found = useMemo(() => filterNodes(nodes, late), [nodes, late]);
  const [expanded, setExpanded] = useState<ReadonlySet<Key>>(() => new Set(opened(nodes)));
  const [sought, setSought] = useState<ReadonlySet<Key>>(new Set());
  const [revealed, setRevealed] = useState<string | null>(null);
  const isSearching = late.trim() !== '';
  useEffect(() => {
    if (isSearching) setSought(new Set(branchesOf(found)));
  }, [found, isSearching]);
  useEffect(() => {
    const way =
      wanted === null
        ? null
        : ancestorsOfFirst(nodes, ({ path }) => normalizePath(path) === normalizePath(wanted));
    const last = way?.at(-1);
    if (!way || !last) return;
    setExpanded((before) => new Set([...before, ...way.slice(0, -1).map(({ id }) => id)]));
    setRevealed(last.id);
    pick(last);
    // When the link or the fields change.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, nodes]);
  const take = (node: FieldNode) => {
    if (pendingTarget === null) pick(picked?.id === node.id ? null : node);
    else {
      assign(node, pendingTarget);
      onUsed?.();
    }
  };
  const [open, setOpen] = isSearching ? [sought, setSought] : [expanded, setExpanded];
  return (
    <section
      data-part="fields"
      className={clsx(mappingStyles.pane, mappingStyles.fieldsPane, fieldTreeStyles.fieldsPane)}
      aria-label={formatMessage({ id: 'mapping.fields' })}
    >
      <div className={fieldTreeStyles.fieldsHead}>
        <div className={clsx('row', fieldTreeStyles.fieldsTitle)}>
          <h2>{formatMessage({ id: 'mapping.fields' })}</h2>
          <PayloadChoice />
        </div>
        <PendingNote />
      </div>
      <div className={fieldTreeStyles.fieldTools}>
        <FieldSearch text={text} onWords={setText} />
        <IconButton
          isSmall
          label={formatMessage({ id: 'mapping.expand' })}
          onPress={() => setOpen(new Set(branchesOf(found)))}
        >
          <ChevronsUpDown aria-hidden />
        </IconButton>
        <IconButton
          isSmall
          label={formatMessage({ id: 'mapping.collapse' })}
          onPress={() => setOpen(new Set())}
        >
          <ChevronsDownUp aria-hidden />
        </IconButton>
      </div>
      {fields.isBeyond && <Note tone="info">{formatMessage({ id: 'mapping.beyond' })}</Note>}
      {found.length === 0 ? (
        <p className={clsx('soft', fieldTreeStyles.paneEmpty)} role="status">
          {formatMessage({ id: isSearching ? 'mapping.noneFound' : 'mapping.emptyPayload' })}
        </p>
      ) : (
        <FieldTree
          label={formatMessage({ id: 'mapping.fields' })}
          nodes={found}
          expanded={open}
          onExpanded={setOpen}
          byId={byId}
          onPick={take}
          revealed={revealed}
        />
      )}
      {picked && <FieldDetails node={picked} onUsed={onUsed} />}
    </section>
  );
}

/** Moves the focus from the search to its results. */
function toTree(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown') return;
  const tree = document.querySelector<HTMLElement>('[data-part="fields"] [role="treegrid"]');
  if (!tree) return;
  event.preventDefault();
  tree.focus();
}

function FieldSearch({
  text,
  onWords,
}: {
  readonly text: string;
  readonly onWords: (text: string) => void;
}) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'mapping.search' });
  return (
    <SearchField
      aria-label={label}
      value={text}
      onChange={onWords}
      className={fieldTreeStyles.fieldSearch}
    >
      <Search aria-hidden />
      <Input className="input" placeholder={label} onKeyDown={toTree} />
    </SearchField>
  );
}

/** Instructions; with a pending target, its name. Both have the same height. */
function PendingNote() {
  const { formatMessage } = useIntl();
  const { pendingTarget, setPendingTarget } = useMappingEditor();
  const labelOf = useTargetLabel();
  const text =
    pendingTarget &&
    formatMessage({ id: 'mapping.chooseFor' }, { target: labelOf(pendingTarget.target) });
  return (
    <div className={clsx(fieldTreeStyles.pendingNote, pendingTarget && fieldTreeStyles.active)}>
      <p role="status" title={text ?? undefined}>
        {text}
      </p>
      {pendingTarget ? (
        <Button variant="quiet" isSmall onPress={() => setPendingTarget(null)}>
          <X aria-hidden /> {formatMessage({ id: 'ui.cancel' })}
        </Button>
      ) : (
        <p>
          {formatMessage({ id: 'mapping.howTo' })}{' '}
          <span className={fieldTreeStyles.byDrag}>
            {formatMessage({ id: 'mapping.howTo.drag' })}
          </span>
        </p>
      )}
    </div>
  );
}
