/** The effects of an event: contact, chat, message, and the delivery of the message. */
import { RotateCcw } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiMutation, useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { DeliveryStateBadge } from '../../ui/data/state-badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote, errorMessage } from '../../ui/feedback/error-note.tsx';
import { reasonAdvice, reasonText } from '../../ui/reasons/reasons.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';

type Event = Answer<'getEvent'>;
type Made = NonNullable<Event['effects']>;

export function Effects({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const { effects, webhookId, test } = event;
  const title = formatMessage({ id: 'event.effects' });
  const webhook = useApiQuery(
    'getWebhook',
    { params: { id: webhookId } },
    { skipFocusRefetch: true },
  );
  const channelId = webhook.data?.channelId ?? '';
  const channel = useApiQuery(
    'getChannel',
    { params: { id: channelId } },
    { enabled: channelId !== '' && effects !== null, skipFocusRefetch: true },
  );
  if (effects === null) {
    return (
      <Card title={title}>
        <p className="soft">{formatMessage({ id: 'event.noEffects' })}</p>
      </Card>
    );
  }
  const isOutside = channel.data !== undefined && channel.data.kind !== 'inbox' && !test;
  return (
    <Card title={title}>
      <Links effects={effects} channel={channel.data?.name} />
      {isOutside && <Outside messageId={effects.messageId} />}
    </Card>
  );
}

function Links({
  effects,
  channel,
}: {
  readonly effects: Made;
  readonly channel: string | undefined;
}) {
  const { formatMessage } = useIntl();
  const mayRead = useHasScope('inbox');
  const { contactId, chatId, messageId } = effects;
  const contact = useApiQuery(
    'getContact',
    { params: { id: contactId } },
    { skipFocusRefetch: true },
  );
  const name = contact.data?.name ?? formatMessage({ id: 'event.namelessContact' });
  const chat = `/inbox?chat=${chatId}`;
  const facts: Description[] = [
    [
      formatMessage({ id: 'event.contact' }),
      <Link key="contact" href={`/contacts/${contactId}`}>
        {contact.isPending ? '…' : name}
      </Link>,
    ],
    [
      formatMessage({ id: 'event.chat' }),
      mayRead ? (
        <Link key="chat" href={`${chat}#${messageId}`}>
          {formatMessage({ id: 'event.openChat' })}
        </Link>
      ) : (
        <code key="chat">{chatId}</code>
      ),
    ],
    ...(channel === undefined
      ? []
      : [[formatMessage({ id: 'event.channel' }), channel] as const satisfies Description]),
  ];
  return <DescriptionList items={facts} />;
}

/** Its delivery has the id of the message. */
function Outside({ messageId }: { readonly messageId: string }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const mayRetry = useHasScope('operator');
  const delivery = useApiQuery('getDelivery', { params: { id: messageId } });
  const retry = useApiMutation('retryDelivery', {
    invalidates: ['getDelivery'],
    onDone: () => showToast(formatMessage({ id: 'event.delivery.retried' })),
  });
  if (delivery.isError) return <ErrorNote error={delivery.error} />;
  if (!delivery.data) return null;
  const { state, reason, attempts, nextAt, finishedAt } = delivery.data;
  return (
    <section className="stack tight" aria-label={formatMessage({ id: 'event.delivery' })}>
      <h3>{formatMessage({ id: 'event.delivery' })}</h3>
      <div className="row">
        <DeliveryStateBadge delivery={delivery.data} />
        <span className="small soft">
          {formatMessage({ id: 'event.delivery.attempts' }, { count: attempts })}
        </span>
        {finishedAt !== null && (
          <span className="small soft">
            <Timestamp at={finishedAt} />
          </span>
        )}
        {state === 'waiting' && nextAt !== null && (
          <span className="small soft">
            {formatMessage({ id: 'event.retryAt' })} <RelativeTime at={nextAt} />
          </span>
        )}
      </div>
      {reason !== null && (
        <p className="break" title={reason}>
          {reasonText(intl, reason)}. <span className="soft">{reasonAdvice(intl, reason)}</span>
        </p>
      )}
      {state === 'dead' && mayRetry && (
        <div>
          <Button
            isSmall
            isDisabled={retry.isPending}
            onPress={() => retry.mutate({ params: { id: messageId }, body: {} })}
          >
            <RotateCcw aria-hidden />
            {formatMessage({ id: 'event.delivery.retry' })}
          </Button>
        </div>
      )}
      {retry.isError && (
        <p role="alert">{errorMessage(retry.error, formatMessage({ id: 'ui.noAnswer' }))}</p>
      )}
    </section>
  );
}
