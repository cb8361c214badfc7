/** The messages that contain the words of a search, with their chats. */
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { SampleText } from '../../ui/text/sample-text.tsx';
import styles from './inbox.module.css';

type Props = { readonly words: string; readonly onOpen: (chatId: string) => void };

const shownMessages = 20;
const shownLength = 160;

export function MessageResults({ words, onOpen }: Props) {
  const { formatMessage } = useIntl();
  const query = { query: words, per_page: shownMessages };
  const found = useApiQuery('searchMessages', { query }, { keepPrevious: true });
  return (
    <section className={styles.inboxMessages} aria-label={formatMessage({ id: 'inbox.messages' })}>
      <h2>{formatMessage({ id: 'inbox.messages' })}</h2>
      {found.isPending && <Loading lines={3} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data?.results.length === 0 && (
        <p className="soft">{formatMessage({ id: 'inbox.messages.none' })}</p>
      )}
      <ul>
        {found.data?.results.map((message) => (
          <li key={message.message_id}>
            <button
              type="button"
              className={styles.inboxMessage}
              onClick={() => onOpen(message.chat_id)}
            >
              <SampleText text={message.content.message} maxLength={shownLength} />
              <span className="small soft">
                {formatMessage({ id: `inbox.from.${message.type_user}` })} ·{' '}
                <RelativeTime at={message.date} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      {found.data?.pagings.total_exact === false && (
        <p className="small soft">{formatMessage({ id: 'inbox.messages.bounded' })}</p>
      )}
    </section>
  );
}
