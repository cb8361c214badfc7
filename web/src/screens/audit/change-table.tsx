/** Before and after, leaf by leaf, always as text. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { Table, type Column } from '../../ui/data/table.tsx';
import { differencesOf, type Difference, type Row } from './audit-rows.ts';
import styles from './audit.module.css';

export function ChangeTable({ row }: { readonly row: Row }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `audit.${id}` });
  const differences = differencesOf(row);
  if (differences.length === 0) return <p className="soft">{label('noChange')}</p>;
  const path: Column<Difference> = {
    id: 'path',
    label: label('field'),
    cell: (one) => <code className="break">{one.path}</code>,
  };
  const before: Column<Difference> = {
    id: 'before',
    label: label('before'),
    cell: (one) => <Value text={one.before} kind="gone" />,
  };
  const after: Column<Difference> = {
    id: 'after',
    label: label('after'),
    cell: (one) => <Value text={one.after} kind="new" />,
  };
  const columns = [
    path,
    ...(row.before === null ? [] : [before]),
    ...(row.after === null ? [] : [after]),
  ];
  return (
    <Table label={label('changes')} columns={columns} rows={differences} idOf={(one) => one.path} />
  );
}

function Value({ text, kind }: { readonly text: string | null; readonly kind: 'gone' | 'new' }) {
  if (text === null) return <span className="soft">—</span>;
  return kind === 'gone' ? (
    <del className={clsx(styles.value, styles.gone)}>{text}</del>
  ) : (
    <ins className={clsx(styles.value, styles.new)}>{text}</ins>
  );
}
