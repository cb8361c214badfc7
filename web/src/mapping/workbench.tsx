/** The parts of the mapping screen beside each other; on a phone, one after the other. */
import { useCallback, useEffect, useMemo, useState, type ComponentType } from 'react';
import { useIntl } from 'react-intl';
import { useRead } from '../api/use-api.ts';
import { Segments } from '../ui/forms/segmented-control.tsx';
import { hushAll } from '../ui/overlays/toast.tsx';
import { noRefusals, type Refusal, type Refusals } from './document/save-errors.ts';
import type { Document, Source } from './document/mapping-document.ts';
import { take } from './document/source.ts';
import {
  isLabel,
  fieldNameOf,
  readTarget,
  writeTarget,
  type TargetName,
} from './document/targets.ts';
import {
  EditingContext,
  useEditing,
  type Editing,
  type Suggestion,
  type Waiting,
} from './editor-context.tsx';
import type { FieldNode } from './fields/merge-payloads.ts';
import { exampleOf } from './fields/field-example.ts';
import { leavesOf } from './fields/field-search.ts';
import { FieldsPane } from './fields/fields-pane.tsx';
import { PlacesProvider } from './fields/field-usage.tsx';
import { PreviewPane } from './preview/preview-pane.tsx';
import { useTargetLabel } from './targets/target-label.ts';
import { useRefusalWords } from './targets/save-errors.tsx';
import { useSourceWords } from './targets/source-text.ts';
import { TargetsPane } from './targets/targets-pane.tsx';
import { Toolbar } from './toolbar.tsx';
import { useGuidance } from './use-focus-guidance.ts';
import { useDraft, type Base } from './use-draft.ts';
import { useFields } from './use-fields.ts';
import type { Payloads } from './use-payloads.ts';
import { usePreview } from './use-preview.ts';

export type ExpertProps = {
  readonly document: Document;
  readonly onChange: (document: Document) => void;
  readonly problems: readonly Refusal[];
  readonly paths: readonly { readonly path: string; readonly example: string }[];
};

/** `href` leads to the other way, and back. */
export type Expert = {
  readonly isOn: boolean;
  readonly href: string;
  readonly Editor: ComponentType<ExpertProps>;
};

export type WorkbenchProps = {
  readonly webhookId: string;
  readonly base: Omit<Base, 'webhookId'>;
  readonly active: number | null;
  readonly payloads: Payloads;
  readonly suggestion: Suggestion;
  readonly maySave: boolean;
  readonly wanted: string | null;
  /** The other way to write the document; where there is none, there is no switch to it. */
  readonly expert?: Expert;
  readonly saveLabel?: string;
  readonly onSaved?: (version: number) => void;
};

/** A list of texts becomes one, where the target takes one. */
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

/** Two letters; null where the channel leaves it to the server. */
function useRegion(webhookId: string): string | null {
  const webhook = useRead('getWebhook', { params: { id: webhookId } });
  const channelId = webhook.data?.channelId;
  const channel = useRead(
    'getChannel',
    { params: { id: channelId ?? '' } },
    { enabled: channelId !== undefined },
  );
  const settings = channel.data?.settings as { readonly region?: unknown } | undefined;
  return typeof settings?.region === 'string' ? settings.region : null;
}

/** Those of the last saving count until the document is changed. */
function useRefusals(document: Document, ofPreview: Refusals) {
  const [saving, setSaving] = useState({ document, refusals: noRefusals });
  const ofSaving = saving.document === document ? saving.refusals : noRefusals;
  const refuse = useCallback((refusals: Refusals) => setSaving({ document, refusals }), [document]);
  return { refusals: ofPreview.size > 0 ? ofPreview : ofSaving, refuse };
}

function useEditingState(props: WorkbenchProps) {
  const { webhookId, base, payloads, suggestion } = props;
  const { formatMessage } = useIntl();
  const labelOf = useTargetLabel();
  const wordsOf = useSourceWords();
  const draft = useDraft({ webhookId, ...base });
  const [wantedItem, setItem] = useState(0);
  const [waiting, waitFor] = useState<Waiting | null>(null);
  const [picked, pick] = useState<FieldNode | null>(null);
  const [isDragging, setDragging] = useState(false);
  const [said, say] = useState('');
  const { transforms } = useRead('getTransforms', {}).data ?? { transforms: [] };
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
    (node: FieldNode, { target, taking }: Waiting) => {
      const next = sourceFor(node, target);
      if (next === null) return;
      change((before) => {
        return writeTarget(before, target, take(readTarget(before, target), next, taking));
      });
      waitFor(null);
      say(
        formatMessage(
          { id: 'mapping.assigned' },
          { target: labelOf(target), field: wordsOf(next) },
        ),
      );
    },
    [change, formatMessage, labelOf, wordsOf],
  );
  const editing: Editing = {
    draft,
    payloads,
    fields,
    preview,
    ...useRefusals(draft.document, preview.refusals),
    item: preview.items[itemAt],
    suggestion,
    transforms,
    region: useRegion(webhookId),
    waiting,
    waitFor,
    assign,
    picked,
    pick,
    isDragging,
    setDragging,
  };
  useGuidance(waiting);
  return { editing, said, itemAt, setItem };
}

/** Ctrl+Z and Ctrl+Shift+Z or Ctrl+Y, but where a text is being written, which has its own. */
function useUndoKeys({ undo, redo }: Editing['draft']) {
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

type Side = 'targets' | 'fields';

/** So many are offered while an expression is written. */
const maxPaths = 1_000;

export function Workbench(props: WorkbenchProps) {
  const { editing, said, itemAt, setItem } = useEditingState(props);
  const { waiting, draft, waitFor } = editing;
  useUndoKeys(draft);
  // What it would be taken back in is gone.
  useEffect(() => () => hushAll('mapping'), []);
  const [chosenSide, setSide] = useState<Side>(props.wanted === null ? 'targets' : 'fields');
  // Where only one side is seen, the fields come when one is to be chosen, and go when it is.
  const side = waiting ? 'fields' : chosenSide;
  useEffect(() => {
    if (!waiting) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape') waitFor(null);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [waiting, waitFor]);
  return (
    <EditingContext value={editing}>
      <PlacesProvider>
        <div className="mapping">
          <Toolbar {...props} />
          <p className="hidden-visually" role="status">
            {said}
          </p>
          {props.expert?.isOn ? (
            <div className="benches expert-benches">
              <ExpertPane Editor={props.expert.Editor} />
              <PreviewPane item={itemAt} onItem={setItem} />
            </div>
          ) : (
            <>
              <Sides
                side={side}
                onSide={(next) => {
                  waitFor(null);
                  setSide(next);
                }}
              />
              <div className={`benches ${side}`}>
                <div className="aside">
                  <FieldsPane wanted={props.wanted} onUsed={() => setSide('targets')} />
                  <PreviewPane item={itemAt} onItem={setItem} />
                </div>
                <TargetsPane />
              </div>
            </>
          )}
        </div>
      </PlacesProvider>
    </EditingContext>
  );
}

function Sides({ side, onSide }: { readonly side: Side; readonly onSide: (side: Side) => void }) {
  const { formatMessage } = useIntl();
  const segments = (['targets', 'fields'] as const).map((id) => ({
    id,
    label: formatMessage({ id: `mapping.${id}` }),
  }));
  return (
    <div className="sides">
      <Segments
        label={formatMessage({ id: 'mapping.sides' })}
        segments={segments}
        value={side}
        onChange={(id) => onSide(id === 'fields' ? 'fields' : 'targets')}
      />
    </div>
  );
}

/** Both ways change the one document, so each is in step with the other; half-written JSON changes nothing. */
function ExpertPane({ Editor }: Pick<Expert, 'Editor'>) {
  const { formatMessage } = useIntl();
  const { draft, fields, refusals } = useEditing();
  const wordsOf = useRefusalWords();
  const paths = useMemo(
    () =>
      leavesOf(fields.nodes, maxPaths).map((node) => ({
        path: node.path,
        example: exampleOf(node, fields.shown).text ?? '',
      })),
    [fields.nodes, fields.shown],
  );
  const problems = useMemo(
    () => [...refusals.values()].flat().map((one) => ({ ...one, message: wordsOf(one) })),
    [refusals, wordsOf],
  );
  return (
    <section className="pane stack tight" aria-label={formatMessage({ id: 'mapping.expert' })}>
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
