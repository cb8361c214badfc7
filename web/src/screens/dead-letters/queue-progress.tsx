/** Progress after a replay: the queued events of the webhook, and its dead letters. */
import { useEffect, useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Note } from '../../ui/feedback/note.tsx';

const [soonMs, laterMs] = [2_000, 15_000];
/** By then they are processed, or other events are waiting. */
const closelyForMs = 60_000;
const inQueue = ['received', 'processing', 'waiting'] as const;

/** While the run is running, and for a while after. */
function useIsClose(isRunning: boolean): boolean {
  const [isClose, setClose] = useState(true);
  useEffect(() => {
    if (isRunning) return undefined;
    const timer = setTimeout(() => setClose(false), closelyForMs);
    return () => clearTimeout(timer);
  }, [isRunning]);
  return isClose;
}

type FateProps = { readonly webhookId: string; readonly isRunning: boolean };

export function QueueProgress({ webhookId, isRunning }: FateProps) {
  const { formatMessage } = useIntl();
  const query = { webhookId: [webhookId], state: [...inQueue], per_page: 1 };
  // Events change state between two reads; the second read includes the first.
  const first = useApiQuery('listEvents', { query }, { refetchInterval: laterMs });
  const isMoving = (first.data?.pagings.total ?? 1) > 0;
  const refetchInterval = useIsClose(isRunning) && isMoving ? soonMs : laterMs;
  const { data } = useApiQuery('listEvents', { query }, { refetchInterval });
  const dead = useDeadLetterCounts([webhookId], { refetchInterval })?.count;
  if (!data || dead === undefined) return null;
  const waiting = data.pagings.total;
  return (
    <>
      <p className="row small" role="status">
        <span>{formatMessage({ id: 'dead.webhookEvents' })}</span>
        <Counted
          text={formatMessage({ id: 'dead.webhookEvents.waiting' }, { count: waiting })}
          href={waiting > 0 && `/events?webhookId=${webhookId}&state=${inQueue.join()}`}
        />
        <Counted
          text={formatMessage({ id: 'dead.webhookEvents.dead' }, { count: dead })}
          href={dead > 0 && `/dead-letters?webhookId=${webhookId}`}
        />
      </p>
      {waiting > 0 && <QueueStoppedNote />}
    </>
  );
}

const Counted = ({ text, href }: { readonly text: string; readonly href: string | false }) =>
  href === false ? <span className="soft">{text}</span> : <Link href={href}>{text}</Link>;

/** Why processing is stopped, if known; a restricted token may not ask. */
export function QueueStoppedNote() {
  const { formatMessage } = useIntl();
  const { data } = useApiQuery('getStatsHealth', {}, { refetchInterval: laterMs });
  if (data?.mongodb.isUp !== true || (data.redis.isUp && data.workers > 0)) return null;
  return (
    <Note tone="warn" isLive>
      <p>{formatMessage({ id: data.redis.isUp ? 'dead.noWorker' : 'dead.noRedis' })}</p>
    </Note>
  );
}
