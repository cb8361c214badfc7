/** The versions of a webhook: author, time, outcomes and actions. */
import { EllipsisVertical } from 'lucide-react';
import { useIntl } from 'react-intl';
import { useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { Actor } from '../../ui/data/actor.tsx';
import { Button, IconButton, LinkButton } from '../../ui/forms/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { Badge } from '../../ui/data/badge.tsx';
import type { Tone } from '../../ui/tone.ts';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { HealthCell, type VersionHealth } from './version-health.tsx';
import type { Version } from '../version-comparison/mapping-version.ts';

const tones: Readonly<Record<Version['status'], Tone>> = {
  draft: 'info',
  active: 'good',
  retired: 'plain',
};

export type VersionAction = 'activate' | 'test' | 'view';

type ListProps = {
  readonly webhookId: string;
  readonly versions: readonly Version[];
  readonly health: readonly VersionHealth[];
  readonly scheduled: number | null;
  /** The URL search of a comparison; null when there is no other version. */
  readonly toCompare: ((version: number) => string) | null;
  /** The version that a link points to is highlighted. */
  readonly marked: number | null;
  readonly onVersionAction: (action: VersionAction, version: number) => void;
  readonly mayChange: boolean;
};

export function VersionList({ webhookId, versions, health, ...rest }: ListProps) {
  const { formatMessage } = useIntl();
  const { scheduled, toCompare, marked, onVersionAction, mayChange } = rest;
  const open = useDeadLetterCounts([webhookId]);
  const columns: Column<Version>[] = [
    {
      id: 'version',
      label: formatMessage({ id: 'versions.version' }),
      width: '18%',
      cell: ({ version, status }) => (
        <span className="row">
          <strong>{formatMessage({ id: 'versions.named' }, { version })}</strong>
          <Badge tone={tones[status]}>{formatMessage({ id: `versions.status.${status}` })}</Badge>
          {scheduled === version && (
            <Badge tone="warn">{formatMessage({ id: 'versions.isScheduled' })}</Badge>
          )}
        </span>
      ),
    },
    {
      id: 'saved',
      label: formatMessage({ id: 'versions.saved' }),
      width: '20%',
      onPhone: 'named',
      cell: ({ createdAt, createdBy }) => (
        <span>
          <RelativeTime at={createdAt} />{' '}
          <span className="soft">
            {formatMessage({ id: 'versions.by' }, { name: <Actor key="by" name={createdBy} /> })}
          </span>
        </span>
      ),
    },
    {
      id: 'activated',
      label: formatMessage({ id: 'versions.activatedAt' }),
      onPhone: 'named',
      cell: ({ activatedAt }) =>
        activatedAt === null ? (
          <span className="soft none">{formatMessage({ id: 'ui.never' })}</span>
        ) : (
          <RelativeTime at={activatedAt} />
        ),
    },
    {
      id: 'health',
      label: formatMessage({ id: 'versions.health' }),
      onPhone: 'named',
      cell: ({ version }) => (
        <HealthCell
          health={health.find((one) => one.version === version)}
          isOpen={open?.groups.some((group) => group.mappingVersions.includes(version)) ?? false}
        />
      ),
    },
    {
      id: 'actions',
      label: formatMessage({ id: 'versions.actions' }),
      isEnd: true,
      onPhone: 'line',
      cell: ({ version, status }) => (
        <span className="row-actions">
          {toCompare && (
            <LinkButton isSmall href={`/webhooks/${webhookId}/versions?${toCompare(version)}`}>
              {formatMessage({ id: 'versions.compare' })}
            </LinkButton>
          )}
          {mayChange && status !== 'active' && (
            <Button isSmall onPress={() => onVersionAction('activate', version)}>
              {formatMessage({ id: 'versions.activate' })}
            </Button>
          )}
          <More {...{ webhookId, version, onVersionAction, mayChange }} />
        </span>
      ),
    },
  ];
  return (
    <Table
      label={formatMessage({ id: 'versions.list' })}
      columns={columns}
      rows={versions}
      idOf={({ version }) => String(version)}
      marked={marked === null ? null : String(marked)}
    />
  );
}

type MoreProps = Pick<ListProps, 'webhookId' | 'onVersionAction' | 'mayChange'> & {
  readonly version: number;
};

function More({ webhookId, version, onVersionAction, mayChange }: MoreProps) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'versions.more' }, { version });
  const view = {
    id: 'view',
    label: formatMessage({ id: 'versions.view' }),
    onAction: () => onVersionAction('view', version),
  };
  const changing = [
    {
      id: 'edit',
      label: formatMessage({ id: 'versions.edit' }),
      href: `/webhooks/${webhookId}/mapping?version=${version}`,
    },
    {
      id: 'test',
      label: formatMessage({ id: 'versions.test' }),
      onAction: () => onVersionAction('test', version),
    },
  ];
  return (
    <Menu label={label} items={mayChange ? [view, ...changing] : [view]}>
      <IconButton isSmall label={label}>
        <EllipsisVertical aria-hidden />
      </IconButton>
    </Menu>
  );
}
