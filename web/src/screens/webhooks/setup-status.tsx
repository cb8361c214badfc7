/** The setup progress of a webhook, with a link to the next step. */
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useHasScope } from '../../session/session.ts';
import styles from './webhooks.module.css';

type Webhook = Answer<'listWebhooks'>['results'][number];

export function SetupStatus({ webhook: { id, name, setup } }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const mayDo = useHasScope('operator');
  const steps = [setup.sample, setup.mapping, setup.active];
  const done = steps.filter(Boolean).length;
  const next = formatMessage({ id: `webhooks.next.${setup.next}` });
  const way = formatMessage({ id: 'webhooks.progress' }, { done, all: steps.length });
  return (
    <div className={styles.webhookProgress}>
      <span className={styles.webhookSteps} role="img" aria-label={way} title={way}>
        {steps.map((isDone, at) => (
          // oxlint-disable-next-line react/no-array-index-key -- steps are identified by index only
          <span key={at} className={isDone ? styles.done : ''} />
        ))}
      </span>
      {mayDo ? (
        <Link
          href={`/webhooks/${id}/setup`}
          className="small"
          aria-label={formatMessage({ id: 'webhooks.nextOf' }, { name, next })}
        >
          {next}
        </Link>
      ) : (
        <span className="small">{next}</span>
      )}
    </div>
  );
}
