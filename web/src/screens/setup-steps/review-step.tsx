/** The result of the newest mapping for the newest sample. */
import { useQuery } from '@tanstack/react-query';
import { useIntl } from 'react-intl';
import { client, type Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useLanguage } from '../../i18n/language.ts';
import { LeadPreview } from './lead-preview.tsx';

type Webhook = Answer<'getWebhook'>;
type Sample = Answer<'listWebhookSamples'>['results'][number];
type Props = { readonly webhook: Webhook; readonly onChangeMapping: () => void };

const shownItems = 3;

export function ReviewStep({ webhook, onChangeMapping }: Props) {
  const { id } = webhook;
  const { formatMessage } = useIntl();
  const params = { id };
  const samples = useApiQuery('listWebhookSamples', { params, query: { per_page: 1 } });
  const versions = useApiQuery('listWebhookMappings', { params, query: { per_page: 1 } });
  const sample = samples.data?.results[0];
  const version = versions.data?.results[0];
  const error = samples.error ?? versions.error;
  if (error) return <ErrorNote error={error} />;
  if (samples.isPending || versions.isPending) return <Loading />;
  return (
    <>
      <p className="soft">
        {formatMessage({ id: 'setup.reviewHint' })}{' '}
        {sample && (
          <span className="small">
            {formatMessage(
              { id: 'setup.reviewOf' },
              {
                when: <RelativeTime key="at" at={sample.receivedAt} />,
                version: version?.version ?? 0,
              },
            )}
          </span>
        )}
      </p>
      {sample && version ? (
        <Read webhook={webhook} sample={sample} version={version.version} />
      ) : (
        <Note tone="warn">{formatMessage({ id: 'setup.reviewNothing' })}</Note>
      )}
      <div>
        <Button onPress={onChangeMapping}>{formatMessage({ id: 'setup.fixMapping' })}</Button>
      </div>
    </>
  );
}

type ReadProps = {
  readonly webhook: Webhook;
  readonly sample: Sample;
  readonly version: number;
};

function Read({ webhook: { id, name }, sample, version }: ReadProps) {
  const { formatMessage } = useIntl();
  const { id: sampleId, body, headers, query } = sample;
  const language = useLanguage();
  const preview = useQuery({
    // The query key has the sample id, because the payload may be a megabyte.
    queryKey: ['previewWebhookMappings', id, sampleId, version, language],
    queryFn: ({ signal }) =>
      client.call('previewWebhookMappings', {
        params: { id },
        body: { version, payload: { body, headers, query } },
        signal,
      }),
  });
  if (preview.isPending) return <Loading />;
  if (preview.isError) {
    return <ErrorNote error={preview.error} onRetry={() => void preview.refetch()} />;
  }
  const { items } = preview.data;
  const more = items.length - shownItems;
  if (items.length === 0) return <Note tone="warn">{formatMessage({ id: 'setup.noItems' })}</Note>;
  return (
    <>
      {items.slice(0, shownItems).map((item, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- items are identified by index only
        <LeadPreview key={at} item={item} fallback={name} />
      ))}
      {more > 0 && <p className="soft">{formatMessage({ id: 'setup.moreItems' }, { more })}</p>}
    </>
  );
}
