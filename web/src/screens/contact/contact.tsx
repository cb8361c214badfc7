/** One contact: its fields with their sources, its related records and its actions. */
import { EllipsisVertical, Pencil } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { ChatsCard, IdentitiesCard, MergedCard } from './related-cards.tsx';
import { ContactEvents } from './contact-events.tsx';
import { EditContactDialog } from './edit-contact.tsx';
import { FieldsCard } from './fields-card.tsx';
import { EraseContactDialog } from './erase-contact.tsx';
import { HistoryCard } from './history-card.tsx';
import { MergeDialog } from './merge-dialog.tsx';
import { usePersonName } from '../contacts/contact-names.ts';
import { useContact, type Contact } from '../contacts/use-contact.ts';
import { useChannels } from '../contacts/resource-names.ts';
import styles from '../contacts/contacts.module.css';

export function ContactScreen() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const read = useContact(id);
  if (read.isPending) {
    return <Loading label={formatMessage({ id: 'contacts.waitingOne' })} lines={8} />;
  }
  if (read.isError) return <ErrorNote error={read.error} onRetry={() => void read.refetch()} />;
  const { data: contact } = read.data;
  return (
    <div className="stack">
      <Head contact={contact} />
      <Standing contact={contact} />
      {contact.status !== 'erased' && (
        <div className={styles.contactPage}>
          <div className="stack">
            <FieldsCard contact={contact} />
            <ContactEvents contactId={id} />
            <HistoryCard history={contact.history} />
          </div>
          <div className="stack">
            <ChatsCard contact={contact} />
            <IdentitiesCard contact={contact} />
            <MergedCard contact={contact} />
          </div>
        </div>
      )}
    </div>
  );
}

function Head({ contact }: { readonly contact: Contact }) {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const { nameOf: channelOf } = useChannels();
  const since = { since: <RelativeTime at={contact.createdAt} /> };
  return (
    <PageHeader
      title={
        contact.status === 'erased' ? formatMessage({ id: 'contacts.erased' }) : nameOf(contact)
      }
      breadcrumbs={[{ label: formatMessage({ id: 'shell.contacts' }), href: '/contacts' }]}
      lead={
        <>
          {channelOf(contact.channelId)} · {formatMessage({ id: 'contacts.knownSince' }, since)}
        </>
      }
      actions={contact.status === 'active' && <Actions contact={contact} />}
    />
  );
}

type Doing = 'edit' | 'merge' | 'erase' | null;

function Actions({ contact }: { readonly contact: Contact }) {
  const { formatMessage } = useIntl();
  const [doing, setDoing] = useState<Doing>(null);
  const [mayChange, mayErase] = [useHasScope('operator'), useHasScope('admin')];
  const close = () => setDoing(null);
  if (!mayChange) return null;
  const items: Item[] = [
    {
      id: 'merge',
      label: formatMessage({ id: 'contacts.merge' }),
      hint: formatMessage({ id: 'contacts.mergeHint' }),
      onAction: () => setDoing('merge'),
    },
    ...(mayErase
      ? [
          {
            id: 'erase',
            label: formatMessage({ id: 'contacts.erase' }),
            hint: formatMessage({ id: 'contacts.eraseHint' }),
            isDanger: true,
            onAction: () => setDoing('erase'),
          },
        ]
      : []),
  ];
  return (
    <>
      <Button variant="primary" onPress={() => setDoing('edit')}>
        <Pencil aria-hidden /> {formatMessage({ id: 'contacts.edit' })}
      </Button>
      <Menu label={formatMessage({ id: 'contacts.more' })} items={items}>
        <Button>
          <EllipsisVertical aria-hidden /> {formatMessage({ id: 'contacts.more' })}
        </Button>
      </Menu>
      {doing === 'edit' && <EditContactDialog id={contact.id} onClose={close} />}
      {doing === 'merge' && <MergeDialog contact={contact} onClose={close} />}
      {doing === 'erase' && <EraseContactDialog contact={contact} onClose={close} />}
    </>
  );
}

/** Notes for contacts that are merged, erased or in conflict. */
function Standing({ contact }: { readonly contact: Contact }) {
  const { formatMessage } = useIntl();
  const { id, status, mergedInto } = contact;
  const mayErase = useHasScope('admin');
  const asked = { query: { contactId: [id], per_page: 1 } };
  const conflicts = useApiQuery('listContactConflicts', asked, { enabled: status === 'active' });
  if (status === 'merged' && mergedInto !== null) return <MergedNote into={mergedInto} />;
  if (status === 'erased') {
    return (
      <Note>
        <p>{formatMessage({ id: 'contacts.erasedNote' })}</p>
        {mayErase && (
          <p>
            <Link href="/contacts/erasures">{formatMessage({ id: 'contacts.toErasures' })}</Link>
          </p>
        )}
      </Note>
    );
  }
  const count = conflicts.data?.pagings.total ?? 0;
  if (count === 0) return null;
  return (
    <Note tone="warn">
      <p>{formatMessage({ id: 'contacts.inConflict' }, { count })}</p>
      <p>
        <Link href={`/contacts/conflicts?contact=${id}`}>
          {formatMessage({ id: 'contacts.toConflicts' }, { count })}
        </Link>
      </p>
    </Note>
  );
}

function MergedNote({ into }: { readonly into: string }) {
  const { formatMessage } = useIntl();
  const survivor = useContact(into);
  const nameOf = usePersonName();
  const name = survivor.data ? nameOf(survivor.data.data) : '…';
  return (
    <Note>
      <p>{formatMessage({ id: 'contacts.mergedNote' }, { name })}</p>
      <p>
        <Link href={`/contacts/${into}`}>
          {formatMessage({ id: 'contacts.toSurvivor' }, { name })}
        </Link>
      </p>
    </Note>
  );
}
