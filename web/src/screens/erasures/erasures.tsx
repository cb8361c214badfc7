/** The list of erasures and the blocklist. */
import { UserRoundX } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { Link } from 'react-aria-components';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { BlocklistCard } from './blocklist.tsx';
import { CertificateDialog, ErasureStateBadge, pollIntervalMs } from './certificate.tsx';
import { ErasePersonDialog } from './erase-person.tsx';
import { TableCard } from '../contacts/table-card.tsx';
import styles from '../contacts/contacts.module.css';

type Row = Answer<'listErasures'>['results'][number];
const perPage = 10;

export function Erasures() {
  const { formatMessage } = useIntl();
  const [isForgetting, setForgetting] = useState(false);
  const [params, setParams] = useSearchParams();
  const certificate = params.get('certificate');

  function close() {
    params.delete('certificate');
    setParams(params, { replace: true });
  }

  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'contacts.erasures' })}
        breadcrumbs={[{ label: formatMessage({ id: 'shell.contacts' }), href: '/contacts' }]}
        lead={formatMessage({ id: 'contacts.erasuresLead' })}
        actions={
          <Button variant="danger" onPress={() => setForgetting(true)}>
            <UserRoundX aria-hidden /> {formatMessage({ id: 'contacts.erasePersonButton' })}
          </Button>
        }
      />
      <RevealTogether>
        <CertificatesCard />
        <BlocklistCard />
      </RevealTogether>
      {isForgetting && <ErasePersonDialog onClose={() => setForgetting(false)} />}
      {certificate !== null && !isForgetting && (
        <CertificateDialog id={certificate} onClose={close} />
      )}
    </div>
  );
}

function CertificatesCard() {
  const { formatMessage } = useIntl();
  const [params, setParams] = useSearchParams();
  const page = Math.max(1, Number(params.get('page')) || 1);
  const request = { query: { per_page: perPage, current_page: page } };
  const erasures = useApiQuery('listErasures', request, { keepPrevious: true });
  const isRunning = erasures.data?.results.some(({ state }) => state === 'running') ?? false;
  useApiQuery('listErasures', request, {
    enabled: isRunning,
    refetchInterval: isRunning && pollIntervalMs,
  });
  const columns = useColumns();
  const title = formatMessage({ id: 'contacts.certificates' });
  return (
    <TableCard title={title}>
      {erasures.isPending && <Loading />}
      {erasures.isError && (
        <ErrorNote error={erasures.error} onRetry={() => void erasures.refetch()} />
      )}
      {erasures.data?.results.length === 0 && (
        <p className="soft">{formatMessage({ id: 'contacts.noErasures' })}</p>
      )}
      {erasures.data !== undefined && erasures.data.results.length > 0 && (
        <>
          <div className={styles.plainTable}>
            <Table
              label={title}
              columns={columns}
              rows={erasures.data.results}
              idOf={({ id }) => id}
            />
          </div>
          <Pagination
            pagings={erasures.data.pagings}
            onPage={(next) => {
              params.set('page', String(next));
              setParams(params);
            }}
          />
        </>
      )}
    </TableCard>
  );
}

function useColumns(): Column<Row>[] {
  const { formatMessage } = useIntl();
  const label = (word: string) => formatMessage({ id: `contacts.erasure.${word}` });
  return [
    {
      id: 'at',
      label: label('begun'),
      cell: ({ id, createdAt }) => (
        <Link href={`/contacts/erasures?certificate=${id}`}>
          <span className="hidden-visually">{formatMessage({ id: 'contacts.certificate' })} </span>
          <RelativeTime at={createdAt} />
        </Link>
      ),
    },
    {
      id: 'state',
      label: label('state'),
      onPhone: 'corner',
      cell: ({ state }) => <ErasureStateBadge state={state} />,
    },
    {
      id: 'by',
      label: label('by'),
      onPhone: 'named',
      cell: ({ createdBy }) => <Actor name={createdBy} />,
    },
    {
      id: 'reason',
      label: label('reason'),
      onPhone: 'plain',
      cell: ({ reason }) =>
        reason === null ? (
          <span className="soft none">—</span>
        ) : (
          <span className="break">{reason}</span>
        ),
    },
    {
      id: 'removed',
      label: label('removed'),
      onPhone: 'plain',
      cell: ({ counts }) => (
        <span className="numbers">
          {formatMessage(
            { id: 'contacts.removed' },
            { events: counts.events, messages: counts.messages },
          )}
        </span>
      ),
    },
    {
      id: 'block',
      label: label('block'),
      onPhone: 'named',
      cell: ({ block }) =>
        block ? (
          <Badge tone="warn">{label('blocked')}</Badge>
        ) : (
          <span className="soft none">—</span>
        ),
    },
  ];
}
