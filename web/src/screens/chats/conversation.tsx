/** Messages as bubbles grouped by day, newest last. Older pages are loaded on request. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { client, type Answer } from '../../api/client.ts';
import { useLive } from '../../api/use-live.ts';
import { useInvalidate } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { useLanguage } from '../../i18n/language.ts';
import { useWebhookName } from '../contacts/resource-names.ts';
import { ContactValue } from '../contacts/contact-value.tsx';

type Message = Answer<'listContactChatMessages'>['results'][number];
type Props = { readonly contactId: string; readonly chatId: string; readonly name: string };
const perPage = 50;

function useMessages(contactId: string, chatId: string) {
  const language = useLanguage();
  const params = { id: contactId, chatId };
  return useInfiniteQuery({
    queryKey: ['listContactChatMessages', { params }, language],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call('listContactChatMessages', {
        params,
        query: { per_page: perPage, current_page: pageParam },
        signal,
      }),
    getNextPageParam: ({ pagings }) =>
      pagings.current_page < pagings.total_pages ? pagings.current_page + 1 : undefined,
  });
}

/** New messages shift the pages, so a message may be in two of them. */
function inTime(pages: readonly { readonly results: readonly Message[] }[]): Message[] {
  const all = new Map(pages.flatMap(({ results }) => results.map((one) => [one.id, one])));
  return [...all.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

export function Conversation({ contactId, chatId, name }: Props) {
  const { formatMessage } = useIntl();
  const read = useMessages(contactId, chatId);
  const refresh = useInvalidate();
  const mayWatch = useHasScope('viewer');
  useLive('watchEvents', mayWatch ? { query: { contactId: [contactId] } } : null, () =>
    refresh('listContactChatMessages', 'getContactChat'),
  );
  const messages = read.data ? inTime(read.data.pages) : [];
  const frame = useEnd(messages);
  const label = formatMessage({ id: 'contacts.chatWith' }, { name });
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard
    <section className="conversation" ref={frame} tabIndex={0} aria-label={label}>
      {read.isPending && <Loading />}
      {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
      {read.hasNextPage && (
        <div className="older">
          <Button
            isSmall
            isDisabled={read.isFetchingNextPage}
            onPress={() => void read.fetchNextPage()}
          >
            {formatMessage({ id: 'contacts.older' })}
          </Button>
        </div>
      )}
      {read.data && messages.length === 0 && (
        <p className="soft">{formatMessage({ id: 'contacts.noMessages' })}</p>
      )}
      <Days messages={messages} name={name} />
    </section>
  );
}

/** Starts at the end, and keeps the scroll position when older messages are added above. */
function useEnd(messages: readonly Message[]) {
  const frame = useRef<HTMLElement>(null);
  const before = useRef({ height: 0, last: '' });
  const last = messages.at(-1)?.id ?? '';
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || last === '') return;
    const grown = current.scrollHeight - before.current.height;
    if (before.current.last !== last) current.scrollTop = current.scrollHeight;
    else if (current.scrollTop < grown) current.scrollTop += grown;
    before.current = { height: current.scrollHeight, last };
  }, [messages.length, last]);
  return frame;
}

function Days({
  messages,
  name,
}: {
  readonly messages: readonly Message[];
  readonly name: string;
}) {
  const { formatDate } = useIntl();
  const dayOf = ({ at }: Message) =>
    formatDate(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const days = new Map<string, Message[]>();
  for (const message of messages) {
    const day = dayOf(message);
    days.set(day, [...(days.get(day) ?? []), message]);
  }
  return (
    <>
      {[...days].map(([day, messagesOfDay]) => (
        <div key={day} className="day">
          <h2>{day}</h2>
          <ol>
            {messagesOfDay.map((message) => (
              <Bubble key={message.id} message={message} name={name} />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}

const deliveryTones: Readonly<Record<string, Tone>> = { delivered: 'good', dead: 'bad' };

function Bubble({ message, name }: { readonly message: Message; readonly name: string }) {
  const { formatMessage, formatTime, formatDate } = useIntl();
  const webhookOf = useWebhookName();
  const mayOpen = useHasScope('viewer');
  const { from, text, at, eventId, webhookId, delivery } = message;
  const who = from === 'client' ? name : formatMessage({ id: `contacts.from.${from}` });
  const webhook = webhookId === null ? '' : webhookOf(webhookId);
  return (
    <li className={`bubble ${from}`}>
      <span className="hidden-visually">{formatMessage({ id: 'contacts.says' }, { who })} </span>
      <ContactValue>{text}</ContactValue>
      <span className="bubble-foot">
        <time dateTime={at} title={formatDate(at, { dateStyle: 'full', timeStyle: 'long' })}>
          {formatTime(at)}
        </time>
        {mayOpen && eventId !== null && (
          <Link href={`/events/${eventId}`}>
            {formatMessage({ id: 'contacts.sourceEvent' }, { webhook })}
          </Link>
        )}
        {delivery !== null && (
          <Badge tone={deliveryTones[delivery.state] ?? 'info'}>
            {formatMessage({ id: `contacts.delivery.${delivery.state}` })}
          </Badge>
        )}
      </span>
    </li>
  );
}
