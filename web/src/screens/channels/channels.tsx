/** The list of channels. */
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useNavigate, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { NewChannel } from './new-channel.tsx';

type Channel = Answer<'listChannels'>['results'][number];

type StateProps = { readonly isEnabled: boolean; readonly health: Channel['health']['state'] };

export function ChannelStateBadge({ isEnabled, health }: StateProps) {
  const { formatMessage } = useIntl();
  const plain = isEnabled ? 'enabled' : 'disabled';
  const state = health === 'off' || (health === 'failing' && isEnabled) ? health : plain;
  const tone = state === 'enabled' ? 'good' : state === 'disabled' ? 'warn' : 'bad';
  return <Badge tone={tone}>{formatMessage({ id: `channels.${state}` })}</Badge>;
}

export function Channels() {
  const { formatMessage } = useIntl();
  const navigate = useNavigate();
  const mayChange = useHasScope('admin');
  const [search, setSearch] = useSearchParams();
  const [isMaking, setMaking] = useState(false);
  const page = Math.max(1, Number(search.get('page')) || 1);
  const query = { current_page: page, per_page: 25, sort_by: 'name' as const };
  const channels = useApiQuery('listChannels', { query }, { keepPrevious: true });
  const make = mayChange && (
    <Button variant="primary" onPress={() => setMaking(true)}>
      {formatMessage({ id: 'channels.new' })}
    </Button>
  );
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.channels' })}
        lead={formatMessage({ id: 'channels.lead' })}
        actions={channels.data?.results.length === 0 ? undefined : make}
      />
      {channels.isPending && <Loading />}
      {channels.isError && (
        <ErrorNote error={channels.error} onRetry={() => void channels.refetch()} />
      )}
      {channels.data?.results.length === 0 && (
        <EmptyState title={formatMessage({ id: 'channels.none' })} action={make}>
          {formatMessage({ id: mayChange ? 'channels.none.hint' : 'channels.none.wait' })}
        </EmptyState>
      )}
      {channels.data && channels.data.results.length > 0 && (
        <>
          <ChannelTable channels={channels.data.results} />
          <Pagination
            pagings={channels.data.pagings}
            onPage={(next) => setSearch({ page: String(next) })}
          />
        </>
      )}
      {isMaking && (
        <NewChannel
          onClose={() => setMaking(false)}
          onCreated={(id) => void navigate(`/channels/${id}`)}
        />
      )}
    </div>
  );
}

function ChannelTable({ channels }: { readonly channels: readonly Channel[] }) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `channels.${id}` });
  const columns: Column<Channel>[] = [
    {
      id: 'name',
      label: label('name'),
      cell: ({ id, name }) => (
        <Link href={`/channels/${id}`} className="break">
          {name}
        </Link>
      ),
    },
    {
      id: 'kind',
      label: label('kind'),
      onPhone: 'plain',
      cell: ({ kind }) => label(`kind.${kind}`),
    },
    {
      id: 'state',
      label: label('state'),
      onPhone: 'corner',
      cell: ({ enabled, health }) => (
        <ChannelStateBadge isEnabled={enabled} health={health.state} />
      ),
    },
    {
      id: 'changed',
      label: label('changed'),
      onPhone: 'named',
      cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
    },
  ];
  return (
    <Table
      label={formatMessage({ id: 'shell.channels' })}
      columns={columns}
      rows={channels}
      idOf={({ id }) => id}
    />
  );
}
