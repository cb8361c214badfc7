/**
 * The tokens: scopes, restriction, expiry and last use.
 *
 * Promises: a new token is shown once, stays in the memory of this screen only, and is gone when the screen
 * closes.
 */
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { CopyableText } from '../../ui/text/copyable-text.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { SegmentedControl } from '../../ui/forms/segmented-control.tsx';
import { Pagination, Table, type Column } from '../../ui/data/table.tsx';
import { Deadline, RelativeTime } from '../../ui/data/time.tsx';
import { EditTokenDialog } from './edit-token.tsx';
import { NewToken, type CreatedToken } from './new-token.tsx';
import { RevokeToken } from './revoke-token.tsx';
import { stateOf, states, type State, type Token } from './token-state.ts';

const tones: Readonly<Record<State, Tone>> = { active: 'good', expired: 'plain', revoked: 'plain' };

export function Tokens() {
  const { formatMessage } = useIntl();
  const [search, setSearch] = useSearchParams();
  const [isMaking, setMaking] = useState(false);
  const [created, setCreated] = useState<CreatedToken | null>(null);
  const label = (id: string) => formatMessage({ id: `tokens.${id}` });
  return (
    <div className="stack">
      <PageHeader
        title={formatMessage({ id: 'shell.tokens' })}
        lead={label('lead')}
        actions={
          <Button variant="primary" onPress={() => setMaking(true)}>
            {label('new')}
          </Button>
        }
      />
      {created && <CreatedTokenCard created={created} onDone={() => setCreated(null)} />}
      <Filters search={search} setSearch={setSearch} />
      <List search={search} setSearch={setSearch} />
      {isMaking && <NewToken onClose={() => setMaking(false)} onCreated={setCreated} />}
    </div>
  );
}

type Address = {
  readonly search: URLSearchParams;
  readonly setSearch: ReturnType<typeof useSearchParams>[1];
};

const stateIn = (search: URLSearchParams): State | 'all' =>
  search.get('state') === 'all'
    ? 'all'
    : (states.find((one) => one === search.get('state')) ?? 'active');

function Filters({ search, setSearch }: Address) {
  const { formatMessage } = useIntl();
  const set = (name: string, value: string) => {
    const next = new URLSearchParams(search);
    next.delete('page');
    if (value === '') next.delete(name);
    else next.set(name, value);
    setSearch(next, { replace: true });
  };
  return (
    <div className="row spread">
      <SegmentedControl
        label={formatMessage({ id: 'tokens.which' })}
        segments={[...states, 'all'].map((id) => ({
          id,
          label: formatMessage({ id: `tokens.which.${id}` }),
        }))}
        value={stateIn(search)}
        onChange={(id) => set('state', id)}
      />
      <TextField
        label={formatMessage({ id: 'tokens.search' })}
        isLabelHidden
        type="search"
        placeholder={formatMessage({ id: 'tokens.search' })}
        value={search.get('name') ?? ''}
        onChange={(text) => set('name', text.slice(0, 100))}
      />
    </div>
  );
}

function List({ search, setSearch }: Address) {
  const { formatMessage } = useIntl();
  const [leaving, setLeaving] = useState<Token | null>(null);
  const [edited, setEdited] = useState<Token | null>(null);
  const { data: current } = useApiQuery('getCurrentToken', {});
  const state = stateIn(search);
  const name = search.get('name')?.trim() ?? '';
  const order = search.get('order') === 'lastUsedAt' ? 'lastUsedAt' : '-createdAt';
  const query = {
    current_page: Math.max(1, Number(search.get('page')) || 1),
    per_page: 25,
    sort_by: order as '-createdAt' | 'lastUsedAt',
    ...(name !== '' && { search: name }),
    ...(state !== 'all' && { state: [state] }),
  };
  const tokens = useApiQuery('listTokens', { query }, { keepPrevious: true });
  if (tokens.isPending) return <Loading />;
  if (tokens.isError)
    return <ErrorNote error={tokens.error} onRetry={() => void tokens.refetch()} />;
  if (tokens.data.results.length === 0) {
    return (
      <EmptyState title={formatMessage({ id: 'tokens.none' })}>
        {formatMessage({ id: 'tokens.none.hint' })}
      </EmptyState>
    );
  }
  return (
    <>
      <TokenTable
        tokens={tokens.data.results}
        ownId={current?.id}
        onEdit={setEdited}
        onRevoke={setLeaving}
      />
      <Pagination
        pagings={tokens.data.pagings}
        onPage={(page) => setSearch({ ...Object.fromEntries(search), page: String(page) })}
      />
      {edited && <EditTokenDialog token={edited} onClose={() => setEdited(null)} />}
      {leaving && (
        <RevokeToken
          leaving={leaving}
          isOwn={leaving.id === current?.id}
          onClose={() => setLeaving(null)}
        />
      )}
    </>
  );
}

type TableProps = {
  readonly tokens: readonly Token[];
  readonly ownId: string | undefined;
  readonly onEdit: (token: Token) => void;
  readonly onRevoke: (token: Token) => void;
};

function TokenTable({ tokens, ownId, onEdit, onRevoke }: TableProps) {
  const { formatMessage } = useIntl();
  const label = (id: string) => formatMessage({ id: `tokens.${id}` });
  const never = formatMessage({ id: 'ui.never' });
  const moment = (at: string | null) => (at === null ? never : <RelativeTime at={at} />);
  const reach = ({ restriction }: Token) =>
    restriction === null
      ? label('everywhere')
      : formatMessage(
          { id: 'tokens.somewhere' },
          { webhooks: restriction.webhookIds.length, channels: restriction.channelIds.length },
        );
  const columns: Column<Token>[] = [
    {
      id: 'name',
      label: label('name'),
      width: '20%',
      cell: (token) => (
        <span className="break">
          {token.name} {token.id === ownId && <Badge tone="info">{label('own')}</Badge>}
        </span>
      ),
    },
    {
      id: 'may',
      label: label('may'),
      onPhone: 'plain',
      cell: (token) => token.scopes.map((scope) => label(`scope.${scope}`)).join(' · '),
    },
    { id: 'where', label: label('where'), onPhone: 'plain', cell: reach },
    {
      id: 'last',
      label: label('lastUse'),
      onPhone: 'named',
      cell: (token) => moment(token.lastUsedAt),
    },
    {
      id: 'ends',
      label: label('ends'),
      onPhone: 'named',
      cell: ({ revokedAt, expiresAt }) =>
        revokedAt === null && expiresAt !== null ? <Deadline at={expiresAt} /> : moment(revokedAt),
    },
    {
      id: 'state',
      label: label('state'),
      onPhone: 'corner',
      cell: (token) => (
        <Badge tone={tones[stateOf(token)]}>{label(`state.${stateOf(token)}`)}</Badge>
      ),
    },
    {
      id: 'do',
      label: label('do'),
      isEnd: true,
      onPhone: 'line',
      cell: (token) =>
        token.revokedAt === null ? (
          <span className="row-actions">
            <Button
              isSmall
              aria-label={formatMessage({ id: 'tokens.editOne' }, { name: token.name })}
              onPress={() => onEdit(token)}
            >
              {label('edit')}
            </Button>
            {stateOf(token) === 'active' && (
              <Button
                isSmall
                variant="danger"
                aria-label={formatMessage({ id: 'tokens.revokeOne' }, { name: token.name })}
                onPress={() => onRevoke(token)}
              >
                {label('revoke')}
              </Button>
            )}
          </span>
        ) : (
          <span className="none" />
        ),
    },
  ];
  return (
    <Table
      label={formatMessage({ id: 'shell.tokens' })}
      columns={columns}
      rows={tokens}
      idOf={({ id }) => id}
    />
  );
}

function CreatedTokenCard({
  created,
  onDone,
}: {
  readonly created: CreatedToken;
  readonly onDone: () => void;
}) {
  const { formatMessage } = useIntl();
  return (
    <div role="status">
      <Card title={formatMessage({ id: 'tokens.made' }, { name: created.name })}>
        <CopyableText text={created.token} label={formatMessage({ id: 'tokens.made.copy' })} />
        <Note tone="warn">
          <p>{formatMessage({ id: 'tokens.made.once' })}</p>
        </Note>
        <div>
          <Button onPress={onDone}>{formatMessage({ id: 'tokens.made.done' })}</Button>
        </div>
      </Card>
    </div>
  );
}
