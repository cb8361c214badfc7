/** The state of the databases and processes. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import { InletError, type Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { RelativeTime } from '../../ui/data/time.tsx';
import { pollIntervalMs } from './time-range.ts';
import styles from './overview.module.css';

type State = Answer<'getStatsHealth'>;

type HealthProps = {
  /** Another note already says that the server does not answer. */
  readonly isAway?: boolean;
};

export function Health({ isAway = false }: HealthProps) {
  const { formatMessage } = useIntl();
  const health = useApiQuery(
    'getStatsHealth',
    {},
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  // A restricted token may not read health.
  if (health.error instanceof InletError && health.error.status === 403) return null;
  if (isAway && !health.data) return null;
  return (
    <Card title={formatMessage({ id: 'overview.health' })}>
      {health.isPending && <Loading lines={3} />}
      {health.isError && !health.data && (
        <ErrorNote error={health.error} onRetry={() => void health.refetch()} />
      )}
      {health.data && <Lines state={health.data} />}
    </Card>
  );
}

type LineProps = {
  readonly name: string;
  readonly tone: Tone;
  readonly state: string;
  readonly children: React.ReactNode;
};

const Line = ({ name, tone, state, children }: LineProps) => (
  <li>
    <span className="row spread">
      <strong>{name}</strong>
      <Badge tone={tone}>{state}</Badge>
    </span>
    <span className="small soft">{children}</span>
  </li>
);

function Lines({
  state: { mongodb, redis, servers, workers, processes, oldestOpenAt },
}: {
  readonly state: State;
}) {
  const { formatMessage } = useIntl();
  const upOrDown = (isUp: boolean) =>
    formatMessage({ id: isUp ? 'overview.health.up' : 'overview.health.down' });
  const text = (what: string, isUp: boolean) =>
    formatMessage({ id: `overview.health.${what}.${isUp ? 'up' : 'down'}` });
  const since = (role: 'server' | 'worker') =>
    processes
      .filter((one) => one.role === role)
      .map(({ startedAt }) => startedAt)
      .toSorted()
      .at(-1);
  const started = (role: 'server' | 'worker') => {
    const at = since(role);
    return at === undefined ? null : (
      <>
        {formatMessage({ id: 'overview.health.started' })} <RelativeTime at={at} />.
      </>
    );
  };
  return (
    <ul className={clsx(styles.bare, styles.health)}>
      <Line name="MongoDB" tone={mongodb.isUp ? 'good' : 'bad'} state={upOrDown(mongodb.isUp)}>
        {text('mongodb', mongodb.isUp)}
      </Line>
      <Line name="Redis" tone={redis.isUp ? 'good' : 'bad'} state={upOrDown(redis.isUp)}>
        {text('redis', redis.isUp)}{' '}
        {redis.queueDepth !== null &&
          formatMessage({ id: 'overview.health.queue' }, { count: redis.queueDepth })}
      </Line>
      <Line
        name={formatMessage({ id: 'overview.health.workers' })}
        tone={workers > 0 && redis.isUp ? 'good' : 'warn'}
        state={formatMessage({ id: 'overview.health.running' }, { count: workers })}
      >
        {workers > 0 && !redis.isUp
          ? formatMessage({ id: 'overview.health.worker.waits' })
          : text('worker', workers > 0)}{' '}
        {started('worker')}{' '}
        {oldestOpenAt !== null && (
          <>
            {formatMessage({ id: 'overview.health.oldest' })} <RelativeTime at={oldestOpenAt} />.
          </>
        )}
      </Line>
      <Line
        name={formatMessage({ id: 'overview.health.servers' })}
        tone={servers > 0 ? 'good' : 'warn'}
        state={formatMessage({ id: 'overview.health.running' }, { count: servers })}
      >
        {formatMessage({ id: 'overview.health.server' })} {started('server')}
      </Line>
    </ul>
  );
}
