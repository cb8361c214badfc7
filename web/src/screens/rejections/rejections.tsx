/**
 * The rejected requests of a webhook: requests with a valid key that were not accepted, each with its cause.
 *
 * Promises: the URL names the open rejection, and none of its content.
 */
import { useIntl } from 'react-intl';
import { useParams, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Pagination } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Select } from '../../ui/forms/field.tsx';
import { ListDetail } from '../../ui/layout/list-detail.tsx';
import { RejectionDetails, type Rejection } from './rejection-details.tsx';

type Code = Rejection['code'];
type Counts = Answer<'countWebhookRejections'>;

const perPage = 20;
const pollIntervalMs = 10_000;

export function Rejections() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const code = query.get('code') as Code | null;
  const chosen = query.get('rejection');
  const page = Number(query.get('page') ?? 1);
  const rejections = useApiQuery(
    'listWebhookRejections',
    {
      params: { id },
      query: { per_page: perPage, current_page: page, ...(code && { code: [code] }) },
    },
    { keepPrevious: true, refetchInterval: pollIntervalMs },
  );
  const counts = useApiQuery(
    'countWebhookRejections',
    { params: { id }, query: {} },
    { refetchInterval: pollIntervalMs },
  );
  const go = (changes: Readonly<Record<string, string | null>>) => {
    const next = new URLSearchParams(query);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null) next.delete(name);
      else next.set(name, value);
    }
    setQuery(next);
  };
  if (rejections.isPending || counts.isPending) return <Loading />;
  if (rejections.isError)
    return <ErrorNote error={rejections.error} onRetry={() => void rejections.refetch()} />;
  const { results, pagings } = rejections.data;
  const opened = chosen ?? results[0]?.id ?? null;
  return (
    <div className="stack">
      <div className="row spread">
        <CodeFilter
          code={code}
          counts={counts.data}
          onChange={(next) => go({ code: next, page: null, rejection: null })}
        />
        <p className="soft">
          {formatMessage({ id: 'rejections.day' }, { count: counts.data?.total ?? 0 })}
        </p>
      </div>
      {results.length === 0 ? (
        <EmptyState
          title={formatMessage({ id: code ? 'rejections.noneOfCode' : 'rejections.none' })}
        >
          {formatMessage({ id: 'rejections.hint' })}
        </EmptyState>
      ) : (
        <ListDetail
          label={formatMessage({ id: 'rejections.list' })}
          items={results.map((one) => ({ id: one.id, content: <Item rejection={one} /> }))}
          opened={opened}
          isChosen={chosen !== null}
          onOpen={(rejection) => go({ rejection })}
          footer={
            <Pagination
              pagings={pagings}
              onPage={(next) => go({ page: String(next), rejection: null })}
            />
          }
        >
          {opened !== null && (
            <RejectionDetails
              key={opened}
              webhookId={id}
              rejectionId={opened}
              onClose={() => go({ rejection: null })}
            />
          )}
        </ListDetail>
      )}
    </div>
  );
}

type FilterProps = {
  readonly code: Code | null;
  readonly counts: Counts | undefined;
  readonly onChange: (code: Code | null) => void;
};

const codes = [
  'malformed_json',
  'invalid_body',
  'unsupported_media_type',
  'body_too_large',
  'request_timeout',
  'invalid_signature',
  'source_not_allowed',
  'rate_limited',
] as const satisfies readonly Code[];

/** The causes, with the counts of the last 24 hours. */
function CodeFilter({ code, counts, onChange }: FilterProps) {
  const { formatMessage, formatNumber } = useIntl();
  const countOf = new Map(counts?.codes.map((one) => [one.code, one.count]));
  return (
    <Select
      label={formatMessage({ id: 'rejections.cause' })}
      isLabelHidden
      value={code ?? 'all'}
      onChange={(id) => onChange(codes.find((one) => one === id) ?? null)}
      choices={[
        { id: 'all', label: formatMessage({ id: 'rejections.allCauses' }) },
        ...codes.map((id) => {
          const count = countOf.get(id) ?? 0;
          const label = formatMessage({ id: `rejections.code.${id}` });
          return { id, label: count > 0 ? `${label} (${formatNumber(count)})` : label };
        }),
      ]}
    />
  );
}

function Item({ rejection: { code, receivedAt, address } }: { readonly rejection: Rejection }) {
  const { formatMessage } = useIntl();
  return (
    <>
      <strong className="clip">{formatMessage({ id: `rejections.code.${code}` })}</strong>
      <span className="small soft clip">
        <RelativeTime at={receivedAt} />
        {address !== '' && ` · ${address}`}
      </span>
    </>
  );
}
