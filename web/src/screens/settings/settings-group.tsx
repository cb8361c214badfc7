/** The frame of a group of settings: summary, fields and saving. */
import type { FormEvent, ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { FieldConflict, SettingsGroupState } from './use-settings-group.ts';
import styles from './settings.module.css';

type FrameProps = {
  /** The message prefix: `settings.<name>` and `settings.<name>.what`. */
  readonly name: string;
  readonly group: Omit<SettingsGroupState<object>, 'draft' | 'set'>;
  readonly isFixed: boolean;
  /** The current effect in one sentence. */
  readonly meaning: ReactNode;
  readonly children: ReactNode;
};

/** In the URL. */
export const settingsAnchor = (name: string): string => `settings-${name}`;

export function SettingsGroup({ name, group, isFixed, meaning, children }: FrameProps) {
  const { formatMessage } = useIntl();
  const title = formatMessage({ id: `settings.${name}` });
  const { error, late, isChanged, canSave } = group;
  function submit(event: FormEvent) {
    event.preventDefault();
    if (canSave) void group.save();
  }
  return (
    <Card title={title} id={settingsAnchor(name)}>
      <form className={styles.settingsGroup} onSubmit={submit}>
        <div className="stack tight">
          <p className={styles.meaning} role="status">
            {meaning}
          </p>
          <details className={styles.help}>
            <summary>{formatMessage({ id: 'settings.help' })}</summary>
            <p className="soft">{formatMessage({ id: `settings.${name}.what` })}</p>
          </details>
        </div>
        <div className="stack">
          {children}
          {error !== null && <ErrorNote error={error} />}
          {late && <Late contested={late} />}
          {isChanged && !isFixed && (
            <div className="row">
              <Button
                type="submit"
                variant="primary"
                isDisabled={!canSave}
                aria-label={formatMessage({ id: 'settings.saveOne' }, { title })}
              >
                {formatMessage({ id: 'ui.save' })}
              </Button>
              <Button onPress={group.discard}>{formatMessage({ id: 'settings.discard' })}</Button>
            </div>
          )}
        </div>
      </form>
    </Card>
  );
}

/** Conflicting values side by side; the input stays in its field. */
function Late({ contested }: { readonly contested: readonly FieldConflict[] }) {
  const { formatMessage } = useIntl();
  const shown = (text: string) =>
    text === '' ? formatMessage({ id: 'settings.usual' }) : text.slice(0, 200);
  return (
    <Note tone="warn" isLive>
      <p>{formatMessage({ id: 'settings.late' })}</p>
      {contested.length > 0 && (
        <ul>
          {contested.map(({ name, theirs, yours }) => (
            <li key={name}>
              {formatMessage(
                { id: 'settings.lateBoth' },
                { name: formatMessage({ id: name }), theirs: shown(theirs), yours: shown(yours) },
              )}
            </li>
          ))}
        </ul>
      )}
    </Note>
  );
}

/** Empty: the default. */
export const isWhole = (text: string, [min, limit]: readonly [number, number]): boolean =>
  text.trim() === '' || (/^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= limit);

export const parseWhole = (text: string): number | null =>
  text.trim() === '' ? null : Number(text.trim());

export const textOf = (value: number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);

type WholeProps = {
  readonly label: string;
  readonly hint?: string;
  readonly value: string;
  readonly onChange: (text: string) => void;
  readonly range: readonly [number, number];
  /** The effective value while empty. */
  readonly defaultText?: string;
  readonly problem?: string | undefined;
  readonly isDisabled: boolean;
};

export function WholeNumberField({ range, value, defaultText, problem, ...props }: WholeProps) {
  const { formatMessage } = useIntl();
  const [min, limit] = range;
  const wrong = formatMessage({ id: 'settings.notWhole' }, { min, limit });
  return (
    <TextField
      {...props}
      value={value}
      inputMode="numeric"
      placeholder={defaultText}
      problem={isWhole(value, range) ? problem : wrong}
    />
  );
}
