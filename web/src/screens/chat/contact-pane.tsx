/** The contact of a chat, and what is known about the chat. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ContactValue } from '../contacts/contact-value.tsx';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import type { Chat } from './use-chat.ts';

type Of = { readonly chat: Chat };

/** Returns the descriptions that have a value. */
const filled = (items: readonly (readonly [string, string | null])[]): Description[] =>
  items.flatMap(([term, value]) =>
    value === null || value === ''
      ? []
      : [[term, <ContactValue key={term}>{value}</ContactValue>] as const],
  );

export function ContactPane({ chat }: Of) {
  const { formatMessage } = useIntl();
  return (
    <div className="stack">
      {chat.contact && <Person contactId={chat.contact.id} />}
      <section className="stack tight">
        <h3>{formatMessage({ id: 'inbox.about.chat' })}</h3>
        <ChatFacts chat={chat} />
      </section>
    </div>
  );
}

function Person({ contactId }: { readonly contactId: string }) {
  const { formatMessage } = useIntl();
  const mayOpen = useHasScope('viewer');
  const read = useApiQuery('getChatContact', { params: { id: contactId } });
  if (read.isPending) return <Loading lines={4} />;
  if (read.isError) return <ErrorNote error={read.error} onRetry={() => void read.refetch()} />;
  const { name, phone, phone_ddi: ddi, email, document, external_id: externalId } = read.data;
  const term = (field: string) => formatMessage({ id: `contacts.field.${field}` });
  return (
    <section className="stack tight">
      <h3>{formatMessage({ id: 'inbox.about.contact' })}</h3>
      <DescriptionList
        items={filled([
          [term('name'), name],
          [term('phone'), phone === null ? null : `+${ddi ?? ''} ${phone}`],
          [term('email'), email],
          [term('document'), document],
          [term('externalId'), externalId],
          ...Object.entries(read.data.fields as Record<string, string>),
        ])}
      />
      {mayOpen && (
        <Link href={`/contacts/${contactId}`} className="small">
          {formatMessage({ id: 'inbox.openContact' })}
        </Link>
      )}
    </section>
  );
}

function ChatFacts({ chat }: Of) {
  const { formatMessage } = useIntl();
  const { chat_id: chatId, worker, context, started_at: startedAt, closed_at: closedAt } = chat;
  const attendants = useApiQuery('getChatAttendants', { params: { chatId } }).data;
  const joined = attendants?.secondary_users.map(agentNameOf).join(', ') ?? '';
  const label = (id: string) => formatMessage({ id: `inbox.${id}` });
  const times: Description[] = [[label('started'), <RelativeTime key="started" at={startedAt} />]];
  if (closedAt !== null) times.push([label('closed'), <RelativeTime key="closed" at={closedAt} />]);
  return (
    <DescriptionList
      items={[
        ...filled([
          [label('channel'), worker.name],
          [label('agentOf'), chat.user && agentNameOf(chat.user)],
          [label('joined'), joined],
          [label('sector'), chat.sector?.name ?? null],
          [label('origin'), context.origin],
          [label('campaign'), context.campaign],
        ]),
        ...times,
        ...filled(Object.entries(context.fields as Record<string, string>)),
      ]}
    />
  );
}
