/** One chat, to be read: what was said, when, and which event said it. */
import '../contacts/contacts.css';
import './chat.css';
import { Tag } from 'lucide-react';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useRead } from '../../api/use-api.ts';
import {
  Badge,
  Card,
  Facts,
  Failed,
  PageHead,
  Waiting,
  type Fact,
} from '../../ui/feedback/parts.tsx';
import { Moment } from '../../ui/data/time.tsx';
import { Conversation } from './conversation.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { useChannels } from '../contacts/resource-names.ts';
import { Value } from '../contacts/contact-value.tsx';

type ChatView = Answer<'getContactChat'>;

export function Chat() {
  const { formatMessage } = useIntl();
  const { id = '', chatId = '' } = useParams();
  const chat = useRead('getContactChat', { params: { id, chatId } });
  const person = useRead('getChatContact', { params: { id } });
  const nameOf = usePersonName();
  if (chat.isPending || person.isPending) {
    return <Waiting what={formatMessage({ id: 'contacts.waitingChat' })} lines={8} />;
  }
  if (chat.isError) return <Failed error={chat.error} onRetry={() => void chat.refetch()} />;
  const name = person.data
    ? nameOf({ ...person.data, externalId: person.data.external_id })
    : formatMessage({ id: 'contacts.nameless' });
  return (
    <div className="stack">
      <PageHead
        title={formatMessage({ id: 'contacts.chatWith' }, { name })}
        trail={[
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
  const facts: (Fact | null)[] = [
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
    chat.origin === null ? null : [label('origin'), <Value key="o">{chat.origin}</Value>],
    chat.campaign === null ? null : [label('campaign'), <Value key="c">{chat.campaign}</Value>],
    [label('started'), <Moment key="started" at={chat.startedAt} />],
    chat.closedAt === null ? null : [label('closed'), <Moment key="end" at={chat.closedAt} />],
    ...Object.entries(chat.fields as Record<string, string>).map(([name, value]): Fact => [
      name,
      <Value key={name}>{value}</Value>,
    ]),
  ];
  return (
    <Card title={label('about')}>
      <Facts facts={facts.filter((fact) => fact !== null)} />
      <p className="small soft">{label('readOnly')}</p>
    </Card>
  );
}
