/** The panes of the mapping screen: side by side, or one at a time on a phone. */
import { clsx } from 'clsx';
import {
  useCallback,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../api/use-api.ts';
import { SegmentedControl } from '../ui/forms/segmented-control.tsx';
import { closeToasts } from '../ui/overlays/toast.tsx';
import { noSaveErrors, type SaveError, type SaveErrors } from './document/save-errors.ts';
import type { Document, Source } from './document/mapping-document.ts';
import { assignSource } from './document/source.ts';
import {
  isLabel,
  fieldNameOf,
  readTarget,
  writeTarget,
  type TargetName,
} from './document/targets.ts';
import {
  EditorContext,
  useMappingEditor,
  type MappingEditor,
  type Suggestion,
  type PendingTarget,
} from './editor-context.tsx';
import type { FieldNode } from './fields/merge-payloads.ts';
import { exampleOf } from './fields/field-example.ts';
import { leavesOf } from './fields/field-search.ts';
import { FieldsPane } from './fields/fields-pane.tsx';
import { FieldUsageProvider } from './fields/field-usage.tsx';
import { PreviewPane } from './preview/preview-pane.tsx';
import { useTargetLabel } from './targets/target-label.ts';
import { useSaveErrorText } from './targets/save-errors.tsx';
import { useSourceText } from './targets/source-text.ts';
import { TargetsPane } from './targets/targets-pane.tsx';
import { Toolbar } from './toolbar.tsx';
import { useFocusGuidance } from './use-focus-guidance.ts';
import { useDraft, type Base } from './use-draft.ts';
import { useFields } from './use-fields.ts';
import type { Payloads } from './use-payloads.ts';
import { usePreview, type Item } from './use-preview.ts';
import styles from './mapping.module.css';

export type ExpertProps = {
  readonly document: Document;
  readonly onChange: (document: Document) => void;
  readonly problems: readonly SaveError[];
  readonly paths: readonly { readonly path: string; readonly example: string }[];
};

/** `href` leads to the other editor. */
type Expert = {
  readonly isOn: boolean;
  readonly href: string;
  readonly Editor: ComponentType<ExpertProps>;
};

type WorkbenchProps = {
  readonly webhookId: string;
  readonly base: Omit<Base, 'webhookId'>;
  readonly active: number | null;
  readonly payloads: Payloads;
  readonly suggestion: Suggestion;
  readonly maySave: boolean;
  readonly wanted: string | null;
  /** The alternative editor of the document; without it there is no switch. */
  readonly expert?: Expert;
  readonly saveLabel?: string | undefined;
  readonly onSaved?: ((version: number) => void) | undefined;
  readonly activates?: boolean;
  /** Below the toolbar. */
  readonly notice?: ReactNode;
};

/** A list of texts is joined when the target takes one text. */
function sourceFor({ source, kinds, values }: FieldNode, target: TargetName): Source | null {
  const isList = kinds.length === 1 && kinds[0] === 'list';
  if (!source || !isList || isLabel(target) || fieldNameOf(target) !== null) return source;
  const isTexts = values.every(
    (value) =>
      !Array.isArray(value) || (value as unknown[]).every((one) => typeof one === 'string'),
  );
  return isTexts && source.path !== undefined && !source.transforms
    ? { ...source, path: `join(', ', ${source.path})` }
    : source;
}

/** Two letters; null when the server decides. Read only for an item with a phone problem, which names it. */
function useRegion(webhookId: string, item: Item | undefined): string | null {
  const isNamed = item?.problems.some(({ code }) => code === 'invalid_phone') ?? false;
  const webhook = useApiQuery('getWebhook', { params: { id: webhookId } });
  const channelId = webhook.data?.channelId;
  const channel = useApiQuery(
    'getChannel',
    { params: { id: channelId ?? '' } },
    { enabled: isNamed && channelId !== undefined },
  );
  const settings = channel.data?.settings as { readonly region?: unknown } | undefined;
  return typeof settings?.region === 'string' ? settings.region : null;
}

/** Errors of the last save count until the document changes. */
function useSaveErrors(document: Document, ofPreview: SaveErrors) {
  const [saving, setSaving] = useState({ document, errors: noSaveErrors });
  const ofSaving = saving.document === document ? saving.errors : noSaveErrors;
  const refuse = useCallback((errors: SaveErrors) => setSaving({ document, errors }), [document]);
  return { errors: ofPreview.size > 0 ? ofPreview : ofSaving, refuse };
}

function useEditingState(props: WorkbenchProps) {
  const { webhookId, base, payloads, suggestion } = props;
  const { formatMessage } = useIntl();
  const labelOf = useTargetLabel();
  const wordsOf = useSourceText();
  const draft = useDraft({ webhookId, ...base });
  const [wantedItem, setItem] = useState(0);
  const [pendingTarget, setPendingTarget] = useState<PendingTarget | null>(null);
  const [picked, pick] = useState<FieldNode | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [announcement, announce] = useState('');
  const preview = usePreview(webhookId, draft.document, payloads.shown);
  const itemAt = Math.min(wantedItem, Math.max(0, preview.items.length - 1));
  const fields = useFields(
    payloads,
    { split: draft.document.split, item: itemAt },
    {
      around: formatMessage({ id: 'mapping.around' }),
      query: formatMessage({ id: 'mapping.query' }),
      headers: formatMessage({ id: 'mapping.headers' }),
    },
  );
  const { change } = draft;
  const assign = useCallback(
    (node: FieldNode, { target, mode }: PendingTarget) => {
      const next = sourceFor(node, target);
      if (next === null) return;
      change((before) => {
        return writeTarget(before, target, assignSource(readTarget(before, target), next, mode));
      });
      setPendingTarget(null);
      announce(
        formatMessage(
          { id: 'mapping.assigned' },
          { target: labelOf(target), field: wordsOf(next) },
        ),
      );
    },
    [change, formatMessage, labelOf, wordsOf],
  );
  const item = preview.items[itemAt];
  const editing: MappingEditor = {
    draft,
    payloads,
    fields,
    preview,
    ...useSaveErrors(draft.document, preview.errors),
    item,
    suggestion,
    region: useRegion(webhookId, item),
    pendingTarget,
    setPendingTarget,
    assign,
    picked,
    pick,
    isDragging,
    setDragging,
  };
  useFocusGuidance(pendingTarget);
  return { editing, announcement, itemAt, setItem };
}

/** Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y, except in text fields, which have their own undo. */
function useUndoKeys({ undo, redo }: MappingEditor['draft']) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, shiftKey } = event;
      if (!(ctrlKey || metaKey) || isWriting(target)) return;
      const letter = key.toLowerCase();
      if (letter === 'z' && !shiftKey) undo();
      else if (letter === 'y' || (letter === 'z' && shiftKey)) redo();
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [undo, redo]);
}

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement ||
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLElement && target.isContentEditable);

type PaneName = 'targets' | 'fields';

/** The maximum number of completions while an expression is typed. */
const maxPaths = 1_000;

export function Workbench(props: WorkbenchProps) {
  const { editing, announcement, itemAt, setItem } = useEditingState(props);
  const { pendingTarget, draft, setPendingTarget } = editing;
  useUndoKeys(draft);
  // The document that an undo would restore is gone.
  useEffect(() => () => closeToasts('mapping'), []);
  const [chosenPane, setPane] = useState<PaneName>(props.wanted === null ? 'targets' : 'fields');
  // In the single-pane layout the fields pane opens when a field is to be chosen, and closes afterwards.
  const pane = pendingTarget ? 'fields' : chosenPane;
  useEffect(() => {
    if (!pendingTarget) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') setPendingTarget(null);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [pendingTarget, setPendingTarget]);
  return (
    <EditorContext value={editing}>
      <FieldUsageProvider>
        <div className={styles.mapping}>
          <Toolbar {...props} />
          {props.notice}
          <p className="hidden-visually" role="status">
            {announcement}
          </p>
          {props.expert?.isOn ? (
            <div className={clsx(styles.benches, styles.expertBenches)}>
              <ExpertPane Editor={props.expert.Editor} />
              <PreviewPane item={itemAt} onItem={setItem} />
            </div>
          ) : (
            <>
              <PaneSwitch
                pane={pane}
                onChange={(next) => {
                  setPendingTarget(null);
                  setPane(next);
                }}
              />
              <div className={clsx(styles.benches, styles[pane])}>
                <div className={styles.aside}>
                  <FieldsPane wanted={props.wanted} onUsed={() => setPane('targets')} />
                  <PreviewPane item={itemAt} onItem={setItem} />
                </div>
                <TargetsPane />
              </div>
            </>
          )}
        </div>
      </FieldUsageProvider>
    </EditorContext>
  );
}

function PaneSwitch({
  pane,
  onChange,
}: {
  readonly pane: PaneName;
  readonly onChange: (pane: PaneName) => void;
}) {
  const { formatMessage } = useIntl();
  const segments = (['targets', 'fields'] as const).map((id) => ({
    id,
    label: formatMessage({ id: `mapping.${id}` }),
  }));
  return (
    <div data-part="pane-switch" className={styles.paneSwitch}>
      <SegmentedControl
        label={formatMessage({ id: 'mapping.pane' })}
        segments={segments}
        value={pane}
        onChange={(id) => onChange(id === 'fields' ? 'fields' : 'targets')}
      />
    </div>
  );
}

/** Both editors change the same document and stay in sync; incomplete JSON changes nothing. */
function ExpertPane({ Editor }: Pick<Expert, 'Editor'>) {
  const { formatMessage } = useIntl();
  const { draft, fields, errors } = useMappingEditor();
  const wordsOf = useSaveErrorText();
  const paths = useMemo(
    () =>
      leavesOf(fields.nodes, maxPaths).map((node) => ({
        path: node.path,
        example: exampleOf(node, fields.shown).text ?? '',
      })),
    [fields.nodes, fields.shown],
  );
  const problems = useMemo(
    () => [...errors.values()].flat().map((one) => ({ ...one, message: wordsOf(one) })),
    [errors, wordsOf],
  );
  return (
    <section
      className={clsx('stack tight', styles.pane)}
      aria-label={formatMessage({ id: 'mapping.expert' })}
    >
      <h2>{formatMessage({ id: 'mapping.expert' })}</h2>
      <p className="soft small">{formatMessage({ id: 'mapping.expert.hint' })}</p>
      <Editor
        document={draft.document}
        onChange={(next) => draft.change(() => next)}
        problems={problems}
        paths={paths}
      />
    </section>
  );
}
