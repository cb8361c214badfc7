/** Creates or edits a sector or a label. */
import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { ColorSwatch, ColorSwatchPicker, ColorSwatchPickerItem } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useInvalidate } from '../../api/use-api.ts';
import { Checkbox, TextField } from '../../ui/forms/field.tsx';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { FormFooter } from '../../ui/overlays/form-footer.tsx';
import type { NamedRecord, NamedRecordDraft, RecordKind } from './named-record.ts';
import styles from './team.module.css';

type Props = {
  readonly kind: RecordKind;
  /** Null: creates one. */
  readonly record: NamedRecord | null;
  readonly onClose: () => void;
};

const colors = [
  '#3a7bd5',
  '#0b8a7a',
  '#3f9142',
  '#b7791f',
  '#d9622b',
  '#d64545',
  '#c2408f',
  '#7c4dbd',
  '#5b6b7a',
] as const;
const [firstColor] = colors;

export function NamedRecordDialog({ kind, record, onClose }: Props) {
  const { formatMessage } = useIntl();
  const refresh = useInvalidate();
  const [draft, setDraft] = useState<NamedRecordDraft>(
    record ?? { name: '', color: firstColor, isActive: true },
  );
  const save = useMutation({
    mutationFn: (given: NamedRecordDraft) =>
      record === null ? kind.create(given) : kind.update(record.id, given),
    onSuccess: () => {
      showToast(formatMessage({ id: 'team.saved' }, { name: draft.name.trim() }));
      refresh(...kind.affected);
      onClose();
    },
  });
  const label = (id: string) => formatMessage({ id: `team.${id}` });
  const set = (change: Partial<NamedRecordDraft>) => setDraft({ ...draft, ...change });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (draft.name.trim() !== '') save.mutate({ ...draft, name: draft.name.trim() });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={
        record === null
          ? label(`${kind.part}.new`)
          : formatMessage({ id: 'team.editOne' }, { name: record.name })
      }
    >
      <form className="stack" onSubmit={submit}>
        <TextField
          label={label('name')}
          isRequired
          maxLength={100}
          value={draft.name}
          onChange={(name) => set({ name })}
          hint={label(`${kind.part}.name.hint`)}
        />
        <ColorChoice color={draft.color} onChange={(color) => set({ color })} />
        {record !== null && (
          <Checkbox
            isSelected={draft.isActive}
            onChange={(isActive) => set({ isActive })}
            hint={label('records.active.hint')}
          >
            {label('active')}
          </Checkbox>
        )}
        <FormFooter error={save.error} isPending={save.isPending} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type ColorProps = { readonly color: string; readonly onChange: (color: string) => void };

/** A color that programs set, and that is not offered, stays until another one is chosen. */
function ColorChoice({ color, onChange }: ColorProps) {
  const { formatMessage } = useIntl();
  const known = colors.find((one) => one === color.toLowerCase());
  return (
    <div className="field">
      <span className="label">{formatMessage({ id: 'team.color' })}</span>
      <ColorSwatchPicker
        className={styles.teamColors}
        aria-label={formatMessage({ id: 'team.color' })}
        {...(known !== undefined && { value: known })}
        onChange={(chosen) => onChange(chosen.toString('hex').toLowerCase())}
      >
        {colors.map((one) => (
          <ColorSwatchPickerItem key={one} color={one} className={styles.teamColor}>
            <ColorSwatch
              style={({ color: shown }) => ({ backgroundColor: shown.toString('css') })}
            />
          </ColorSwatchPickerItem>
        ))}
      </ColorSwatchPicker>
    </div>
  );
}
