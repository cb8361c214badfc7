/**
 * The parts of a source: one field, several joined fields, or a fallback list. Each part has its own transforms
 * and result.
 */
import { clsx } from 'clsx';
import { ArrowRightLeft, Cable, Globe, Quote, Text as TextIcon, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Button as AriaButton, Input, TextField } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { IconButton } from '../../ui/forms/button.tsx';
import { LocationText } from '../../ui/location/location-text.tsx';
import type { Source } from '../document/mapping-document.ts';
import { combineKindOf, partsOf, withoutPart, withPart } from '../document/source.ts';
import { writeTarget, type TargetName } from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import type { Trace } from '../use-preview.ts';
import { useSourceText } from './source-text.ts';
import { TransformChips } from './transform-chips.tsx';
import styles from './targets.module.css';

type PartsProps = {
  readonly target: TargetName;
  readonly source: Source;
  /** Whether transforms can be added. */
  readonly isOpen: boolean;
};

export function SourceParts(props: PartsProps) {
  const { formatMessage } = useIntl();
  const combining = combineKindOf(props.source);
  const parts = partsOf(props.source);
  if (combining === null) return <Part {...props} at={0} part={parts[0] ?? props.source} />;
  return (
    <ul className={styles.parts}>
      {parts.map((part, at) => (
        // Parts are identified by index only.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={at}>
          <span className={clsx('soft small', styles.combining)}>
            {at > 0 && formatMessage({ id: `mapping.${combining}.between` })}
          </span>
          <OneOfSeveral {...props} at={at} part={part} />
        </li>
      ))}
    </ul>
  );
}

type PartProps = PartsProps & { readonly at: number; readonly part: Source };

function OneOfSeveral(props: PartProps) {
  const { target, source, at, part, isOpen } = props;
  const { draft } = useMappingEditor();
  const formatted = useSourceText()(part);
  const put = (next: Source) => draft.change((before) => writeTarget(before, target, next));
  return (
    <div className={styles.several} role="group" aria-label={formatted}>
      <Part {...props} onRemove={() => put(withoutPart(source, at))} />
      <TransformChips
        source={part}
        of={formatted}
        isOpen={isOpen && part.const === undefined}
        onChange={(next) => put(withPart(source, at, next))}
      />
      <PartResult {...props} />
    </div>
  );
}

/** The result of one part, when it differs from what is shown already. */
function PartResult({ target, source, at, part }: PartProps) {
  const { formatMessage } = useIntl();
  const { item } = useMappingEditor();
  const traces = item?.sources as Readonly<Record<string, Trace | undefined>> | undefined;
  const raw = traces?.[target]?.raw;
  if (!source.join || part.const !== undefined || !Array.isArray(raw)) return null;
  const text: unknown = raw[at];
  return typeof text === 'string' ? (
    <span className={clsx('break', styles.partResult)}>{`=\u00A0${text.slice(0, 120)}`}</span>
  ) : (
    <span
      className={clsx(styles.partResult, styles.none)}
    >{`=\u00A0${formatMessage({ id: 'mapping.nothing' })}`}</span>
  );
}

function Part({
  target,
  source,
  at,
  part,
  onRemove,
}: PartProps & { readonly onRemove?: () => void }) {
  const { formatMessage } = useIntl();
  const { pendingTarget, setPendingTarget } = useMappingEditor();
  const isSeveral = combineKindOf(source) !== null;
  const isWaiting = pendingTarget?.target === target && pendingTarget.mode === at;
  const formatted = useSourceText()(part);
  const expression = useId();
  const { path } = part;
  return (
    <span className={clsx(styles.part, isWaiting && styles.chosen)}>
      {part.const === undefined ? (
        <AriaButton
          className={styles.partButton}
          aria-label={formatMessage({ id: 'mapping.replacePart' }, { field: formatted })}
          aria-describedby={path === undefined || path === formatted ? undefined : expression}
          onPress={() => setPendingTarget({ target, mode: isSeveral ? at : 'replace' })}
        >
          <PartIcon part={part} />
          {path === undefined ? (
            <code className="break">{formatted}</code>
          ) : (
            <LocationText location={{ path, root: part.root }} />
          )}
        </AriaButton>
      ) : (
        <FixedText target={target} source={source} at={at} />
      )}
      {onRemove && (
        <IconButton
          isSmall
          label={formatMessage({ id: 'mapping.removePart' }, { field: formatted })}
          onPress={onRemove}
        >
          <X aria-hidden />
        </IconButton>
      )}
      <span hidden id={expression}>
        {path}
      </span>
    </span>
  );
}

function PartIcon({ part }: { readonly part: Source }) {
  if (part.header !== undefined) return <Cable aria-hidden />;
  if (part.query !== undefined) return <Globe aria-hidden />;
  return part.path === undefined ? <ArrowRightLeft aria-hidden /> : <TextIcon aria-hidden />;
}

function FixedText({ target, source, at }: Pick<PartProps, 'target' | 'source' | 'at'>) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const part = partsOf(source)[at];
  const [written, setWritten] = useState<string | null>(null);
  const commit = () => {
    if (written === null) return;
    setWritten(null);
    const next = withPart(source, at, { ...part, const: written });
    draft.change((before) => writeTarget(before, target, next));
  };
  return (
    <TextField
      className={styles.fixed}
      aria-label={formatMessage({ id: 'mapping.const' })}
      value={written ?? String(part?.const ?? '')}
      onChange={setWritten}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
      maxLength={4_096}
    >
      <Quote aria-hidden />
      <Input className="input" />
    </TextField>
  );
}
