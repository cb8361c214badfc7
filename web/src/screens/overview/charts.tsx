/** Received events and outcomes as a chart, and as a table. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { Bars } from '../../ui/data/chart.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { endOf, periodsOf, type Counts, type Period, type TimeRange } from './time-range.ts';
import styles from './overview.module.css';

type Props = { readonly series: readonly Counts[]; readonly range: TimeRange };

export function Charts({ series, range }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const periods = periodsOf(series, range);
  const total = (name: Exclude<keyof Period, 'at'>) =>
    periods.reduce((sum, one) => sum + one[name], 0);
  const counts = {
    received: total('received'),
    done: total('done') + total('ignored'),
    dead: total('dead'),
  };
  return (
    <div className="stack tight">
      <Card
        title={formatMessage({ id: 'overview.chart' })}
        actions={
          <ul className={clsx('row small soft', styles.bare)}>
            {(['received', 'done', 'dead'] as const).map((id) => (
              <li key={id} className={clsx(styles.legend, styles[id])}>
                {formatMessage({ id: `overview.legend.${id}` })}
              </li>
            ))}
          </ul>
        }
      >
        <Bars
          label={formatMessage({ id: 'overview.chart.label' }, counts)}
          bars={periods.map(({ at, received, done, ignored, dead }) => ({
            at,
            one: done + ignored,
            two: dead,
            line: received,
            href: `/events?${new URLSearchParams({ from: at, to: endOf(at, range) }).toString()}`,
          }))}
          text={({ at, one, two = 0, line = 0 }) =>
            formatMessage(
              { id: 'overview.bar' },
              {
                at: formatDate(at, { dateStyle: 'medium', timeStyle: 'short' }),
                received: line,
                done: one,
                dead: two,
              },
            )
          }
        />
      </Card>
      <Figures periods={periods} />
    </div>
  );
}

/** Empty buckets are left out. */
function Figures({ periods }: { readonly periods: readonly Period[] }) {
  const { formatMessage, formatNumber } = useIntl();
  const rows = periods
    .filter((one) => one.received + one.duplicates + one.done + one.ignored + one.dead > 0)
    .toReversed();
  const names = ['received', 'done', 'ignored', 'duplicates', 'dead'] as const;
  const columns: Column<Period>[] = [
    {
      id: 'at',
      label: formatMessage({ id: 'overview.from' }),
      cell: (row) => <Timestamp at={row.at} />,
    },
    ...names.map((id) => ({
      id,
      label: formatMessage({ id: `overview.${id}` }),
      isEnd: true,
      cell: (row: Period) => formatNumber(row[id]),
    })),
  ];
  return (
    <details className={styles.figures}>
      <summary>{formatMessage({ id: 'overview.asTable' })}</summary>
      {rows.length === 0 ? (
        <p className="soft">{formatMessage({ id: 'overview.quiet' })}</p>
      ) : (
        <Table
          label={formatMessage({ id: 'overview.asTable' })}
          columns={columns}
          rows={rows}
          idOf={(row) => row.at}
        />
      )}
    </details>
  );
}
