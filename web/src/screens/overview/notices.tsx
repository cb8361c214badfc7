/** Alerts, each with a link to the action. */
import type { ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import type { Tone } from '../../ui/tone.ts';
import { useDeadLetterCount } from '../../api/dead-letter-count.ts';
import { pollIntervalMs } from './time-range.ts';

type WebhookCounts = Answer<'countWebhooks'> | undefined;
type Notice = {
  readonly id: string;
  readonly tone: Tone;
  readonly count?: number;
  /** Of the webhook that the notice names. */
  readonly name?: string;
  readonly href?: string;
};

type Known = {
  readonly health: Answer<'getStatsHealth'> | undefined;
  readonly counts: WebhookCounts;
  readonly dead: number;
  readonly rejected: Answer<'listStatsRejections'> | undefined;
};

function noticesOf({ health, counts, dead, rejected }: Known): Notice[] {
  const { draft = 0, sampled = 0, mapped = 0 } = counts?.byStatus ?? {};
  const unfinished = draft + sampled + mapped;
  const held = health?.backlog?.held ?? 0;
  const { total: rejectedCount = 0, results: [most] = [] } = rejected ?? {};
  const all: (Notice | false)[] = [
    health?.mongodb.isUp === false && { id: 'mongodb', tone: 'bad' },
    health?.mongodb.isUp === true && !health.redis.isUp && { id: 'redis', tone: 'bad' },
    health?.mongodb.isUp === true && health.workers === 0 && { id: 'workers', tone: 'warn' },
    dead > 0 && { id: 'dead', tone: 'bad', count: dead, href: '/dead-letters' },
    most !== undefined && {
      id: 'rejected',
      tone: 'warn',
      count: rejectedCount,
      name: most.name,
      href: `/webhooks/${most.webhookId}/rejections`,
    },
    held > 0 && { id: 'held', tone: 'info', count: held, href: '/webhooks?status=paused' },
    unfinished > 0 && {
      id: 'unfinished',
      tone: 'info',
      count: unfinished,
      href: '/webhooks?status=setup',
    },
  ];
  return all.filter((one) => one !== false);
}

/** Whether it gets better: how many events failed in the last hour, and in the hour before. */
function Trend() {
  const { formatMessage } = useIntl();
  const { data } = useApiQuery(
    'getStats',
    { query: { by: 'minute', from: twoHoursAgo() } },
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  if (!data) return null;
  const dead = data.series.map((one) => one.dead);
  const sum = (counts: readonly number[]) => counts.reduce((total, one) => total + one, 0);
  const values = { recent: sum(dead.slice(-60)), before: sum(dead.slice(-120, -60)) };
  return <p className="small soft">{formatMessage({ id: 'overview.trend' }, values)}</p>;
}

const minuteMs = 60_000;
/** Rounded to ten minutes, so that the query key stays stable. */
const twoHoursAgo = () =>
  new Date((Math.floor(Date.now() / minuteMs / 10) - 12) * 10 * minuteMs).toISOString();

/** What the overview does not show in another way. The number is that of the notes that fit. */
const openNotices = {
  state: ['open' as const],
  kind: [
    'sender_silent' as const,
    'mapping_drift' as const,
    'destination_failing' as const,
    'key_ending' as const,
    'backlog_late' as const,
  ],
  per_page: 3,
};

type OpenNotices = Answer<'listNotices'>;

function OpenNotices({ open: { results, pagings } }: { readonly open: OpenNotices }) {
  const { formatMessage } = useIntl();
  if (results.length === 0) return null;
  return (
    <Note tone="warn">
      <ul>
        {results.map(({ id, webhookId, text }) => (
          <li key={id} className="break">
            {webhookId !== null && (
              <>
                <WebhookName id={webhookId} />
                {': '}
              </>
            )}
            {text}
          </li>
        ))}
      </ul>
      <p>
        <Link href="/notices">
          {formatMessage({ id: 'overview.openNotices' }, { count: pagings.total })}
        </Link>
      </p>
    </Note>
  );
}

export function Notices({ counts }: { readonly counts: WebhookCounts }) {
  const { formatMessage } = useIntl();
  const { data: health } = useApiQuery(
    'getStatsHealth',
    {},
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  const dead = useDeadLetterCount();
  const { data: rejected } = useApiQuery(
    'listStatsRejections',
    { query: { per_page: 1 } },
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  const { data: open } = useApiQuery(
    'listNotices',
    { query: openNotices },
    { refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  const notices = noticesOf({ health, counts, dead: dead ?? 0, rejected });
  const isKnown =
    health !== undefined && dead !== undefined && rejected !== undefined && open !== undefined;
  const isWell =
    isKnown && open.pagings.total === 0 && notices.every(({ tone }) => tone === 'info');
  return (
    <>
      {isWell && (
        <Note tone="good">
          <p>{formatMessage({ id: 'overview.well' })}</p>
        </Note>
      )}
      {notices.map(({ id, tone, count, name, href }) => (
        <Note key={id} tone={tone}>
          <p>
            {formatMessage(
              { id: `overview.notice.${id}` },
              {
                count,
                name,
                a: (text: ReactNode[]) => (
                  <Link key={id} href={href ?? '/'}>
                    {text}
                  </Link>
                ),
              },
            )}
          </p>
          {id === 'dead' && <Trend />}
        </Note>
      ))}
      {open && <OpenNotices open={open} />}
    </>
  );
}
