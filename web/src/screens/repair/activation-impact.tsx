/** What the activation of a version does to the last events: how many newly work, how many would newly fail, with examples. */
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { client, type Answer } from '../../api/client.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useLanguage } from '../../i18n/language.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { reasonText } from '../../ui/reasons/reasons.tsx';
import styles from './repair.module.css';

type Diff = Answer<'diffWebhookMappings'>;
type Props = { readonly webhookId: string; readonly version: number };

const last = 200;
const maxExamples = 2;

export function ActivationImpact({ webhookId, version }: Props) {
  const { formatMessage } = useIntl();
  const language = useLanguage();
  const read = useApiQuery('getWebhookMapping', {
    params: { id: webhookId, version: String(version) },
  });
  const mapping = read.data?.mapping;
  const diff = useQuery({
    queryKey: ['diffWebhookMappings', webhookId, version, last, language],
    queryFn: ({ signal }) =>
      client.call('diffWebhookMappings', {
        params: { id: webhookId },
        body: { mapping: mapping ?? {}, last },
        signal,
      }),
    enabled: mapping !== undefined,
  });
  if (diff.isPending) {
    return <Loading label={formatMessage({ id: 'repair.impact.waiting' })} lines={2} />;
  }
  if (diff.isError) return <ErrorNote error={diff.error} onRetry={() => void diff.refetch()} />;
  return <Counts diff={diff.data} />;
}

function Counts({ diff: { counts, items } }: { readonly diff: Diff }) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { same, changed, newlyFailing, newlyPassing } = counts;
  const all = same + changed + newlyFailing + newlyPassing;
  if (all === 0) return <Note>{formatMessage({ id: 'repair.impact.none' })}</Note>;
  const examples = items.filter(({ kind }) => kind === 'newlyFailing').slice(0, maxExamples);
  return (
    <div role="status">
      <Note tone={newlyFailing > 0 ? 'bad' : newlyPassing > 0 ? 'good' : 'info'}>
        <p>{formatMessage({ id: 'repair.impact.of' }, { all })}</p>
        <ul>
          <li>{formatMessage({ id: 'repair.impact.passing' }, { count: newlyPassing })}</li>
          <li className={newlyFailing > 0 ? styles.repairFailing : undefined}>
            {formatMessage({ id: 'repair.impact.failing' }, { count: newlyFailing })}
            {examples.length > 0 && (
              <ul>
                {examples.map(({ eventId, externalId, failure }) => (
                  <li key={eventId} className="small">
                    <Link href={`/events/${eventId}`}>{externalId ?? `…${eventId.slice(-6)}`}</Link>{' '}
                    {failure.after !== null && reasonText(intl, failure.after)}
                  </li>
                ))}
              </ul>
            )}
          </li>
          <li>{formatMessage({ id: 'repair.impact.changed' }, { count: changed })}</li>
        </ul>
      </Note>
    </div>
  );
}
