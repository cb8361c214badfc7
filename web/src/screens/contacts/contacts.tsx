/** The list of contacts, and the search. */
import { Eraser, Split } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { usePersonName } from './contact-names.ts';
import { SearchFields, useContactSearch } from './contact-search.tsx';
import { useChannels } from './resource-names.ts';
import styles from './contacts.module.css';

type Row = Answer<'listContacts'>['results'][number];

export function Contacts() {
  const { formatMessage } = useIntl();
  const search = useContactSearch();
  const found = useApiQuery('listContacts', { query: search.query }, { keepPrevious: true });
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.contacts' })}
        lead={formatMessage({ id: 'contacts.lead' })}
        actions={<ContactLinks />}
      />
      <SearchFields search={search} />
      {found.isPending && <Loading label={formatMessage({ id: 'contacts.waiting' })} lines={8} />}
      {found.isError && <ErrorNote error={found.error} onRetry={() => void found.refetch()} />}
      {found.data && <SearchResults found={found.data} search={search} />}
    </div>
  );
}

/** Links to conflicts and erasures, with the number of open conflicts. */
function ContactLinks() {
  const { formatMessage } = useIntl();
  const isAdmin = useHasScope('admin');
  const conflicts = useApiQuery('listContactConflicts', { query: { per_page: 1 } });
  const count = conflicts.data?.pagings.total ?? 0;
  return (
    <>
      <LinkButton href="/contacts/conflicts">
        <Split aria-hidden /> {formatMessage({ id: 'contacts.conflicts' })}
        {/* Reserves its space, so that nothing shifts when it loads. */}
        <span className={count > 0 ? undefined : styles.contactsNone} aria-hidden={count === 0}>
          <Badge tone="warn">{count}</Badge>
        </span>
      </LinkButton>
      {isAdmin && (
        <LinkButton href="/contacts/erasures">
          <Eraser aria-hidden /> {formatMessage({ id: 'contacts.erasures' })}
        </LinkButton>
      )}
    </>
  );
}

type FoundProps = {
  readonly found: Answer<'listContacts'>;
  readonly search: ReturnType<typeof useContactSearch>;
};

function SearchResults({ found, search }: FoundProps) {
  const { formatMessage } = useIntl();
  const columns = useColumns();
  const { change, order } = search;
  if (found.results.length === 0) return <NoMatches search={search} />;
  return (
    <>
      <Table
        label={formatMessage({ id: 'shell.contacts' })}
        columns={columns}
        rows={found.results}
        idOf={({ id }) => id}
        order={order}
        onOrder={(next) => change({ order: next === '-createdAt' ? null : next })}
      />
      <Pagination pagings={found.pagings} onPage={(page) => change({ page: String(page) })} />
      <p className="hidden-visually" role="status">
        {formatMessage({ id: 'contacts.found' }, { count: found.pagings.total })}
      </p>
    </>
  );
}

function useColumns(): Column<Row>[] {
  const { formatMessage } = useIntl();
  const nameOf = usePersonName();
  const { channels, nameOf: channelOf } = useChannels();
  const label = (id: string) => formatMessage({ id: `contacts.${id}` });
  return [
    {
      id: 'name',
      label: label('field.name'),
      cell: (row) => (
        <Link href={`/contacts/${row.id}`} className={styles.personLink}>
          {nameOf(row)}
        </Link>
      ),
    },
    {
      id: 'phone',
      label: label('field.phone'),
      onPhone: 'plain',
      cell: ({ phone }) => <Truncated text={phone} />,
    },
    {
      id: 'email',
      label: label('field.email'),
      onPhone: 'plain',
      cell: ({ email }) => <Truncated text={email} />,
    },
    ...(channels.length > 1
      ? [
          {
            id: 'channel',
            label: label('channel'),
            onPhone: 'plain' as const,
            cell: ({ channelId }: Row) => <Truncated text={channelOf(channelId)} />,
          },
        ]
      : []),
    {
      id: 'since',
      label: label('since'),
      sortBy: 'createdAt',
      onPhone: 'corner',
      cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
    },
  ];
}

/** One truncated line, with the full text as title. */
const Truncated = ({ text }: { readonly text: string | null }) =>
  text === null ? (
    <span className="soft none">—</span>
  ) : (
    <span className={styles.short} title={text.slice(0, 200)}>
      {text}
    </span>
  );

/** The length of a CPF or CNPJ; some phones have it too. */
const documentDigits = /^(?:\d{11}|\d{14})$/;

/** The input may be an external ID or a document instead. */
function NoMatches({ search }: Pick<FoundProps, 'search'>) {
  const { formatMessage } = useIntl();
  const { text, kind, channel, change } = search;
  if (text === '' && channel === null) {
    return (
      <EmptyState
        title={formatMessage({ id: 'contacts.empty' })}
        action={
          <LinkButton href="/webhooks">{formatMessage({ id: 'contacts.toWebhooks' })}</LinkButton>
        }
      >
        {formatMessage({ id: 'contacts.emptyHint' })}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={formatMessage({ id: 'contacts.noMatch' })}
      action={
        <div className="row">
          {kind === 'any' && documentDigits.test(text.replaceAll(/\D/g, '')) && (
            <Button onPress={() => change({ in: 'document' })}>
              {formatMessage({ id: 'contacts.tryDocument' })}
            </Button>
          )}
          {kind === 'any' && text !== '' && (
            <Button onPress={() => change({ in: 'externalId' })}>
              {formatMessage({ id: 'contacts.tryExternalId' })}
            </Button>
          )}
          <Button onPress={() => change({ q: null, in: null, channel: null })}>
            {formatMessage({ id: 'contacts.clear' })}
          </Button>
        </div>
      }
    >
      {formatMessage({ id: 'contacts.noMatchHint' })}
    </EmptyState>
  );
}
