/** How much the old key is still used, and whether it is safe to revoke. */
import type { ReactNode } from 'react';
import { useIntl } from 'react-intl';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Deadline, RelativeTime } from '../../ui/data/time.tsx';
import { timeUntil, keyUsageOf, type Key, type KeyUse } from './key-state.ts';
import styles from './keys.module.css';

type Props = { readonly keys: readonly Key[]; readonly onRevoke: (key: Key) => void };

export function KeyUsage({ keys, onRevoke }: Props) {
  const { formatMessage } = useIntl();
  const uses = keyUsageOf(keys);
  if (uses.length === 1) return <OnlyKey use={uses[0]} />;
  return (
    <Card title={formatMessage({ id: 'keys.meter' })}>
      <ul className={styles.keyUses}>
        {uses.map((use) => (
          <KeyUse key={use.key.id} use={use} onRevoke={onRevoke} />
        ))}
      </ul>
      <p className="small soft">{formatMessage({ id: 'keys.meter.late' })}</p>
    </Card>
  );
}

function OnlyKey({ use }: { readonly use: KeyUse | undefined }) {
  const { formatMessage } = useIntl();
  if (!use) return null;
  const { lastFour, uses, lastUsedAt, expiresAt } = use.key;
  return (
    <Card title={formatMessage({ id: 'keys.only' }, { lastFour })}>
      <p>
        {formatMessage({ id: 'keys.only.uses' }, { count: uses })}{' '}
        {lastUsedAt !== null && (
          <>
            {formatMessage({ id: 'keys.lastUsed' })} <RelativeTime at={lastUsedAt} />.
          </>
        )}
      </p>
      {expiresAt !== null && (
        <Note tone="warn">
          <p>
            {formatMessage({ id: 'keys.only.ends' })} <Deadline at={expiresAt} />.
          </p>
        </Note>
      )}
    </Card>
  );
}

function KeyUse({ use, onRevoke }: { readonly use: KeyUse; readonly onRevoke: Props['onRevoke'] }) {
  const { formatMessage, formatNumber } = useIntl();
  const { key, isNewest, share } = use;
  const name = formatMessage(
    { id: isNewest ? 'keys.new' : 'keys.old' },
    { lastFour: key.lastFour },
  );
  const percent = formatNumber(share ?? 0, { style: 'percent', maximumFractionDigits: 1 });
  const label = formatMessage({ id: 'keys.share' }, { percent, count: key.usesSinceRotation });
  return (
    <li className="stack tight">
      <div className="row spread">
        <strong>{name}</strong>
        <span className="small soft numbers">{label}</span>
      </div>
      <div className={isNewest ? '' : styles.meterOld}>
        <Meter value={share ?? 0} label={`${name}: ${label}`} />
      </div>
      {isNewest ? <NewKey use={use} /> : <OldKey use={use} onRevoke={onRevoke} />}
    </li>
  );
}

function NewKey({ use: { key } }: { readonly use: KeyUse }) {
  const { formatMessage } = useIntl();
  return (
    <p className="small soft">
      {key.lastUsedAt === null ? (
        formatMessage({ id: 'keys.new.unused' })
      ) : (
        <>
          {formatMessage({ id: 'keys.lastUsed' })} <RelativeTime at={key.lastUsedAt} />.
        </>
      )}
    </p>
  );
}

const tones = { silent: 'plain', unused: 'good', quiet: 'info', busy: 'warn' } as const;

function OldKey({ use, onRevoke }: { readonly use: KeyUse; readonly onRevoke: Props['onRevoke'] }) {
  const { formatMessage } = useIntl();
  const { key, verdict } = use;
  const moment: ReactNode = key.lastUsedAt !== null && <RelativeTime at={key.lastUsedAt} />;
  return (
    <div className="row spread">
      <p className="small" role="status">
        <Badge tone={tones[verdict]}>{formatMessage({ id: `keys.verdict.${verdict}` })}</Badge>{' '}
        {moment && (
          <>
            {formatMessage({ id: 'keys.lastUsed' })} {moment}.{' '}
          </>
        )}
        {formatMessage({ id: `keys.verdict.${verdict}.hint` })}{' '}
        {key.expiresAt !== null && (
          <>
            {formatMessage({ id: 'keys.endsBySelf' })} <Countdown at={key.expiresAt} />.
          </>
        )}
      </p>
      <Button isSmall variant="danger" onPress={() => onRevoke(key)}>
        {formatMessage({ id: 'keys.revokeOne' }, { lastFour: key.lastFour })}
      </Button>
    </div>
  );
}

function Countdown({ at }: { readonly at: string }) {
  const { formatDate, formatRelativeTime } = useIntl();
  const { value, unit } = timeUntil(at);
  return (
    <time dateTime={at} title={formatDate(at, { dateStyle: 'full', timeStyle: 'long' })}>
      {formatRelativeTime(value, unit)}
    </time>
  );
}
