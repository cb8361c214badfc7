/**
 * The settings of a webhook in groups, each saved separately.
 *
 * Promises: each group says its current effect; empty means default; secrets are write-only.
 */
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { Resends, Retention, Retries } from './retry-retention.tsx';
import { AnswerOverride, ProducerProfile, Switch } from './producer-settings.tsx';
import { Handshake, Signature } from './signature.tsx';
import { Allowlist, RateLimit } from './source-policy.tsx';
import { settingsAnchor } from './settings-group.tsx';
import { useSettings } from './use-settings-group.ts';
import styles from './settings.module.css';

const namesIn = (settings: object, list: string): string[] =>
  Object.keys((settings as Readonly<Record<string, object | undefined>>)[list] ?? {});

/** In the order of the page. */
const groups = [
  'profile',
  'signature',
  'handshake',
  'answer',
  'dedup',
  'retries',
  'rateLimit',
  'allowlist',
  'retention',
  'allowEmptyPerson',
] as const;

export function Settings() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const isFixed = !useHasScope('operator');
  const settings = useSettings(id);
  const catalogue = useApiQuery('getProducers', {});
  if (settings.isError) {
    return <ErrorNote error={settings.error} onRetry={() => void settings.refetch()} />;
  }
  if (catalogue.isError) {
    return <ErrorNote error={catalogue.error} onRetry={() => void catalogue.refetch()} />;
  }
  if (settings.isPending || catalogue.isPending) return <Loading lines={8} />;
  const group = { webhookId: id, read: settings.data, isFixed };
  const { producers, settings: known } = catalogue.data;
  const producer = producers.find(({ name }) => name === settings.data.data.producerProfile);
  const sender = {
    own: producer?.signature?.preset ?? null,
    presets: namesIn(known, 'signatures'),
  };
  return (
    <div className={styles.settings}>
      <nav className={styles.index} aria-label={formatMessage({ id: 'settings.index' })}>
        <ul>
          {groups.map((name) => (
            <li key={name}>
              <a href={`#${settingsAnchor(name)}`}>{formatMessage({ id: `settings.${name}` })}</a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="stack">
        {isFixed && <Note>{formatMessage({ id: 'settings.fixed' })}</Note>}
        <p className="soft">{formatMessage({ id: 'settings.lead' })}</p>
        <ProducerProfile {...group} producers={producers} />
        <Signature {...group} sender={sender} />
        <Handshake {...group} challenges={namesIn(known, 'challenges')} />
        <AnswerOverride {...group} />
        <Switch {...group} part="answersGet" />
        <Resends {...group} />
        <Retries {...group} />
        <RateLimit {...group} />
        <Allowlist {...group} />
        <Retention {...group} />
        <Switch {...group} part="allowEmptyPerson" />
      </div>
    </div>
  );
}
