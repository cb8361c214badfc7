/** Drift of a webhook: warnings first, then all observed paths. */
import { clsx } from 'clsx';
import { useState, type ReactNode } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams, useSearchParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { BreakableText } from '../../ui/text/breakable-text.tsx';
import { Button, LinkButton } from '../../ui/forms/button.tsx';
import { Select, TextField } from '../../ui/forms/field.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { Note } from '../../ui/feedback/note.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import type { Tone } from '../../ui/tone.ts';
import { targetText } from '../../ui/reasons/reasons.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useDriftChanges, type Change } from '../../ui/drift/use-drift.ts';
import styles from './drift.module.css';

type DriftAnswer = Answer<'getWebhookDrift'>;
type Path = DriftAnswer['paths'][number];

const pollIntervalMs = 30_000;
const shows = ['all', 'mapped', 'unmapped'] as const;
/** Rows shown at first. */
const firstRows = 25;

export function Drift() {
  const { formatMessage, formatDate } = useIntl();
  const { id = '' } = useParams();
  const drift = useApiQuery(
    'getWebhookDrift',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  const changes = useDriftChanges(drift.data?.warnings ?? []);
  if (drift.isPending) return <Loading />;
  if (drift.isError) return <ErrorNote error={drift.error} onRetry={() => void drift.refetch()} />;
  const { observedSince, events, ignored, complete, paths } = drift.data;
  if (observedSince === null || events === 0) {
    return (
      <EmptyState title={formatMessage({ id: 'drift.empty' })}>
        {formatMessage({ id: 'drift.emptyHint' })}
      </EmptyState>
    );
  }
  const since = formatDate(observedSince, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className="stack">
      <p className="soft">
        {formatMessage({ id: 'drift.lead' }, { events, since })}{' '}
        {ignored > 0 && formatMessage({ id: 'drift.ignored' }, { ignored })}
      </p>
      <Card title={formatMessage({ id: 'drift.warnings' }, { count: changes.length })}>
        <div role="status" className="stack tight">
          <Verdict webhookId={id} events={events} isUnchanged={changes.length === 0} />
          {changes.map((change) => (
            <OneChange
              key={`${change.kind} ${change.target} ${change.paths.join()}`}
              webhookId={id}
              change={change}
            />
          ))}
        </div>
        {changes.length > 0 && (
          <div>
            <LinkButton isSmall href={`/webhooks/${id}/versions`}>
              {formatMessage({ id: 'drift.toVersions' })}
            </LinkButton>
          </div>
        )}
      </Card>
      <Paths paths={paths} isComplete={complete} webhookId={id} />
    </div>
  );
}

/** The fewest events in which a change is found: 20 before it and 10 after it. */
const neededEvents = 30;

type VerdictProps = {
  readonly webhookId: string;
  readonly events: number;
  readonly isUnchanged: boolean;
};

/** Good only for what was compared and when nothing fails. */
function Verdict({ webhookId, events, isUnchanged }: VerdictProps) {
  const { formatMessage } = useIntl();
  const failed = useDeadLetterCounts([webhookId])?.count;
  if (failed === undefined) return isUnchanged ? <Loading lines={1} /> : null;
  if (failed > 0) {
    return (
      <Note tone="warn">
        <p>
          {formatMessage(
            { id: 'drift.failed' },
            {
              count: failed,
              a: (text: ReactNode[]) => (
                <Link key="failed" href={`/dead-letters?webhookId=${webhookId}`}>
                  {text}
                </Link>
              ),
            },
          )}
        </p>
      </Note>
    );
  }
  if (!isUnchanged) return null;
  return events < neededEvents ? (
    <Note>{formatMessage({ id: 'drift.tooFew' }, { needed: neededEvents, events })}</Note>
  ) : (
    <Note tone="good">{formatMessage({ id: 'drift.noWarnings' }, { events })}</Note>
  );
}

const tones: Readonly<Record<Change['kind'], Tone>> = {
  missing: 'bad',
  type_changed: 'warn',
  rarer: 'warn',
  new_path: 'info',
};

type ChangeProps = { readonly webhookId: string; readonly change: Change };

function OneChange({ webhookId, change }: ChangeProps) {
  const intl = useIntl();
  const { formatMessage } = intl;
  const { kind, target, paths, text, since, events } = change;
  return (
    <Note tone={tones[kind]}>
      <div className="row">
        <Badge>{formatMessage({ id: `drift.kind.${kind}` })}</Badge>
        {target !== null && <strong>{targetText(intl, target)}</strong>}
        {paths.map((path) => (
          <code key={path}>
            <BreakableText>{path}</BreakableText>
          </code>
        ))}
      </div>
      <p>{text}</p>
      <div className="row">
        <span className="small soft">
          {formatMessage({ id: 'drift.began' })} <RelativeTime at={since} /> ·{' '}
          {formatMessage({ id: 'drift.eventsSince' }, { events })}
        </span>
        <LinkButton isSmall href={toMapping(webhookId, paths[0] ?? null)}>
          {formatMessage({ id: 'drift.toMapping' })}
        </LinkButton>
      </div>
    </Note>
  );
}

const toMapping = (webhookId: string, path: string | null): string => {
  const base = `/webhooks/${webhookId}/mapping`;
  return path === null ? base : `${base}?field=${encodeURIComponent(path)}`;
};

type PathsProps = {
  readonly webhookId: string;
  readonly paths: readonly Path[];
  readonly isComplete: boolean;
};

function Paths({ webhookId, paths, isComplete }: PathsProps) {
  const { formatMessage } = useIntl();
  const [query, setQuery] = useSearchParams();
  const [text, setText] = useState('');
  const [isAll, setAll] = useState(false);
  const show = query.get('show') ?? 'all';
  const wanted = text.trim().toLowerCase();
  const found = paths.filter(
    ({ path, mapped }) =>
      (show === 'all' || mapped === (show === 'mapped')) && path.toLowerCase().includes(wanted),
  );
  return (
    <div className="stack">
      <div className="row spread">
        <h2>{formatMessage({ id: 'drift.paths' })}</h2>
        <div className="row">
          <TextField
            label={formatMessage({ id: 'drift.search' })}
            isLabelHidden
            placeholder={formatMessage({ id: 'drift.search' })}
            value={text}
            onChange={setText}
          />
          <Select
            label={formatMessage({ id: 'drift.show' })}
            isLabelHidden
            value={show}
            onChange={(choice) => setQuery(choice === 'all' ? {} : { show: choice })}
            choices={shows.map((one) => ({
              id: one,
              label: formatMessage({ id: `drift.show.${one}` }),
            }))}
          />
        </div>
      </div>
      {!isComplete && <Note>{formatMessage({ id: 'drift.incomplete' })}</Note>}
      {found.length === 0 ? (
        <EmptyState title={formatMessage({ id: 'drift.noPaths' })} />
      ) : (
        <PathTable webhookId={webhookId} paths={isAll ? found : found.slice(0, firstRows)} />
      )}
      {!isAll && found.length > firstRows && (
        <div>
          <Button onPress={() => setAll(true)}>
            {formatMessage({ id: 'drift.showAll' }, { count: found.length })}
          </Button>
        </div>
      )}
    </div>
  );
}

function PathTable({
  webhookId,
  paths,
}: {
  readonly webhookId: string;
  readonly paths: readonly Path[];
}) {
  const { formatMessage, formatNumber } = useIntl();
  const percent = (share: number) =>
    formatNumber(share, { style: 'percent', maximumFractionDigits: 0 });
  const columns: Column<Path>[] = [
    {
      id: 'path',
      label: formatMessage({ id: 'drift.path' }),
      width: '40%',
      cell: ({ path }) => (
        <code>
          <BreakableText>{path}</BreakableText>
        </code>
      ),
    },
    {
      id: 'types',
      label: formatMessage({ id: 'drift.typesSeen' }),
      onPhone: 'plain',
      cell: ({ types }) => (
        <span className={clsx('row', styles.driftTypes)}>
          {types.map(({ type, share }) => (
            <Badge key={type}>
              {formatMessage({ id: `drift.type.${type}` })}
              {types.length > 1 && <span className="numbers">{percent(share)}</span>}
            </Badge>
          ))}
        </span>
      ),
    },
    {
      id: 'presence',
      label: formatMessage({ id: 'drift.presence' }),
      onPhone: 'named',
      cell: ({ path, presence }) => (
        <span className={styles.driftPresence}>
          <Meter value={presence} label={formatMessage({ id: 'drift.presenceOf' }, { path })} />
          <span className="numbers small">{percent(presence)}</span>
        </span>
      ),
    },
    {
      id: 'seen',
      label: formatMessage({ id: 'drift.lastSeen' }),
      onPhone: 'named',
      cell: ({ lastSeenAt }) => <RelativeTime at={lastSeenAt} />,
    },
    {
      id: 'mapped',
      label: formatMessage({ id: 'drift.mapped' }),
      onPhone: 'plain',
      cell: ({ path, mapped }) =>
        mapped ? (
          <Badge tone="good">{formatMessage({ id: 'drift.isMapped' })}</Badge>
        ) : (
          <Link className="small" href={toMapping(webhookId, path)}>
            {formatMessage({ id: 'drift.toMapping' })}
          </Link>
        ),
    },
  ];
  return (
    <Table
      label={formatMessage({ id: 'drift.paths' })}
      columns={columns}
      rows={paths}
      idOf={({ path }) => path}
    />
  );
}
