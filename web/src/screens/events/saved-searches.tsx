/** Searches that this browser keeps under a name. */
import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { useStoredValue } from '../../ui/forms/use-stored-value.ts';
import { Dialog } from '../../ui/overlays/dialog.tsx';
import { activeFilters, filtersOf } from './event-filters.ts';
import styles from './events.module.css';

type SavedSearch = { readonly name: string; readonly filters: string };

const maxSaved = 20;
const maxName = 60;

const isSaved = (one: unknown): one is SavedSearch => {
  const { name, filters } = (one ?? {}) as Partial<Readonly<Record<string, unknown>>>;
  return typeof name === 'string' && typeof filters === 'string';
};
const parse = (stored: unknown): readonly SavedSearch[] =>
  Array.isArray(stored) ? stored.filter(isSaved).slice(0, maxSaved) : [];

type Props = {
  readonly address: URLSearchParams;
  readonly onChange: (address: URLSearchParams) => void;
};

export function SavedSearches({ address, onChange }: Props) {
  const { formatMessage } = useIntl();
  const [saved, store] = useStoredValue('inlet.events.searches', parse);
  const [isNaming, setNaming] = useState(false);
  const filters = filtersOf(address);
  const isNew = activeFilters(address).length > 0 && !saved.some((one) => one.filters === filters);
  return (
    <>
      {saved.map((one) => (
        <span key={one.name} className={styles.saved}>
          <Button
            isSmall
            aria-pressed={one.filters === filters}
            onPress={() => onChange(new URLSearchParams(one.filters))}
          >
            <Bookmark aria-hidden />
            {one.name}
          </Button>
          <IconButton
            isSmall
            label={formatMessage({ id: 'events.saved.delete' }, { name: one.name })}
            onPress={() => store(saved.filter(({ name }) => name !== one.name))}
          >
            <X aria-hidden />
          </IconButton>
        </span>
      ))}
      {isNew && saved.length < maxSaved && (
        <Button isSmall variant="quiet" onPress={() => setNaming(true)}>
          <Bookmark aria-hidden />
          {formatMessage({ id: 'events.saved.save' })}
        </Button>
      )}
      {isNaming && (
        <NameDialog
          onClose={() => setNaming(false)}
          onName={(name) => {
            store([...saved.filter((one) => one.name !== name), { name, filters }]);
            setNaming(false);
          }}
        />
      )}
    </>
  );
}

type NameProps = { readonly onName: (name: string) => void; readonly onClose: () => void };

function NameDialog({ onName, onClose }: NameProps) {
  const { formatMessage } = useIntl();
  const [name, setName] = useState('');
  return (
    <Dialog title={formatMessage({ id: 'events.saved.save' })} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (name.trim() !== '') onName(name.trim());
        }}
      >
        <TextField
          label={formatMessage({ id: 'events.saved.name' })}
          hint={formatMessage({ id: 'events.saved.hint' })}
          value={name}
          maxLength={maxName}
          onChange={setName}
        />
        <div className="actions">
          <Button onPress={onClose}>{formatMessage({ id: 'ui.cancel' })}</Button>
          <Button variant="primary" type="submit" isDisabled={name.trim() === ''}>
            {formatMessage({ id: 'ui.save' })}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
