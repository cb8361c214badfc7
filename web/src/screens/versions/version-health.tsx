/** The outcomes of events under a version since its last activation. */
import { clsx } from 'clsx';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { LinkButton } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { problemText, reasonText, targetText } from '../../ui/reasons/reasons.tsx';
import { Timestamp } from '../../ui/data/time.tsx';
import styles from './versions.module.css';

export type VersionHealth = Answer<'getWebhookMappingsHealth'>['versions'][number];

type CellProps = {
  readonly health: VersionHealth | undefined;
  /** Some dead letters may have been replayed or discarded since. */
  readonly isOpen: boolean;
};

/** In a table cell: finished events and dead letters. */
export function HealthCell({ health, isOpen }: CellProps) {
  const { formatMessage } = useIntl();
  if (!health || health.ended === 0) {
    return <span className="soft none">{formatMessage({ id: 'versions.noneEnded' })}</span>;
  }
  const { ended, dead } = health;
  return (
    <span className={clsx('row', styles.versionsHealth)}>
      <span>{formatMessage({ id: 'versions.ended' }, { count: ended })}</span>
      {dead > 0 ? (
        <Badge tone={isOpen ? 'bad' : 'plain'}>
          {formatMessage({ id: 'versions.dead' }, { count: dead })}
        </Badge>
      ) : (
        <Badge tone="good">{formatMessage({ id: 'versions.noneDead' })}</Badge>
      )}
    </span>
  );
}

/** The errors of the active version by reason, with the action that fixes them. */
export function ActiveHealth({
  webhookId,
  health,
}: {
  readonly webhookId: string;
  readonly health: VersionHealth;
}) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { version, activatedAt, ended, done, ignored, dead, reasons, problems } = health;
  const open = useDeadLetterCounts([webhookId])?.count;
  return (
    <div id="health">
      <Card title={formatMessage({ id: 'versions.healthTitle' }, { version })}>
        <p role="status">
          {formatMessage({ id: 'versions.healthLine' }, { ended, done, ignored, dead })}{' '}
          {dead > 0 && open === 0 && `${formatMessage({ id: 'versions.noneOpen' })} `}
          {activatedAt !== null && (
            <span className="soft small">
              {formatMessage({ id: 'versions.since' })} <Timestamp at={activatedAt} />
            </span>
          )}
        </p>
        {reasons.length > 0 && (
          <Counted
            title={formatMessage({ id: 'versions.reasons' })}
            rows={reasons.map(({ reason, count }) => ({
              text: reasonText(intl, reason),
              count,
            }))}
          />
        )}
        {problems.length > 0 && (
          <Counted
            title={formatMessage({ id: 'versions.problems' })}
            rows={problems.map(({ target, code, count }) => ({
              text: `${targetText(intl, target)}: ${problemText(intl, { code, message: code })}`,
              count,
            }))}
          />
        )}
        {dead > 0 && open !== 0 && (
          <div className="row">
            <LinkButton isSmall href={`/dead-letters?webhookId=${webhookId}`}>
              {formatMessage({ id: 'versions.toDead' })}
            </LinkButton>
            <LinkButton isSmall href={`/webhooks/${webhookId}/mapping`}>
              {formatMessage({ id: 'versions.toMapping' })}
            </LinkButton>
          </div>
        )}
      </Card>
    </div>
  );
}

type CountedProps = {
  readonly title: string;
  readonly rows: readonly {
    readonly text: string;
    readonly count: number;
  }[];
};

const Counted = ({ title, rows }: CountedProps) => (
  <div className="stack tight">
    <h3>{title}</h3>
    <ul className={styles.versionsCounted}>
      {rows.slice(0, 8).map(({ text, count }) => (
        <li key={text}>
          <span className="numbers">{count}</span>
          <span className="break">{text}</span>
        </li>
      ))}
    </ul>
  </div>
);
