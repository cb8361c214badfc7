/** The audit log: actor, action and changes. */
import { clsx } from 'clsx';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { DescriptionList } from '../../ui/data/description-list.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { RelativeTime, Timestamp } from '../../ui/data/time.tsx';
import { useActionName } from './action-names.ts';
import { ChangeTable } from './change-table.tsx';
import { ExportButton } from './export-button.tsx';
import { parseFilter, nameOf, hrefOf, webhookIdOf, type Row } from './audit-rows.ts';
import { AuditFilters } from './audit-filters.tsx';
import styles from './audit.module.css';

export function Audit() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const filter = parseFilter(search);
  const page = Math.max(1, Number(search.get('page')) || 1);
  const request = { query: { ...filter, current_page: page, per_page: 25 } };
  const rows = useApiQuery('listAudit', request, { keepPrevious: true });
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.audit' })}
        lead={formatMessage({ id: 'audit.lead' })}
        actions={<ExportButton filter={filter} />}
      />
      <AuditFilters search={search} setSearch={setSearch} />
      {rows.isPending && <Loading lines={8} />}
      {rows.isError && <ErrorNote error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.data?.results.length === 0 && (
        <EmptyState title={formatMessage({ id: 'audit.none' })}>
          {formatMessage({ id: 'audit.none.hint' })}
        </EmptyState>
      )}
      {rows.data && rows.data.results.length > 0 && (
        <>
          <ol className={styles.audit}>
            {rows.data.results.map((row) => (
              <li key={row.id}>
                <OneRow row={row} />
              </li>
            ))}
          </ol>
          <Pagination
            pagings={rows.data.pagings}
            onPage={(next) => setSearch({ ...Object.fromEntries(search), page: String(next) })}
          />
        </>
      )}
    </div>
  );
}

function OneRow({ row }: { readonly row: Row }) {
  const actionName = useActionName();
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(row);
  const webhookId = webhookIdOf(row);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className={styles.what}>
          <strong>{actionName(row.action)}</strong>
          {name !== null && <span className="break">{name}</span>}
          {webhookId !== null && (row.target.type !== 'webhook' || name === null) && (
            <span className="break soft">
              <WebhookName id={webhookId} />
            </span>
          )}
        </span>
        <span className={clsx('soft small', styles.who)}>
          <span className="break">
            <Actor name={row.actor.name} />
          </span>
          <RelativeTime at={row.at} />
        </span>
      </summary>
      {isOpen && <Opened row={row} />}
    </details>
  );
}

/** Nothing when the token may not read it. */
function WebhookName({ id }: { readonly id: string }) {
  const webhook = useApiQuery('getWebhook', { params: { id } }, { skipFocusRefetch: true });
  return webhook.data?.name ?? null;
}

function Opened({ row }: { readonly row: Row }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `audit.${id}` });
  const place = hrefOf(row);
  const target = `${label(`target.${row.target.type}`)} ${row.target.id}`;
  return (
    <div className={clsx('stack', styles.opened)}>
      <DescriptionList
        items={[
          [label('at'), <Timestamp key="at" at={row.at} />],
          [label('actor'), <Actor key="actor" name={row.actor.name} />],
          [label('address'), row.address ?? '—'],
          [label('target'), place === null ? target : <Link href={place}>{target}</Link>],
        ]}
      />
      {row.redactedAt === null ? (
        <ChangeTable row={row} />
      ) : (
        <p>
          {label('redacted')} <Timestamp at={row.redactedAt} />
        </p>
      )}
    </div>
  );
}
