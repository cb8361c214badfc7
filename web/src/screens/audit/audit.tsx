/** Who changed what and when, what it was before, and whether the log is whole. */
import './audit.css';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useRead } from '../../api/use-api.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { Copied, Empty, Facts, Failed, PageHead, Waiting } from '../../ui/feedback/parts.tsx';
import { Pages } from '../../ui/data/table.tsx';
import { Moment, Stamp } from '../../ui/data/time.tsx';
import { useActionWords } from './action-names.ts';
import { Changes } from './change-table.tsx';
import { Export } from './export-button.tsx';
import { filterIn, nameOf, placeOf, webhookOf, type Row } from './audit-rows.ts';
import { Filters } from './audit-filters.tsx';
import { Verification } from './verification.tsx';

export function Audit() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const filter = filterIn(search);
  const page = Math.max(1, Number(search.get('page')) || 1);
  const request = { query: { ...filter, current_page: page, per_page: 25 } };
  const rows = useRead('listAudit', request, { keep: true });
  return (
    <div className="stack">
      <PageHead
        title={formatMessage({ id: 'shell.audit' })}
        lead={formatMessage({ id: 'audit.lead' })}
        actions={<Export filter={filter} />}
      />
      <Verification />
      <Filters search={search} setSearch={setSearch} />
      {rows.isPending && <Waiting lines={8} />}
      {rows.isError && <Failed error={rows.error} onRetry={() => void rows.refetch()} />}
      {rows.data?.results.length === 0 && (
        <Empty title={formatMessage({ id: 'audit.none' })}>
          {formatMessage({ id: 'audit.none.hint' })}
        </Empty>
      )}
      {rows.data && rows.data.results.length > 0 && (
        <>
          <ol className="audit">
            {rows.data.results.map((row) => (
              <li key={row.id}>
                <OneRow row={row} />
              </li>
            ))}
          </ol>
          <Pages
            pagings={rows.data.pagings}
            onPage={(next) => setSearch({ ...Object.fromEntries(search), page: String(next) })}
          />
        </>
      )}
    </div>
  );
}

function OneRow({ row }: { readonly row: Row }) {
  const words = useActionWords();
  const [isOpen, setOpen] = useState(false);
  const name = nameOf(row);
  const webhookId = webhookOf(row);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span className="what">
          <strong>{words(row.action)}</strong>
          {name !== null && <span className="break">{name}</span>}
          {webhookId !== null && (row.target.type !== 'webhook' || name === null) && (
            <span className="break soft">
              <WebhookName id={webhookId} />
            </span>
          )}
        </span>
        <span className="who soft small">
          <span className="break">
            <Actor name={row.actor.name} />
          </span>
          <Moment at={row.at} />
        </span>
      </summary>
      {isOpen && <Opened row={row} />}
    </details>
  );
}

/** Nothing where it cannot be read. */
function WebhookName({ id }: { readonly id: string }) {
  const webhook = useRead('getWebhook', { params: { id } }, { isCalm: true });
  return webhook.data?.name ?? null;
}

function Opened({ row }: { readonly row: Row }) {
  const { formatMessage, formatNumber } = useIntl();
  const label = (id: string) => formatMessage({ id: `audit.${id}` });
  const place = placeOf(row);
  const target = `${label(`target.${row.target.type}`)} ${row.target.id}`;
  return (
    <div className="stack opened">
      <Facts
        facts={[
          [label('at'), <Stamp key="at" at={row.at} />],
          [label('actor'), <Actor key="actor" name={row.actor.name} />],
          [label('address'), row.address ?? '—'],
          [label('target'), place === null ? target : <Link href={place}>{target}</Link>],
          [label('seq'), formatNumber(row.seq)],
        ]}
      />
      {row.redactedAt === null ? (
        <Changes row={row} />
      ) : (
        <p>
          {label('redacted')} <Stamp at={row.redactedAt} />
        </p>
      )}
      <div className="stack tight">
        <span className="small soft">{label('hash')}</span>
        <Copied text={row.hash} label={label('hash.copy')} />
      </div>
    </div>
  );
}
