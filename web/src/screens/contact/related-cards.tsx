/** Related records of a contact: chats, identities and merged contacts. */
import { AtSign, Hash, IdCard, MessageSquare, Phone } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useHasScope } from '../../session/session.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { UnmergeDialog } from './unmerge-dialog.tsx';
import { useContact, type Contact } from '../contacts/use-contact.ts';
import { useWebhookName } from '../contacts/resource-names.ts';
import { StartChat } from '../contacts/start-chat.tsx';
import styles from '../contacts/contacts.module.css';

type Of = { readonly contact: Contact };

type Chat = Contact['chats'][number];
const openFirst = (a: Chat, b: Chat): number =>
  Number(a.status === 'closed') - Number(b.status === 'closed');

export function ChatsCard({ contact }: Of) {
  const { id, chats, status: contactStatus } = contact;
  const { formatMessage } = useIntl();
  const mayOpen = useHasScope('inbox');
  const hasOpen = chats.some((chat) => chat.status !== 'closed');
  const status = (word: string) => formatMessage({ id: `contacts.chat.status.${word}` });
  return (
    <Card
      title={formatMessage({ id: 'contacts.chats' })}
      actions={
        mayOpen &&
        !hasOpen &&
        contactStatus === 'active' && <StartChat contactId={id} channelId={contact.channelId} />
      }
    >
      {chats.length === 0 && <p className="soft">{formatMessage({ id: 'contacts.noChats' })}</p>}
      {chats.length > 0 && (
        <ul className={styles.lines}>
          {chats.toSorted(openFirst).map((chat) => (
            <li key={chat.id}>
              <MessageSquare aria-hidden />
              <span className="stack tight">
                <span className="row">
                  {mayOpen ? (
                    <Link href={`/inbox?chat=${chat.id}`}>
                      {formatMessage({ id: 'contacts.openChat' })}
                    </Link>
                  ) : (
                    formatMessage({ id: 'contacts.oneChat' })
                  )}
                  <Badge tone={chat.status === 'closed' ? 'plain' : 'good'}>
                    {status(chat.status)}
                  </Badge>
                </span>
                <span className="small soft">
                  {formatMessage(
                    { id: 'contacts.lastMessage' },
                    { at: <RelativeTime at={chat.lastMessageAt ?? chat.startedAt} /> },
                  )}
                  {chat.contactId !== id && ` · ${formatMessage({ id: 'contacts.ofMerged' })}`}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {!mayOpen && chats.length > 0 && (
        <p className="small soft">{formatMessage({ id: 'contacts.chatsNeedInbox' })}</p>
      )}
    </Card>
  );
}

const icons = { phone: Phone, email: AtSign, document: IdCard, externalId: Hash };

export function IdentitiesCard({ contact: { id, identities, identitiesTotal } }: Of) {
  const { formatMessage } = useIntl();
  const webhookOf = useWebhookName();
  return (
    <Card title={formatMessage({ id: 'contacts.identities' })}>
      <p className="small soft">{formatMessage({ id: 'contacts.identitiesHint' })}</p>
      {identities.length === 0 && (
        <p className="soft">{formatMessage({ id: 'contacts.noIdentities' })}</p>
      )}
      <ul className={styles.lines}>
        {identities.map(({ kind, value, webhookId, contactId }) => {
          const Icon = icons[kind];
          return (
            <li key={`${kind} ${webhookId ?? ''} ${value}`}>
              <Icon aria-hidden />
              <span className="stack tight">
                <span>
                  <span className="hidden-visually">
                    {formatMessage({ id: `contacts.field.${kind}` })}{' '}
                  </span>
                  <BreakableText>{value}</BreakableText>
                </span>
                {(webhookId !== null || contactId !== id) && (
                  <span className="small soft">
                    {webhookId !== null &&
                      formatMessage(
                        { id: 'contacts.idIn' },
                        {
                          webhook: (
                            <Link href={`/webhooks/${webhookId}`}>{webhookOf(webhookId)}</Link>
                          ),
                        },
                      )}{' '}
                    {contactId !== id && formatMessage({ id: 'contacts.ofMerged' })}
                  </span>
                )}
              </span>
            </li>
          );
        })}
      </ul>
      {identitiesTotal > identities.length && (
        <p className="small soft">
          {formatMessage(
            { id: 'contacts.moreIdentities' },
            { count: identitiesTotal - identities.length },
          )}
        </p>
      )}
    </Card>
  );
}

/** Renders nothing without merged contacts. */
export function MergedCard({ contact }: Of) {
  const { formatMessage } = useIntl();
  if (contact.merges.length === 0) return null;
  return (
    <Card title={formatMessage({ id: 'contacts.merged' })}>
      <ul className={styles.lines}>
        {contact.merges.map((merge) => (
          <Merged key={merge.id} contact={contact} merge={merge} />
        ))}
      </ul>
    </Card>
  );
}

type MergedProps = Of & { readonly merge: Contact['merges'][number] };

/** Contacts merged into a member are unmerged there. */
function Merged({ contact, merge }: MergedProps) {
  const { formatMessage } = useIntl();
  const [isAsked, setAsked] = useState(false);
  const nameOf = usePersonName();
  const merged = useContact(merge.mergedId);
  const mayChange = useHasScope('operator') && contact.status === 'active';
  const name = merged.data ? nameOf(merged.data.data) : '…';
  const isDirect = merge.survivorId === contact.id;
  return (
    <li>
      <span className="stack tight">
        <Link href={`/contacts/${merge.mergedId}`}>{name}</Link>
        <span className="small soft">
          {formatMessage(
            { id: 'contacts.mergedBy' },
            { by: <Actor key="by" name={merge.by} />, at: <RelativeTime at={merge.at} /> },
          )}
        </span>
        {mayChange && isDirect && (
          <span>
            <Button isSmall onPress={() => setAsked(true)}>
              {formatMessage({ id: 'contacts.unmerge' }, { name })}
            </Button>
          </span>
        )}
        {isAsked && (
          <UnmergeDialog
            contact={contact}
            merge={merge}
            merged={merged.data?.data}
            onClose={() => setAsked(false)}
          />
        )}
      </span>
    </li>
  );
}
