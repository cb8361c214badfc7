/** Options of a source: separator of joined parts, default and required. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import type { Document, Source } from '../document/mapping-document.ts';
import { withDefault, withRequired } from '../document/source.ts';
import {
  fieldNameOf,
  fieldNames,
  freeName,
  renameField,
  writeTarget,
  type TargetName,
} from '../document/targets.ts';
import { useMappingEditor } from '../editor-context.tsx';
import styles from './targets.module.css';

type OptionsProps = { readonly target: TargetName; readonly source: Source };

export function SourceOptions({ target, source }: OptionsProps) {
  const { formatMessage } = useIntl();
  const { draft } = useMappingEditor();
  const fieldName = fieldNameOf(target);
  const put = (next: Source) => draft.change((before) => writeTarget(before, target, next));
  return (
    <div className={styles.targetOptions}>
      {fieldName !== null && (
        <CommitField
          label={formatMessage({ id: 'mapping.fieldName' })}
          value={fieldName}
          maxLength={64}
          onWritten={(name) => draft.change((before) => renamed(before, target, name))}
        />
      )}
      {source.join && (
        <CommitField
          label={formatMessage({ id: 'mapping.with' })}
          hint={formatMessage({ id: 'mapping.with.hint' })}
          value={source.with ?? ' '}
          maxLength={32}
          onWritten={(text) => put({ ...source, with: text })}
        />
      )}
      {target !== 'eventId' && source.const === undefined && (
        <CommitField
          label={formatMessage({ id: 'mapping.default' })}
          hint={formatMessage({ id: 'mapping.default.hint' })}
          value={source.default === undefined ? '' : String(source.default)}
          maxLength={4_096}
          onWritten={(text) => put(withDefault(source, text))}
        />
      )}
      <Checkbox
        hint={formatMessage({ id: 'mapping.required.hint' })}
        isSelected={source.required ?? false}
        onChange={(isRequired) => put(withRequired(source, isRequired))}
      >
        {formatMessage({ id: 'mapping.required' })}
      </Checkbox>
    </div>
  );
}

/** Never overwrites an existing field of that name. */
function renamed(before: Document, target: TargetName, name: string): Document {
  const group = target.startsWith('contact.') ? 'contact' : 'context';
  const taken = fieldNames(before, group).filter((one) => one !== fieldNameOf(target));
  return renameField(before, target, freeName(taken, name));
}

type WrittenProps = {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly maxLength: number;
  readonly onWritten: (text: string) => void;
};

/** Committed on blur or Enter, so that undo works by value and not by keystroke. */
function CommitField({ value, onWritten, ...field }: WrittenProps) {
  const [written, setWritten] = useState<string | null>(null);
  const commit = () => {
    if (written !== null && written !== value) onWritten(written);
    setWritten(null);
  };
  return (
    <TextField
      {...field}
      value={written ?? value}
      onChange={setWritten}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === 'Enter') commit();
      }}
    />
  );
}
