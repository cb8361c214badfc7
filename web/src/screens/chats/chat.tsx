/** One chat, read-only: messages, times and source events. */
import '../contacts/contacts.css';
import './chat.css';
import { Tag } from 'lucide-react';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DescriptionList, type Description } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { Conversation } from './conversation.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { useChannels } from '../contacts/resource-names.ts';
import { ContactValue } from '../contacts/contact-value.tsx';

type ChatView = Answer<'getContactChat'>;

export function Chat() {
  const { formatMessage } = useIntl();
  const { id = '', chatId = '' } = useParams();
  const chat = useApiQuery('getContactChat', { params: { id, chatId } });
  const person = useApiQuery('getChatContact', { params: { id } });
  const nameOf = usePersonName();
  if (chat.isPending || person.isPending) {
    return <Loading label={formatMessage({ id: 'contacts.waitingChat' })} lines={8} />;
  }
  if (chat.isError) return <ErrorNote error={chat.error} onRetry={() => void chat.refetch()} />;
  const name = person.data
    ? nameOf({ ...person.data, externalId: person.data.external_id })
    : formatMessage({ id: 'contacts.nameless' });
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'contacts.chatWith' }, { name })}
        breadcrumbs={[
          { label: formatMessage({ id: 'shell.contacts' }), href: '/contacts' },
          { label: name, href: `/contacts/${id}` },
        ]}
        lead={<Lead chat={chat.data} />}
      />
      <div className="chat-page">
        <Conversation contactId={id} chatId={chatId} name={name} />
        <About chat={chat.data} />
      </div>
    </div>
  );
}

function Lead({ chat: { status, test, labels } }: { readonly chat: ChatView }) {
  const { formatMessage } = useIntl();
  return (
    <span className="row">
      <Badge tone={status === 'closed' ? 'plain' : 'good'}>
        {formatMessage({ id: `contacts.chat.status.${status}` })}
      </Badge>
      {test && <Badge tone="info">{formatMessage({ id: 'contacts.chat.test' })}</Badge>}
      {labels.map(({ id, name, color }) => (
        <Badge key={id}>
          <Tag size={13} aria-hidden style={{ color }} />
          {name}
        </Badge>
      ))}
    </span>
  );
}

function About({ chat }: { readonly chat: ChatView }) {
  const { formatMessage } = useIntl();
  const { nameOf: channelOf } = useChannels();
  const label = (word: string) => formatMessage({ id: `contacts.chat.${word}` });
  const facts: (Description | null)[] = [
    [label('channel'), channelOf(chat.channelId) || '—'],
    chat.sector === null
      ? null
      : [
          label('sector'),
          <span key="sector" className="row">
            <span className="dot" style={{ backgroundColor: chat.sector.color }} />
            {chat.sector.name}
          </span>,
        ],
    chat.origin === null
      ? null
      : [label('origin'), <ContactValue key="o">{chat.origin}</ContactValue>],
    chat.campaign === null
      ? null
      : [label('campaign'), <ContactValue key="c">{chat.campaign}</ContactValue>],
    [label('started'), <RelativeTime key="started" at={chat.startedAt} />],
    chat.closedAt === null
      ? null
      : [label('closed'), <RelativeTime key="end" at={chat.closedAt} />],
    ...Object.entries(chat.fields as Record<string, string>).map(([name, value]): Description => [
      name,
      <ContactValue key={name}>{value}</ContactValue>,
    ]),
  ];
  return (
    <Card title={label('about')}>
      <DescriptionList items={facts.filter((fact) => fact !== null)} />
      <p className="small soft">{label('readOnly')}</p>
    </Card>
  );
}
