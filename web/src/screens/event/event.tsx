/** One event: state and reason, mapping trace, effects, payload and history. Polled until the event is finished. */
import { clsx } from 'clsx';
import { useEffect } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { LinkButton } from '../../ui/forms/button.tsx';
import { useEventName } from '../../ui/data/event-name.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import {
  codeOf,
  problemText,
  reasonAdvice,
  reasonText,
  targetText,
} from '../../ui/reasons/reasons.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { BatchItems, ParentEvent } from './batch-items.tsx';
import { Effects } from './effects.tsx';
import { EventActions } from '../event-table/event-actions.tsx';
import { EventHistory } from './event-history.tsx';
import { AdjacentEvents } from './adjacent-events.tsx';
import { PayloadCard } from './payload.tsx';
import { EraseRequested } from './erase-requested.tsx';
import { MappingTrace } from './mapping-trace.tsx';
import { Resends } from './resends.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import styles from './event.module.css';

type Event = Answer<'getEvent'>;

/** The polling interval by state. */
const pollIntervalMs: Readonly<Record<string, number>> = {
  received: 1_500,
  processing: 1_500,
  waiting: 5_000,
  held: 15_000,
};

export function EventScreen() {
  const { id = '' } = useParams();
  const found = useApiQuery('getEvent', { params: { id } });
  const { refetch } = found;
  const pause = pollIntervalMs[found.data?.state ?? ''];
  useEffect(() => {
    if (pause === undefined) return undefined;
    const timer = setInterval(() => void refetch(), pause);
    return () => clearInterval(timer);
  }, [pause, refetch]);
  if (found.isPending) return <Loading lines={10} />;
  if (found.isError) return <ErrorNote error={found.error} onRetry={() => void found.refetch()} />;
  return <Whole key={id} event={found.data} />;
}

function Whole({ event }: { readonly event: Event }) {
  return (
    <div className="stack">
      <Head event={event} />
      <RevealTogether>
        <Why event={event} />
        <ParentEvent event={event} />
        <div className={styles.eventColumns}>
          <div className={clsx('stack', styles.eventMain)}>
            <BatchItems event={event} />
            <MappingTrace event={event} />
          </div>
          <div className={clsx('stack', styles.eventSide)}>
            {event.items === null && <Effects event={event} />}
            <About event={event} />
            <EventHistory event={event} />
            <Resends eventId={event.id} count={event.deliveries} />
          </div>
          <div className={clsx('stack', styles.eventCame)}>
            <PayloadCard event={event} />
          </div>
        </div>
      </RevealTogether>
    </div>
  );
}

function Head({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const { eventType, externalId, test, state, receivedAt } = event;
  return (
    <PageHeader
      title={nameOf(event)}
      breadcrumbs={[{ label: formatMessage({ id: 'shell.events' }), href: '/events' }]}
      lead={
        <span className="row" role="status">
          <EventStateBadge state={state} />
          {test && <Badge tone="info">{formatMessage({ id: 'events.test' })}</Badge>}
          {eventType !== null && externalId !== null && (
            <code>
              <BreakableText>{externalId}</BreakableText>
            </code>
          )}
          <span>
            <RelativeTime at={receivedAt} />
          </span>
        </span>
      }
      actions={
        <>
          <AdjacentEvents event={event} />
          <EventActions event={event} />
        </>
      }
    />
  );
}

const toneOf: Readonly<Record<string, 'bad' | 'warn' | 'info'>> = { dead: 'bad', waiting: 'warn' };
const endedByMapping = new Set([
  'required_missing',
  'contact_unidentified',
  'person_empty',
  'filter_failed',
  'split_failed',
  'split_not_array',
  'split_too_late',
  'too_much_work',
  'mapping_unusable',
  'removal_failed',
  'filter',
]);

/** The reason of the state, unreadable values, and the action that fixes it. */
function Why({ event }: { readonly event: Event }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { state, reason, id, parentId, webhookId } = event;
  const problems = event.problems.filter(({ code, target }) => reason !== `${code}:${target}`);
  const hasReason = reason !== null && state !== 'done';
  if (!hasReason && problems.length === 0) return null;
  const isMapping = (reason !== null && endedByMapping.has(codeOf(reason))) || problems.length > 0;
  return (
    <Note tone={toneOf[state] ?? (hasReason ? 'info' : 'warn')}>
      {hasReason && (
        <>
          <h2>{reasonText(intl, reason)}</h2>
          <p>{reasonAdvice(intl, reason)}</p>
        </>
      )}
      {problems.length > 0 && (
        <>
          {!hasReason && <h2>{formatMessage({ id: 'event.problems' })}</h2>}
          <ul>
            {problems.map((problem) => (
              <li key={`${problem.target} ${problem.code}`} title={problem.message}>
                {targetText(intl, problem.target)}: {problemText(intl, problem)}
              </li>
            ))}
          </ul>
        </>
      )}
      {state === 'ignored' && reason === 'removal_requested' && <EraseRequested event={event} />}
      {isMapping && (
        <div>
          <LinkButton isSmall href={`/webhooks/${webhookId}/mapping?event=${parentId ?? id}`}>
            {formatMessage({ id: 'event.fixMapping' })}
          </LinkButton>
        </div>
      )}
    </Note>
  );
}

function About({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const isAdmin = useHasScope('admin');
  const { id, webhookId, receivedAt, eventDate, finishedAt, deliveries } = event;
  const { attempts, attemptHistory } = event;
  const text = (name: string) => formatMessage({ id: `event.about.${name}` });
  const facts: Description[] = [
    [text('webhook'), <WebhookName key="webhook" id={webhookId} />],
    [text('received'), <Timestamp key="received" at={receivedAt} />],
    ...(eventDate === null
      ? []
      : [[text('dated'), <Timestamp key="dated" at={eventDate} />] as const]),
    ...(finishedAt === null
      ? []
      : [[text('finished'), <Timestamp key="finished" at={finishedAt} />] as const]),
    [text('deliveries'), deliveries],
    [text('attempts'), Math.max(attempts, attemptHistory.length)],
    [text('id'), <code key="id">{id}</code>],
    ...(isAdmin
      ? [
          [
            text('audit'),
            <Link key="audit" href={`/audit?targetType=event&targetId=${id}`}>
              {text('toAudit')}
            </Link>,
          ] as const,
        ]
      : []),
  ];
  return (
    <Card title={text('title')}>
      <DescriptionList items={facts} />
    </Card>
  );
}
