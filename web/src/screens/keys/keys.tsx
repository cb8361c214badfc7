/**
 * The keys of a webhook: states, usage, rotation and revocation.
 *
 * Promises: a new URL is shown once, stays in the memory of this screen only, and is gone when the screen
 * closes.
 */
import { clsx } from 'clsx';
import { useState } from 'react';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { Table, type Column } from '../../ui/data/table.tsx';
import { Deadline, RelativeTime } from '../../ui/data/time.tsx';
import { NewUrl, RotateKey, type RotatedKey } from './rotate-key.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { keyStateOf, type Key, type KeyState } from './key-state.ts';
import { KeyUsage } from './key-usage.tsx';
import styles from './keys.module.css';

const tones: Readonly<Record<KeyState, Tone>> = {
  current: 'good',
  ending: 'warn',
  expired: 'plain',
  revoked: 'plain',
};

export function Keys() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const request = { params: { id }, query: { per_page: 50 } };
  const keys = useApiQuery('listWebhookKeys', request, {
    refetchInterval: 10_000,
    keepPrevious: true,
  });
  const [isRotating, setRotating] = useState(false);
  const [rotated, setRotated] = useState<RotatedKey | null>(null);
  const [leaving, setLeaving] = useState<Key | null>(null);
  if (keys.isPending) return <Loading />;
  if (keys.isError) return <ErrorNote error={keys.error} onRetry={() => void keys.refetch()} />;
  const all = keys.data.results;
  const valid = all.filter((key) => ['current', 'ending'].includes(keyStateOf(key, all[0])));
  const rotate = (
    <Button variant="primary" onPress={() => setRotating(true)}>
      {formatMessage({ id: 'keys.rotate' })}
    </Button>
  );
  return (
    <div className="stack">
      <div className="row spread">
        <p className={clsx('soft', styles.keysLead)}>{formatMessage({ id: 'keys.lead' })}</p>
        {valid.length > 0 && rotate}
      </div>
      {rotated && <NewUrl rotated={rotated} onDone={() => setRotated(null)} />}
      {valid.length === 0 ? (
        <EmptyState title={formatMessage({ id: 'keys.noneValid' })} action={rotate}>
          {formatMessage({ id: 'keys.noneValid.hint' })}
        </EmptyState>
      ) : (
        <KeyUsage keys={valid} onRevoke={setLeaving} />
      )}
      <h2>{formatMessage({ id: 'keys.all' })}</h2>
      <KeyTable keys={all} onRevoke={setLeaving} />
      {isRotating && (
        <RotateKey
          webhookId={id}
          valid={valid}
          onClose={() => setRotating(false)}
          onCreated={setRotated}
        />
      )}
      {leaving && (
        <RevokeKey
          webhookId={id}
          leaving={leaving}
          isLast={valid.every((key) => key.id === leaving.id)}
          onClose={() => setLeaving(null)}
        />
      )}
    </div>
  );
}

type TableProps = { readonly keys: readonly Key[]; readonly onRevoke: (key: Key) => void };

function KeyTable({ keys, onRevoke }: TableProps) {
  const { formatMessage, formatNumber } = useIntl();
  const never = formatMessage({ id: 'ui.never' });
  const label = (id: string) => formatMessage({ id: `keys.${id}` });
  const stateOf = (key: Key) => keyStateOf(key, keys[0]);
  const columns: Column<Key>[] = [
    { id: 'key', label: label('key'), cell: (key) => <code>…{key.lastFour}</code> },
    {
      id: 'state',
      label: label('state'),
      onPhone: 'corner',
      cell: (key) => <Badge tone={tones[stateOf(key)]}>{label(`state.${stateOf(key)}`)}</Badge>,
    },
    {
      id: 'created',
      label: label('created'),
      onPhone: 'named',
      cell: (key) => <RelativeTime at={key.createdAt} />,
    },
    {
      id: 'ends',
      label: label('ends'),
      onPhone: 'named',
      cell: ({ revokedAt, expiresAt }) => {
        if (revokedAt !== null) return <RelativeTime at={revokedAt} />;
        return expiresAt === null ? never : <Deadline at={expiresAt} />;
      },
    },
    {
      id: 'uses',
      label: label('uses'),
      isEnd: true,
      onPhone: 'named',
      cell: (key) => formatNumber(key.uses),
    },
    {
      id: 'last',
      label: label('lastUse'),
      onPhone: 'named',
      cell: ({ lastUsedAt }) => (lastUsedAt === null ? never : <RelativeTime at={lastUsedAt} />),
    },
    {
      id: 'do',
      label: label('do'),
      isEnd: true,
      onPhone: 'line',
      cell: (key) =>
        ['current', 'ending'].includes(stateOf(key)) && (
          <Button
            isSmall
            variant="danger"
            aria-label={formatMessage({ id: 'keys.revokeOne' }, { lastFour: key.lastFour })}
            onPress={() => onRevoke(key)}
          >
            {label('revoke')}
          </Button>
        ),
    },
  ];
  if (keys.length === 0) return <Note>{label('noneValid.hint')}</Note>;
  return <Table label={label('all')} columns={columns} rows={keys} idOf={(key) => key.id} />;
}
