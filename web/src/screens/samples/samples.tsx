/**
 * The samples of a webhook: payloads stored for writing its mapping.
 *
 * Promises: the URL contains the id of the open sample but none of its content; a deletion is sent only when it
 * can no longer be undone.
 */
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useParams, useSearchParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { ListDetail } from '../../ui/layout/list-detail.tsx';
import { Pagination } from '../../ui/data/table.tsx';
import { AddSample } from './add-sample.tsx';
import { SampleItem } from './sample-item.tsx';
import { SampleDetails } from './sample.tsx';
import { useDeferredDeletion } from './deferred-deletion.ts';

const perPage = 20;
const filters = ['all', 'pinned', 'webhook', 'manual'] as const;

const queryOf = (show: string | null) => ({
  ...(show === 'pinned' && { pinned: true }),
  ...(show === 'webhook' && { source: ['webhook' as const] }),
  ...(show === 'manual' && { source: ['manual' as const] }),
});

export function Samples() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const [isAdding, setAdding] = useState(false);
  const mayChange = useHasScope('operator');
  const show = query.get('show');
  const page = Number(query.get('page') ?? 1);
  const chosen = query.get('sample');
  const samples = useApiQuery(
    'listWebhookSamples',
    { params: { id }, query: { per_page: perPage, current_page: page, ...queryOf(show) } },
    { keepPrevious: true },
  );
  const { leaving, remove } = useDeferredDeletion(id);
  const go = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    setQuery(next);
  };
  if (samples.isPending) return <Loading />;
  if (samples.isError)
    return <ErrorNote error={samples.error} onRetry={() => void samples.refetch()} />;
  const { results, pagings } = samples.data;
  const rows = results.filter((sample) => !leaving.has(sample.id));
  const add = mayChange && (
    <Button variant="primary" onPress={() => setAdding(true)}>
      <Plus aria-hidden />
      {formatMessage({ id: 'samples.add' })}
    </Button>
  );
  const opened = chosen ?? rows[0]?.id ?? null;
  return (
    <div className="stack">
      <div className="row spread">
        <Select
          label={formatMessage({ id: 'samples.show' })}
          isLabelHidden
          value={show ?? 'all'}
          onChange={(choice) =>
            go({ show: choice === 'all' ? null : choice, page: null, sample: null })
          }
          choices={filters.map((filter) => ({
            id: filter,
            label: formatMessage({ id: `samples.show.${filter}` }),
          }))}
        />
        {add}
      </div>
      {rows.length === 0 ? (
        <EmptyState
          title={formatMessage({ id: show === null ? 'samples.empty' : 'samples.emptyShow' })}
        >
          {formatMessage({ id: 'samples.emptyHint' })}
        </EmptyState>
      ) : (
        <ListDetail
          label={formatMessage({ id: 'samples.list' })}
          items={rows.map((sample) => ({ id: sample.id, content: <SampleItem sample={sample} /> }))}
          opened={opened}
          isChosen={chosen !== null}
          onOpen={(sample) => go({ sample })}
          footer={
            <Pagination
              pagings={pagings}
              onPage={(next) => go({ page: String(next), sample: null })}
            />
          }
        >
          {opened !== null && !leaving.has(opened) && (
            <SampleDetails
              key={opened}
              webhookId={id}
              sampleId={opened}
              mayChange={mayChange}
              onBack={() => go({ sample: null })}
              onDelete={() => {
                remove(opened);
                go({ sample: null });
              }}
            />
          )}
        </ListDetail>
      )}
      {isAdding && (
        <AddSample
          webhookId={id}
          onClose={() => setAdding(false)}
          onAdded={(sample) => {
            setAdding(false);
            go({ sample, show: null, page: null });
          }}
        />
      )}
    </div>
  );
}
