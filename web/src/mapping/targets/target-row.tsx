/**
 * One target: its source, its result for the shown payload, and its problems. A field is assigned by choosing
 * the target and then the field, from the menu, or by drag and drop, which also works by keyboard.
 */
import { clsx } from 'clsx';
import { SlidersHorizontal, X } from 'lucide-react';
import { useState } from 'react';
import { DropZone, ToggleButton } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { IconButton } from '../../ui/forms/button.tsx';
import { SampleText } from '../../ui/text/sample-text.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { MessageComposer } from '../composer/message-composer.tsx';
import type { Source } from '../document/mapping-document.ts';
import {
  isLabel,
  readTarget,
  segmentsOf,
  writeTarget,
  type TargetName,
} from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import { ancestorsOfFirst } from '../fields/field-search.ts';
import { fieldType } from '../fields/field-tree.tsx';
import { valueIn, type Trace } from '../use-preview.ts';
import { SourceMenu } from './source-menu.tsx';
import { Confidence } from './confidence.tsx';
import { useTargetLabel } from './target-label.ts';
import { SourceOptions } from './source-options.tsx';
import { TargetProblems, useTargetProblems } from './target-problems.tsx';
import { SourceParts } from './source-parts.tsx';
import { TransformChips } from './transform-chips.tsx';
import styles from './targets.module.css';

function useDrop(target: TargetName) {
  const { draft, assign, fields, setDragging } = useMappingEditor();
  return async (
    items: readonly {
      readonly kind: string;
      readonly getText?: (type: string) => Promise<string>;
    }[],
  ) => {
    setDragging(false);
    const id = await items[0]?.getText?.(fieldType);
    const node = ancestorsOfFirst(fields.nodes, (one) => one.id === id)?.at(-1);
    const isTemplate = readTarget(draft.document, target)?.template !== undefined;
    if (node) assign(node, { target, mode: isTemplate ? 'insert' : 'replace' });
  };
}

export function TargetRow({ target }: { readonly target: TargetName }) {
  const { formatMessage } = useIntl();
  const { draft, isDragging, pendingTarget } = useMappingEditor();
  const labelOf = useTargetLabel();
  const drop = useDrop(target);
  const [isOpen, setOpen] = useState(false);
  const { errors } = useTargetProblems(target);
  const source = readTarget(draft.document, target);
  const label = labelOf(target);
  const isWaiting = pendingTarget?.target === target;
  return (
    <li data-mapping-target={target}>
      <DropZone
        className={clsx(
          styles.target,
          isWaiting && styles.chosen,
          errors.length > 0 && styles.refused,
        )}
        aria-label={formatMessage({ id: 'mapping.dropOn' }, { target: label })}
        isDisabled={!isDragging}
        getDropOperation={(types) => (types.has(fieldType) ? 'copy' : 'cancel')}
        onDrop={({ items }) => void drop(items)}
      >
        <div className={styles.targetHead}>
          <TargetName target={target} label={label} />
          {source && <Confidence target={target} source={source} />}
          <span className={styles.targetTools}>
            <SourceMenu target={target} label={label} source={source} />
            {source && (
              <IconButton
                isSmall
                label={formatMessage({ id: 'mapping.options' }, { target: label })}
                aria-expanded={isOpen}
                onPress={() => setOpen(!isOpen)}
              >
                <SlidersHorizontal aria-hidden />
              </IconButton>
            )}
            {source && <Clear target={target} label={label} source={source} />}
          </span>
        </div>
        {source && (
          <>
            {source.template !== undefined && (
              <MessageComposer
                label={label}
                text={source.template}
                onChange={(template) =>
                  draft.change((before) => writeTarget(before, target, { ...source, template }))
                }
              />
            )}
            <div className={styles.reading}>
              {source.template === undefined && (
                <SourceParts target={target} source={source} isOpen={isOpen} />
              )}
              <TransformChips
                source={source}
                isOpen={isOpen}
                onChange={(next) => draft.change((before) => writeTarget(before, target, next))}
              />
            </div>
            {isOpen && <SourceOptions target={target} source={source} />}
            {errors.length === 0 && <Result target={target} source={source} />}
          </>
        )}
        <TargetProblems target={target} />
      </DropZone>
    </li>
  );
}

function TargetName({ target, label }: { readonly target: TargetName; readonly label: string }) {
  const { pendingTarget, setPendingTarget } = useMappingEditor();
  return (
    <ToggleButton
      data-part="target-name"
      className={styles.targetName}
      isSelected={pendingTarget?.target === target}
      onChange={(isChosen) => setPendingTarget(isChosen ? { target, mode: 'replace' } : null)}
    >
      <span className="break">{label}</span>
    </ToggleButton>
  );
}

function Clear({
  target,
  label,
  source,
}: {
  readonly target: TargetName;
  readonly label: string;
  readonly source: Source;
}) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const clear = () => {
    draft.change((before) => writeTarget(before, target, null));
    const undo = () => draft.change((before) => restored(before, target, source));
    showToast(
      formatMessage({ id: 'mapping.cleared' }, { target: label }),
      undo,
      `mapping ${target}`,
    );
  };
  return (
    <IconButton
      isSmall
      label={formatMessage({ id: 'mapping.clear' }, { target: label })}
      onPress={clear}
    >
      <X aria-hidden />
    </IconButton>
  );
}

/** An undone label returns to its former index. */
function restored(before: Parameters<typeof writeTarget>[0], target: TargetName, source: Source) {
  if (!isLabel(target)) return writeTarget(before, target, source);
  const labels = [...(before.context?.labels ?? [])];
  labels.splice(Number(target.split('.').at(-1)), 0, source);
  return { ...before, context: { ...before.context, labels } };
}

const maxLength = 300;

/** The results; labels can be several. */
function Result({ target, source }: { readonly target: TargetName; readonly source: Source }) {
  const { formatMessage } = useIntl();
  const { item } = useMappingEditor();
  if (!item) return null;
  const traces = item.sources as Readonly<Record<string, Trace | undefined>>;
  const text = isLabel(target) ? labelsIn(traces[target]) : valueIn(item, segmentsOf(target));
  const isFallback = traces[target]?.source === 'default' && source.default !== undefined;
  return (
    <p className={clsx(styles.targetResult, text === null && styles.none)}>
      <span className="hidden-visually">{formatMessage({ id: 'mapping.result' })}</span>
      <span aria-hidden>{'=\u00A0'}</span>
      {text === null ? (
        <span className="soft">{formatMessage({ id: 'mapping.noResult' })}</span>
      ) : (
        <span className="break">
          {target === 'eventDate' ? (
            <Timestamp at={text} />
          ) : (
            <SampleText text={text} maxLength={maxLength} />
          )}
        </span>
      )}
      {isFallback && (
        <span className="soft small"> {formatMessage({ id: 'mapping.byDefault' })}</span>
      )}
    </p>
  );
}

function labelsIn(trace: Trace | undefined): string | null {
  const steps = (trace as { readonly steps?: readonly { readonly after: unknown }[] } | undefined)
    ?.steps;
  const value = steps?.at(-1)?.after ?? trace?.raw;
  const texts = (Array.isArray(value) ? (value as unknown[]) : [value])
    .filter((one) => one !== null && one !== undefined && one !== '')
    .map(String);
  return texts.length === 0 ? null : texts.join(', ');
}
