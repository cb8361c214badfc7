/** The summary of one webhook: notices, traffic, latest events and test events. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { useEventName } from '../../ui/data/event-name.ts';
import { Card } from '../../ui/layout/card.tsx';
import { DescriptionList } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { EventStateBadge } from '../../ui/data/state-badge.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import type { Webhook } from './webhook-actions.tsx';
import { Notices } from './notices.tsx';
import { TestEvents } from './test-events.tsx';
import { Traffic } from './traffic.tsx';
import styles from './summary.module.css';

const pollIntervalMs = 10_000;

export function Summary() {
  const { id = '' } = useParams();
  const webhook = useApiQuery('getWebhook', { params: { id } });
  if (!webhook.data) return <Loading />;
  return <Overview webhook={webhook.data} />;
}

function Overview({ webhook }: { readonly webhook: Webhook }) {
  const { setup, status } = webhook;
  return (
    <RevealTogether>
      <Notices webhook={webhook} />
      <Traffic webhookId={webhook.id} />
      <div className={styles.summaryColumns}>
        <Latest webhookId={webhook.id} />
        <div className="stack">
          <About webhook={webhook} />
          {setup.mapping && status !== 'archived' && <TestEvents webhookId={webhook.id} />}
        </div>
      </div>
    </RevealTogether>
  );
}

function Latest({ webhookId }: { readonly webhookId: string }) {
  const { formatMessage } = useIntl();
  const nameOf = useEventName();
  const events = useApiQuery(
    'listEvents',
    { query: { webhookId: [webhookId], per_page: 8, sort_by: '-receivedAt' } },
    { refetchInterval: pollIntervalMs },
  );
  return (
    <Card
      title={formatMessage({ id: 'webhook.latest' })}
      actions={
        <LinkButton isSmall variant="quiet" href={`/events?webhookId=${webhookId}`}>
          {formatMessage({ id: 'webhook.allEvents' })}
        </LinkButton>
      }
    >
      {events.isPending && <Loading />}
      {events.isError && !events.data && (
        <ErrorNote error={events.error} onRetry={() => void events.refetch()} />
      )}
      {events.data?.results.length === 0 && (
        <p className="soft">{formatMessage({ id: 'webhook.noEvents' })}</p>
      )}
      {events.data && events.data.results.length > 0 && (
        <ul className={styles.summaryEvents}>
          {events.data.results.map((event) => (
            <li key={event.id}>
              <EventStateBadge state={event.state} />
              <Link href={`/events/${event.id}`} className="clip">
                {event.externalId ?? nameOf(event)}
              </Link>
              <span className="soft small">
                <RelativeTime at={event.receivedAt} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function About({ webhook }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const { id, channelId, producerProfile, activeVersion, createdAt } = webhook;
  const mayKeys = useHasScope('operator');
  const channel = useApiQuery('getChannel', { params: { id: channelId } });
  const producers = useApiQuery('getProducers', {});
  const producer = producers.data?.producers.find(({ name }) => name === producerProfile);
  const label = (part: string) => formatMessage({ id: `webhook.about.${part}` });
  return (
    <Card title={label('title')}>
      <DescriptionList
        items={[
          [
            label('channel'),
            <Link key="channel" href={`/channels/${channelId}`}>
              {channel.data?.name ?? (channel.isError ? label('channelGone') : '…')}
            </Link>,
          ],
          [
            label('producer'),
            producerProfile === 'generic' ? label('anySender') : (producer?.title ?? '…'),
          ],
          [
            label('version'),
            activeVersion === null ? (
              label('noVersion')
            ) : (
              <Link key="version" href={`/webhooks/${id}/versions`}>
                {formatMessage({ id: 'webhook.about.versionOf' }, { version: activeVersion })}
              </Link>
            ),
          ],
          [label('createdAt'), <Timestamp key="at" at={createdAt} />],
          ...(mayKeys
            ? [
                [
                  label('url'),
                  <Link key="url" href={`/webhooks/${id}/keys`}>
                    {label('urlHidden')}
                  </Link>,
                ] as const,
              ]
            : []),
        ]}
      />
    </Card>
  );
}
