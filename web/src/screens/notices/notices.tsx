/** Notices: what needs a person now, where notices are sent, and the rules that open them. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { WebhookName } from '../../ui/data/webhook-name.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { RevealTogether } from '../../ui/layout/reveal-together.tsx';
import { Rules } from './rules.tsx';
import { Targets } from './targets.tsx';

type Notice = Answer<'listNotices'>['results'][number];
type State = Notice['state'];

const pollMs = 30_000;

export function Notices() {
  const { formatMessage } = useIntl();
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.notices' })}
        lead={formatMessage({ id: 'notices.lead' })}
      />
      <RevealTogether>
        <NoticeList />
        <Targets />
        <Rules />
      </RevealTogether>
    </div>
  );
}

function NoticeList() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const [state, setState] = useState<State>('open');
  const page = Math.max(1, Number(search.get('page')) || 1);
  const query = { current_page: page, per_page: 25, state: [state] };
  const notices = useApiQuery(
    'listNotices',
    { query },
    { keepPrevious: true, refetchInterval: pollMs },
  );
  return (
    <>
      <SegmentedControl
        label={formatMessage({ id: 'notices.which' })}
        segments={(['open', 'resolved'] as const).map((id) => ({
          id,
          label: formatMessage({ id: `notices.which.${id}` }),
        }))}
        value={state}
        onChange={(id) => {
          setState(id === 'resolved' ? 'resolved' : 'open');
          setSearch({}, { replace: true });
        }}
      />
      {notices.isPending && <Loading />}
      {notices.isError && (
        <ErrorNote error={notices.error} onRetry={() => void notices.refetch()} />
      )}
      {notices.data?.results.length === 0 && (
        <EmptyState title={formatMessage({ id: `notices.none.${state}` })}>
          {formatMessage({ id: 'notices.none.hint' })}
        </EmptyState>
      )}
      {notices.data && notices.data.results.length > 0 && (
        <>
          <NoticeTable notices={notices.data.results} />
          <Pagination
            pagings={notices.data.pagings}
            onPage={(next) => setSearch({ page: String(next) })}
          />
        </>
      )}
    </>
  );
}

function NoticeTable({ notices }: { readonly notices: readonly Notice[] }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `notices.${id}` });
  const columns: Column<Notice>[] = [
    {
      id: 'text',
      label: label('text'),
      width: '45%',
      onPhone: 'line',
      cell: ({ text }) => <span className="break">{text}</span>,
    },
    {
      id: 'webhook',
      label: label('webhook'),
      onPhone: 'named',
      cell: ({ webhookId }) =>
        webhookId === null ? label('installation') : <WebhookName id={webhookId} />,
    },
    {
      id: 'state',
      label: label('state'),
      onPhone: 'corner',
      cell: ({ state }) => (
        <Badge tone={state === 'open' ? 'warn' : 'good'}>{label(`state.${state}`)}</Badge>
      ),
    },
    {
      id: 'opened',
      label: label('opened'),
      onPhone: 'named',
      cell: ({ openedAt }) => <RelativeTime at={openedAt} />,
    },
  ];
  return (
    <Table
      label={formatMessage({ id: 'shell.notices' })}
      columns={columns}
      rows={notices}
      idOf={({ id }) => id}
    />
  );
}
