/** The messages of a chat, grouped by day, newest last. Older pages are loaded on request. */
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useIntl } from 'react-intl';
import { client } from '../../api/client.ts';
import { useLanguage } from '../../i18n/language.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Bubble } from './bubble.tsx';
import type { Quoted } from './outbox.ts';
import type { Chat, Message } from './use-chat.ts';
import styles from './chat.module.css';

const perPage = 50;
/** How often the state of a message that has not arrived is read. */
const deliveryPollMs = 5_000;
/** How long after a message its report is read. A phone may be off for days. */
const reportPollMs = 10 * 60_000;

function isUnderWay({ at, delivery }: Message): boolean {
  if (delivery === null) return false;
  const { state, reported } = delivery;
  if (state !== 'delivered') return state !== 'dead';
  const isReportDue = reported === 'accepted' || reported === 'sent';
  return isReportDue && Date.now() - Date.parse(at) < reportPollMs;
}

function useMessages(contactId: string | null, chatId: string) {
  const language = useLanguage();
  const params = { id: contactId ?? '', chatId };
  return useInfiniteQuery({
    queryKey: ['listContactChatMessages', { params }, language],
    enabled: contactId !== null,
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call('listContactChatMessages', {
        params,
        query: { per_page: perPage, current_page: pageParam },
        signal,
      }),
    getNextPageParam: ({ pagings }) =>
      pagings.current_page < pagings.total_pages ? pagings.current_page + 1 : undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages[0]?.results.some(isUnderWay) ? deliveryPollMs : false,
  });
}

/** New messages shift the pages, so a message may be in two of them. */
function inTime(pages: readonly { readonly results: readonly Message[] }[]): Message[] {
  const all = new Map(pages.flatMap(({ results }) => results.map((one) => [one.id, one])));
  return [...all.values()].toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

type Props = {
  readonly chat: Chat;
  readonly name: string;
  /** Null: no message can be quoted. */
  readonly onQuote: ((quoted: Quoted) => void) | null;
};

export function Thread({ chat, name, onQuote }: Props) {
  const { formatMessage } = useIntl();
  const { chat_id: chatId, contact } = chat;
  const read = useMessages(contact?.id ?? null, chatId);
  const messages = read.data ? inTime(read.data.pages) : [];
  const { frame, hasNew, toEnd } = useEnd(messages);
  const label = formatMessage({ id: 'inbox.thread' }, { name });
  return (
    <div className={styles.inboxThreadFrame}>
      <Announcer messages={messages} name={name} />
      {hasNew && (
        <span className={styles.inboxNew}>
          <Button isSmall variant="primary" onPress={toEnd}>
            {formatMessage({ id: 'inbox.newMessages' })}
          </Button>
        </span>
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reached by keyboard */}
      <section className={styles.inboxThread} ref={frame} tabIndex={0} aria-label={label}>
        {contact === null && <p className="soft">{formatMessage({ id: 'inbox.erased' })}</p>}
        {contact !== null && read.isPending && <Loading />}
        {read.isError && <ErrorNote error={read.error} onRetry={() => void read.refetch()} />}
        {read.hasNextPage && (
          <div className={styles.inboxMore}>
            <Button
              isSmall
              isDisabled={read.isFetchingNextPage}
              onPress={() => void read.fetchNextPage()}
            >
              {formatMessage({ id: 'inbox.older' })}
            </Button>
          </div>
        )}
        {read.data && messages.length === 0 && (
          <p className="soft">{formatMessage({ id: 'inbox.noMessages' })}</p>
        )}
        <Days messages={messages} chatId={chatId} name={name} onQuote={onQuote} />
      </section>
    </div>
  );
}

const nearEndPx = 48;

/**
 * Starts at the end and stays there while the content grows; keeps the scroll position when older messages are added
 * above, and when a message of another person arrives while older ones are read.
 */
function useEnd(messages: readonly Message[]) {
  const frame = useRef<HTMLElement>(null);
  const before = useRef({ height: 0, last: '' });
  const isAtEnd = useRef(true);
  const [hasNew, setNew] = useState(false);
  const { id: last = '', from } = messages.at(-1) ?? {};
  const isOwn = from === 'operator';
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current || last === '') return;
    const grown = current.scrollHeight - before.current.height;
    const isNew = before.current.last !== last;
    if (isNew && (isAtEnd.current || isOwn)) current.scrollTop = current.scrollHeight;
    else if (isNew) setNew(true);
    else if (current.scrollTop < grown) current.scrollTop += grown;
    before.current = { height: current.scrollHeight, last };
  }, [messages.length, last, isOwn]);
  // Names and images arrive after the messages.
  useLayoutEffect(() => {
    const { current } = frame;
    if (!current) return undefined;
    const stayAtEnd = () => {
      if (isAtEnd.current) current.scrollTop = current.scrollHeight;
      before.current.height = current.scrollHeight;
    };
    const onScroll = () => {
      const { scrollHeight, scrollTop, clientHeight } = current;
      isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEndPx;
      if (isAtEnd.current) setNew(false);
    };
    const observer = new ResizeObserver(stayAtEnd);
    for (const part of [current, ...current.children]) observer.observe(part);
    current.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      observer.disconnect();
      current.removeEventListener('scroll', onScroll);
    };
  }, [last]);
  return {
    frame,
    /** A message arrived below what is shown. */
    hasNew,
    toEnd: () => frame.current?.scrollTo({ top: frame.current.scrollHeight }),
  };
}

/** Tells screen readers of a message that arrives while the chat is open. */
function Announcer({ messages, name }: Pick<DaysProps, 'messages' | 'name'>) {
  const { formatMessage } = useIntl();
  const known = useRef<string | null>(null);
  const [text, setText] = useState('');
  const last = messages.at(-1);
  useEffect(() => {
    if (!last) return;
    const isNew = known.current !== null && known.current !== last.id;
    known.current = last.id;
    if (isNew && last.from === 'client')
      setText(`${formatMessage({ id: 'inbox.says' }, { who: name })} ${last.text}`);
  }, [last, name, formatMessage]);
  return (
    <p className="hidden-visually" role="status">
      {text}
    </p>
  );
}

type DaysProps = Omit<Props, 'chat'> & {
  readonly chatId: string;
  readonly messages: readonly Message[];
};

function Days({ messages, ...rest }: DaysProps) {
  const { formatDate } = useIntl();
  const dayOf = ({ at }: Message) =>
    formatDate(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
  const days = new Map<string, Message[]>();
  for (const message of messages) {
    const day = dayOf(message);
    days.set(day, [...(days.get(day) ?? []), message]);
  }
  const byId = new Map(messages.map((message) => [message.id, message]));
  return (
    <>
      {[...days].map(([day, messagesOfDay]) => (
        <div key={day} className={styles.inboxDay}>
          <h3>{day}</h3>
          <ol>
            {messagesOfDay.map((message) => (
              <Bubble
                key={message.id}
                message={message}
                quoted={byId.get(message.quotedId ?? '') ?? null}
                {...rest}
              />
            ))}
          </ol>
        </div>
      ))}
    </>
  );
}
