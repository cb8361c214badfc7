/** The agents: the people who answer chats. */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { agentNameOf } from '../../ui/data/agent-name.ts';
import { Badge } from '../../ui/data/badge.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Button } from '../../ui/forms/button.tsx';
import { AgentDialog, agentOperations, type Agent } from './agent-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { SearchByName, useListAddress } from './list-address.tsx';
import { TeamFrame } from './team-frame.tsx';

export function Agents() {
  const { formatMessage } = useIntl();
  const mayChange = useHasScope('admin');
  /** Null: no dialog. `new`: a dialog for an agent that does not exist yet. */
  const [edited, setEdited] = useState<Agent | 'new' | null>(null);
  const [deleted, setDeleted] = useState<Agent | null>(null);
  return (
    <TeamFrame
      part="agents"
      actions={
        mayChange && (
          <Button variant="primary" onPress={() => setEdited('new')}>
            {formatMessage({ id: 'team.agents.new' })}
          </Button>
        )
      }
    >
      <List onEdit={setEdited} onDelete={setDeleted} mayChange={mayChange} />
      {edited !== null && (
        <AgentDialog agent={edited === 'new' ? null : edited} onClose={() => setEdited(null)} />
      )}
      {deleted && (
        <DeleteDialog
          name={agentNameOf(deleted)}
          operation={{ name: 'deleteAgent', params: { id: deleted.user_id } }}
          affected={agentOperations}
          onClose={() => setDeleted(null)}
        />
      )}
    </TeamFrame>
  );
}

type ListProps = {
  readonly mayChange: boolean;
  readonly onEdit: (agent: Agent) => void;
  readonly onDelete: (agent: Agent) => void;
};

function List(props: ListProps) {
  const { formatMessage } = useIntl();
  const address = useListAddress();
  const { search, paging, setPage } = address;
  const query = { ...paging, ...(search.trim() !== '' && { search: search.trim() }) };
  const agents = useApiQuery('listUsers', { query }, { keepPrevious: true });
  if (agents.isPending) return <Loading />;
  if (agents.isError)
    return <ErrorNote error={agents.error} onRetry={() => void agents.refetch()} />;
  const { results, pagings } = agents.data;
  if (results.length === 0 && search === '') {
    return (
      <EmptyState title={formatMessage({ id: 'team.agents.none' })}>
        {formatMessage({ id: 'team.agents.none.hint' })}
      </EmptyState>
    );
  }
  return (
    <>
      <SearchByName {...address} />
      {results.length === 0 && <p className="soft">{formatMessage({ id: 'team.noMatch' })}</p>}
      {results.length > 0 && <AgentTable agents={results} {...props} />}
      <Pagination pagings={pagings} onPage={setPage} />
    </>
  );
}

function useColumns({ mayChange, onEdit, onDelete }: ListProps): Column<Agent>[] {
  const { formatMessage } = useIntl();
  const sectors = useApiQuery('listActiveSectors', {}).data ?? [];
  const label = (id: string) => formatMessage({ id: `team.${id}` });
  const sectorsOf = ({ sector_ids: ids }: Agent) =>
    sectors.filter(({ sector_id: id }) => ids.includes(id)).map(({ name }) => name);
  const columns: Column<Agent>[] = [
    {
      id: 'name',
      label: label('name'),
      cell: (agent) => <span className="break">{agentNameOf(agent)}</span>,
    },
    { id: 'email', label: label('email'), onPhone: 'plain', cell: ({ email }) => email ?? '—' },
    {
      id: 'sectors',
      label: label('sectors'),
      onPhone: 'plain',
      cell: (agent) => sectorsOf(agent).join(' · ') || '—',
    },
    {
      id: 'status',
      label: label('status'),
      onPhone: 'corner',
      cell: ({ status }) => (
        <Badge tone={status === 'active' ? 'good' : 'plain'}>{label(`status.${status}`)}</Badge>
      ),
    },
  ];
  if (!mayChange) return columns;
  return [
    ...columns,
    {
      id: 'do',
      label: label('actions'),
      isEnd: true,
      onPhone: 'line',
      cell: (agent) => (
        <span className="row-actions">
          <Button
            isSmall
            aria-label={formatMessage({ id: 'team.editOne' }, { name: agentNameOf(agent) })}
            onPress={() => onEdit(agent)}
          >
            {label('edit')}
          </Button>
          <Button
            isSmall
            variant="danger"
            aria-label={formatMessage({ id: 'team.deleteOne' }, { name: agentNameOf(agent) })}
            onPress={() => onDelete(agent)}
          >
            {label('delete')}
          </Button>
        </span>
      ),
    },
  ];
}

function AgentTable({ agents, ...props }: ListProps & { readonly agents: readonly Agent[] }) {
  const { formatMessage } = useIntl();
  return (
    <Table
      label={formatMessage({ id: 'team.agents' })}
      columns={useColumns(props)}
      rows={agents}
      idOf={({ user_id: id }) => id}
    />
  );
}
