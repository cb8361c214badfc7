/** The webhooks with the most events. */
import { clsx } from 'clsx';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { Sparkline } from '../../ui/data/chart.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { pollIntervalMs, type TimeRange } from './time-range.ts';
import styles from './overview.module.css';

const units = { hour: 'minute', day: 'hour', week: 'hour' } as const;

export function TopWebhooks({ range }: { readonly range: TimeRange }) {
  const { formatMessage } = useIntl();
  const request = { query: { by: units[range], per_page: 5 } };
  const { data } = useApiQuery('listStatsWebhooks', request, {
    refetchInterval: pollIntervalMs,
    keepPrevious: true,
  });
  const span = range === 'hour' ? 'hour' : 'day';
  return (
    <Card title={formatMessage({ id: 'overview.busiest' })}>
      {data?.results.length === 0 && (
        <p className="soft">{formatMessage({ id: 'overview.busiest.none' })}</p>
      )}
      <ul className={clsx(styles.bare, styles.busiest)}>
        {data?.results.map(({ webhookId, name, lastEventAt, totals, received }) => (
          <li key={webhookId}>
            <span className="stack tight">
              <Link href={`/webhooks/${webhookId}`} className="clip">
                {name}
              </Link>
              <span className="small soft">
                {formatMessage(
                  { id: `overview.busiest.${span}` },
                  { count: totals.received, dead: totals.dead },
                )}
                {lastEventAt !== null && (
                  <>
                    {' · '}
                    <RelativeTime at={lastEventAt} />
                  </>
                )}
              </span>
            </span>
            <Sparkline
              values={received}
              label={formatMessage({ id: 'overview.busiest.line' }, { name })}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}
