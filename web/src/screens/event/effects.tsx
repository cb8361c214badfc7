/** What the event made: contact, chat and message, and how the message stands on its way to an outside channel. */
import { RotateCcw } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useDo, useRead } from '../../api/use-api.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import {
  Badge,
  Card,
  Facts,
  Failed,
  wordsOf,
  type Fact,
  type Tone,
} from '../../ui/feedback/parts.tsx';
import { reasonAdvice, reasonWords } from '../../ui/reasons/reasons.tsx';
import { Moment, Stamp } from '../../ui/data/time.tsx';
import { tell } from '../../ui/overlays/toast.tsx';

type Event = Answer<'getEvent'>;
type Made = NonNullable<Event['effects']>;

export function Effects({ event }: { readonly event: Event }) {
  const { formatMessage } = useIntl();
  const { effects, webhookId, test } = event;
  const title = formatMessage({ id: 'event.effects' });
  const webhook = useRead('getWebhook', { params: { id: webhookId } }, { isCalm: true });
  const channelId = webhook.data?.channelId ?? '';
  const channel = useRead(
    'getChannel',
    { params: { id: channelId } },
    { enabled: channelId !== '' && effects !== null, isCalm: true },
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
  const mayRead = useMay('inbox');
  const { contactId, chatId, messageId } = effects;
  const contact = useRead('getContact', { params: { id: contactId } }, { isCalm: true });
  const name = contact.data?.name ?? formatMessage({ id: 'event.namelessContact' });
  const chat = `/contacts/${contactId}/chats/${chatId}`;
  const facts: Fact[] = [
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
      : [[formatMessage({ id: 'event.channel' }), channel] as const satisfies Fact]),
  ];
  return <Facts facts={facts} />;
}

const tones: Readonly<Record<string, Tone>> = {
  waiting: 'warn',
  sending: 'info',
  delivered: 'good',
  dead: 'bad',
};

/** Its delivery has the id of the message. */
function Outside({ messageId }: { readonly messageId: string }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const mayRetry = useMay('operator');
  const delivery = useRead('getDelivery', { params: { id: messageId } });
  const retry = useDo('retryDelivery', {
    touches: ['getDelivery'],
    onDone: () => tell(formatMessage({ id: 'event.delivery.retried' })),
  });
  if (delivery.isError) return <Failed error={delivery.error} />;
  if (!delivery.data) return null;
  const { state, reason, attempts, nextAt, finishedAt } = delivery.data;
  return (
    <section className="stack tight" aria-label={formatMessage({ id: 'event.delivery' })}>
      <h3>{formatMessage({ id: 'event.delivery' })}</h3>
      <div className="row">
        <Badge tone={tones[state] ?? 'plain'}>
          {formatMessage({ id: `event.delivery.${state}` })}
        </Badge>
        <span className="small soft">
          {formatMessage({ id: 'event.delivery.attempts' }, { count: attempts })}
        </span>
        {finishedAt !== null && (
          <span className="small soft">
            <Stamp at={finishedAt} />
          </span>
        )}
        {state === 'waiting' && nextAt !== null && (
          <span className="small soft">
            {formatMessage({ id: 'event.retryAt' })} <Moment at={nextAt} />
          </span>
        )}
      </div>
      {reason !== null && (
        <p className="break" title={reason}>
          {reasonWords(intl, reason)}. <span className="soft">{reasonAdvice(intl, reason)}</span>
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
        <p role="alert">{wordsOf(retry.error, formatMessage({ id: 'ui.noAnswer' }))}</p>
      )}
    </section>
  );
}
