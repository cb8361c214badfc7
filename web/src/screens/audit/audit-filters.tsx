/** Filters of the audit log, kept in the URL. */
import { useIntl } from 'react-intl';
import type { useSearchParams } from 'react-router';
import { Button } from '../../ui/forms/button.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { useActionName } from './action-names.ts';
import { actions, targetTypes } from './audit-rows.ts';
import styles from './audit.module.css';

type Props = {
  readonly search: URLSearchParams;
  readonly setSearch: ReturnType<typeof useSearchParams>[1];
};

const names = ['actor', 'action', 'target', 'id', 'from', 'to'] as const;

export function AuditFilters({ search, setSearch }: Props) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `audit.${id}` });
  const actionName = useActionName();
  const value = (name: (typeof names)[number]) => search.get(name) ?? '';
  const set = (name: (typeof names)[number]) => (text: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    if (text === '') next.delete(name);
    else next.set(name, text);
    setSearch(next, { replace: true });
  };
  const all = { id: '', label: formatMessage({ id: 'ui.all' }) };
  return (
    <search className={styles.auditFilters} aria-label={label('filters')}>
      <Select
        label={label('action')}
        choices={[all, ...actions.map((id) => ({ id, label: actionName(id) }))]}
        value={value('action')}
        onChange={set('action')}
      />
      <Select
        label={label('target')}
        choices={[all, ...targetTypes.map((id) => ({ id, label: label(`target.${id}`) }))]}
        value={value('target')}
        onChange={set('target')}
      />
      <TextField label={label('actor')} value={value('actor')} onChange={set('actor')} />
      <TextField label={label('id')} value={value('id')} onChange={set('id')} />
      <TextField type="date" label={label('from')} value={value('from')} onChange={set('from')} />
      <TextField type="date" label={label('to')} value={value('to')} onChange={set('to')} />
      {names.some((name) => search.has(name)) && (
        <div>
          <Button isSmall onPress={() => setSearch({})}>
            {label('clear')}
          </Button>
        </div>
      )}
    </search>
  );
}
