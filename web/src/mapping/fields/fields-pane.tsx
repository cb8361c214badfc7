/** The left side: which payload is shown, a search, the tree, and what is known of the field that is picked. */
import { ChevronsDownUp, ChevronsUpDown, Search, X } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useState, type KeyboardEvent } from 'react';
import { Input, SearchField, type Key } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Note } from '../../ui/feedback/parts.tsx';
import { useEditing } from '../editor-context.tsx';
import { PayloadChoice } from '../preview/payload-choice.tsx';
import { useTargetLabel } from '../targets/target-label.ts';
import { Details } from './field-details.tsx';
import { branchesOf, matching, plainPath, wayTo } from './field-search.ts';
import type { FieldNode } from './merge-payloads.ts';
import { FieldTree } from './field-tree.tsx';

/** So few fields are all shown at once. */
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

/** Opened level by level, as long as it stays readable; what stands around the body waits. */
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

export type PaneProps = {
  /** What a link wants to be seen. */
  readonly wanted: string | null;
  /** A field was taken for a target. */
  readonly onUsed?: () => void;
};

export function FieldsPane({ wanted, onUsed }: PaneProps) {
  const { formatMessage } = useIntl();
  const { fields, picked, pick, waiting, assign } = useEditing();
  const [words, setWords] = useState('');
  const late = useDeferredValue(words);
  const { nodes } = fields;
  const byId = useMemo(() => indexOf(nodes), [nodes]);
  const found = useMemo(() => matching(nodes, late), [nodes, late]);
  const [expanded, setExpanded] = useState<ReadonlySet<Key>>(() => new Set(opened(nodes)));
  const [sought, setSought] = useState<ReadonlySet<Key>>(new Set());
  const [revealed, setRevealed] = useState<string | null>(null);
  const isSearching = late.trim() !== '';
  useEffect(() => {
    if (isSearching) setSought(new Set(branchesOf(found)));
  }, [found, isSearching]);
  useEffect(() => {
    const way =
      wanted === null ? null : wayTo(nodes, ({ path }) => plainPath(path) === plainPath(wanted));
    const last = way?.at(-1);
    if (!way || !last) return;
    setExpanded((before) => new Set([...before, ...way.slice(0, -1).map(({ id }) => id)]));
    setRevealed(last.id);
    pick(last);
    // When the link changes or the fields have come.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [wanted, nodes]);
  const take = (node: FieldNode) => {
    if (waiting === null) pick(picked?.id === node.id ? null : node);
    else {
      assign(node, waiting);
      onUsed?.();
    }
  };
  const [open, setOpen] = isSearching ? [sought, setSought] : [expanded, setExpanded];
  return (
    <section className="pane fields-pane" aria-label={formatMessage({ id: 'mapping.fields' })}>
      <div className="fields-head">
        <h2>{formatMessage({ id: 'mapping.fields' })}</h2>
        <WaitingNote />
      </div>
      <PayloadChoice />
      <div className="field-tools">
        <FieldSearch words={words} onWords={setWords} />
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
        <p className="soft pane-empty" role="status">
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
      {picked && <Details node={picked} onUsed={onUsed} />}
    </section>
  );
}

/** From the words on to what they found. */
function toTree(event: KeyboardEvent): void {
  if (event.key !== 'ArrowDown') return;
  const tree = document.querySelector<HTMLElement>('.mapping .field-tree');
  if (!tree) return;
  event.preventDefault();
  tree.focus();
}

function FieldSearch({
  words,
  onWords,
}: {
  readonly words: string;
  readonly onWords: (words: string) => void;
}) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'mapping.search' });
  return (
    <SearchField aria-label={label} value={words} onChange={onWords} className="field-search">
      <Search aria-hidden />
      <Input className="input" placeholder={label} onKeyDown={toTree} />
    </SearchField>
  );
}

/** How a field is taken; while a target waits, for which. The place is the same size either way. */
function WaitingNote() {
  const { formatMessage } = useIntl();
  const { waiting, waitFor } = useEditing();
  const labelOf = useTargetLabel();
  const words =
    waiting && formatMessage({ id: 'mapping.chooseFor' }, { target: labelOf(waiting.target) });
  return (
    <div className={`waiting-note ${waiting ? 'waits' : ''}`}>
      <p role="status" title={words ?? undefined}>
        {words}
      </p>
      {waiting ? (
        <Button look="quiet" isSmall onPress={() => waitFor(null)}>
          <X aria-hidden /> {formatMessage({ id: 'ui.cancel' })}
        </Button>
      ) : (
        <p>
          {formatMessage({ id: 'mapping.howTo' })}{' '}
          <span className="by-drag">{formatMessage({ id: 'mapping.howTo.drag' })}</span>
        </p>
      )}
    </div>
  );
}
