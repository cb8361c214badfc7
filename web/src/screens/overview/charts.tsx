/** Received events and outcomes as charts, and as a table. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { Bars, type Bar } from '../../ui/data/chart.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import { periodsOf, type Counts, type Period, type TimeRange } from './time-range.ts';
import styles from './overview.module.css';

type Props = { readonly series: readonly Counts[]; readonly range: TimeRange };

export function Charts({ series, range }: Props) {
  const { formatMessage, formatDate } = useIntl();
  const periods = periodsOf(series, range);
  const total = (name: Exclude<keyof Period, 'at'>) =>
    periods.reduce((sum, one) => sum + one[name], 0);
  const at = (bar: Bar) => formatDate(bar.at, { dateStyle: 'short', timeStyle: 'short' });
  return (
    <div className="stack tight">
      <div className={styles.overviewHalves}>
        <Card title={formatMessage({ id: 'overview.chart.received' })}>
          <Bars
            label={formatMessage({ id: 'overview.chart.receivedIn' }, { count: total('received') })}
            bars={periods.map((one) => ({ at: one.at, one: one.received }))}
            text={(bar) =>
              formatMessage({ id: 'overview.bar.received' }, { at: at(bar), count: bar.one })
            }
          />
        </Card>
        <Card
          title={formatMessage({ id: 'overview.chart.ended' })}
          actions={
            <ul className={clsx('row small soft', styles.bare)}>
              <li className={clsx('one', styles.legend)}>
                {formatMessage({ id: 'overview.legend.done' })}
              </li>
              <li className={clsx(styles.legend, styles.two)}>
                {formatMessage({ id: 'overview.legend.dead' })}
              </li>
            </ul>
          }
        >
          <Bars
            label={formatMessage(
              { id: 'overview.chart.endedIn' },
              { done: total('done') + total('ignored'), dead: total('dead') },
            )}
            bars={periods.map(({ at: start, done, ignored, dead }) => ({
              at: start,
              one: done + ignored,
              two: dead,
            }))}
            text={(bar) =>
              formatMessage(
                { id: 'overview.bar.ended' },
                { at: at(bar), done: bar.one, dead: bar.two ?? 0 },
              )
            }
          />
        </Card>
      </div>
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
