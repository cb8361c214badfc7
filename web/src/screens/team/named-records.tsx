/** The list of sectors, and that of labels. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { placeholderFor } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useHasScope, useIsRestricted } from '../../session/session.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { SearchByName, useListAddress } from './list-address.tsx';
import { labelKind, sectorKind, type NamedRecord, type RecordKind } from './named-record.ts';
import { NamedRecordDialog } from './named-record-dialog.tsx';
import { TeamFrame } from './team-frame.tsx';
import styles from './team.module.css';

type Of = { readonly kind: RecordKind };

export const Sectors = () => <NamedRecords kind={sectorKind} />;
export const Labels = () => <NamedRecords kind={labelKind} />;

function NamedRecords({ kind }: Of) {
  const { formatMessage } = useIntl();
  const mayChange = useMayChange();
  /** Null: no dialog. `new`: a dialog for a record that does not exist yet. */
  const [edited, setEdited] = useState<NamedRecord | 'new' | null>(null);
  const [deleted, setDeleted] = useState<NamedRecord | null>(null);
  return (
    <TeamFrame
      part={kind.part}
      actions={
        mayChange && (
          <Button variant="primary" onPress={() => setEdited('new')}>
            {formatMessage({ id: `team.${kind.part}.new` })}
          </Button>
        )
      }
    >
      <List kind={kind} onEdit={setEdited} onDelete={setDeleted} />
      {edited !== null && (
        <NamedRecordDialog
          kind={kind}
          record={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
        />
      )}
      {deleted && (
        <DeleteDialog
          name={deleted.name}
          operation={kind.deletion(deleted.id)}
          affected={kind.affected}
          onClose={() => setDeleted(null)}
        />
      )}
    </TeamFrame>
  );
}

/** Sectors and labels are of all channels. */
function useMayChange(): boolean {
  const hasScope = useHasScope('inbox');
  return !useIsRestricted() && hasScope;
}

type ListProps = Of & {
  readonly onEdit: (record: NamedRecord) => void;
  readonly onDelete: (record: NamedRecord) => void;
};

function List({ kind, ...actions }: ListProps) {
  const { formatMessage } = useIntl();
  const language = useLanguage();
  const address = useListAddress();
  const { search, paging, setPage } = address;
  const [operation] = kind.affected;
  const queryKey = [operation, { ...paging, search }, language];
  const records = useQuery({
    queryKey,
    queryFn: ({ signal }) => kind.list(paging, search.trim(), signal),
    placeholderData: placeholderFor(queryKey, { keepPrevious: true }),
  });
  if (records.isPending) return <Loading />;
  if (records.isError)
    return <ErrorNote error={records.error} onRetry={() => void records.refetch()} />;
  const { results, pagings } = records.data;
  if (results.length === 0 && search === '') {
    return (
      <EmptyState title={formatMessage({ id: `team.${kind.part}.none` })}>
        {formatMessage({ id: `team.${kind.part}.none.hint` })}
      </EmptyState>
    );
  }
  return (
    <>
      <SearchByName {...address} />
      {results.length === 0 && <p className="soft">{formatMessage({ id: 'team.noMatch' })}</p>}
      {results.length > 0 && <RecordTable kind={kind} records={results} {...actions} />}
      <Pagination pagings={pagings} onPage={setPage} />
    </>
  );
}

type TableProps = ListProps & { readonly records: readonly NamedRecord[] };

function RecordTable({ kind, records, onEdit, onDelete }: TableProps) {
  const { formatMessage } = useIntl();
  const mayChange = useMayChange();
  const label = (id: string) => formatMessage({ id: `team.${id}` });
  const columns: Column<NamedRecord>[] = [
    {
      id: 'name',
      label: label('name'),
      cell: ({ name, color }) => (
        <span className="break">
          <span className={styles.teamDot} style={{ backgroundColor: color }} /> {name}
        </span>
      ),
    },
    {
      id: 'status',
      label: label('status'),
      onPhone: 'corner',
      cell: ({ isActive }) => (
        <Badge tone={isActive ? 'good' : 'plain'}>
          {label(`status.${isActive ? 'active' : 'disabled'}`)}
        </Badge>
      ),
    },
    {
      id: 'do',
      label: label('actions'),
      isEnd: true,
      onPhone: 'line',
      cell: (record) => (
        <span className="row-actions">
          <Button
            isSmall
            aria-label={formatMessage({ id: 'team.editOne' }, { name: record.name })}
            onPress={() => onEdit(record)}
          >
            {label('edit')}
          </Button>
          <Button
            isSmall
            variant="danger"
            aria-label={formatMessage({ id: 'team.deleteOne' }, { name: record.name })}
            onPress={() => onDelete(record)}
          >
            {label('delete')}
          </Button>
        </span>
      ),
    },
  ];
  const shown = mayChange ? columns : columns.filter(({ id }) => id !== 'do');
  return <Table label={label(kind.part)} columns={shown} rows={records} idOf={({ id }) => id} />;
}
