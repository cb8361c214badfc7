/** One page of webhooks as a table. */
import { EllipsisVertical } from 'lucide-react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import type { Answer } from '../../api/client.ts';
import { totalOf, useDeadLetterCounts } from '../../api/dead-letter-counts.ts';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { IconButton } from '../../ui/forms/button.tsx';
import { Sparkline } from '../../ui/data/chart.tsx';
import { Menu, type Item } from '../../ui/overlays/menu.tsx';
import { WebhookStateBadge } from '../../ui/data/state-badge.tsx';
import { Table, type Column } from '../../ui/data/table.tsx';
import { RelativeTime } from '../../ui/data/time.tsx';
import { useWebhookActions } from '../webhook/webhook-actions.tsx';
import type { ListQuery } from './list-query.ts';
import { SetupStatus } from './setup-status.tsx';
import styles from './webhooks.module.css';

type Webhook = Answer<'listWebhooks'>['results'][number];
type Stats = Answer<'listStatsWebhooks'>['results'][number];

const pollIntervalMs = 10_000;

export function WebhookList({
  webhooks,
  listQuery,
}: {
  readonly webhooks: readonly Webhook[];
  readonly listQuery: ListQuery;
}) {
  const { formatMessage } = useIntl();
  const columns = useColumns(webhooks);
  const actions = useWebhookActions();
  const canEdit = useHasScope('operator');
  const menu: Column<Webhook> = {
    id: 'menu',
    label: formatMessage({ id: 'webhooks.column.menu' }),
    isEnd: true,
    onPhone: 'corner',
    cell: (webhook) => (
      <RowMenu webhook={webhook} items={actions.itemsOf(webhook)} canEdit={canEdit} />
    ),
  };
  return (
    <div className={styles.webhookList}>
      <Table
        label={formatMessage({ id: 'webhooks.title' })}
        columns={[...columns, menu]}
        rows={webhooks}
        idOf={({ id }) => id}
        order={listQuery.order}
        onOrder={(order) => listQuery.choose({ order })}
      />
      {actions.dialogs}
    </div>
  );
}

function useColumns(webhooks: readonly Webhook[]): Column<Webhook>[] {
  const { formatMessage } = useIntl();
  const stats = useStats(webhooks);
  const open = useDeadLetterCounts(
    webhooks.map(({ id }) => id),
    { enabled: webhooks.length > 0 },
  );
  const namesOf = useNames();
  const label = (id: string) => formatMessage({ id: `webhooks.column.${id}` });
  return [
    {
      id: 'name',
      label: label('name'),
      sortBy: 'name',
      cell: (webhook) => (
        <div className={styles.webhookName}>
          <Link href={`/webhooks/${webhook.id}`} className="break">
            {webhook.name}
          </Link>
          <span className="soft small break">{namesOf(webhook)}</span>
        </div>
      ),
    },
    {
      id: 'status',
      label: label('status'),
      sortBy: 'status',
      onPhone: 'plain',
      cell: ({ status, statusLabel }) => (
        <WebhookStateBadge status={status} statusLabel={statusLabel} />
      ),
    },
    {
      id: 'traffic',
      label: label('traffic'),
      onPhone: 'plain',
      cell: (webhook) =>
        webhook.setup.active || webhook.status === 'archived' ? (
          <Traffic stats={stats.get(webhook.id)} />
        ) : (
          <SetupStatus webhook={webhook} />
        ),
    },
    {
      id: 'dead',
      label: label('dead'),
      isEnd: true,
      onPhone: 'named',
      cell: ({ id }) => {
        const ofIt = open?.groups.filter(({ webhookId }) => webhookId === id);
        return <Dead id={id} count={ofIt && totalOf(ofIt)} />;
      },
    },
    {
      id: 'last',
      label: label('last'),
      onPhone: 'named',
      cell: ({ id }) => {
        const at = stats.get(id)?.lastEventAt;
        if (at === undefined) return <span className="soft">…</span>;
        return at === null ? (
          <span className="soft none">{formatMessage({ id: 'ui.never' })}</span>
        ) : (
          <RelativeTime at={at} />
        );
      },
    },
  ];
}

/** The last 24 hours of the webhooks shown. */
function useStats(webhooks: readonly Webhook[]): ReadonlyMap<string, Stats> {
  const stats = useApiQuery(
    'listStatsWebhooks',
    { query: { webhookId: webhooks.map(({ id }) => id) } },
    { enabled: webhooks.length > 0, refetchInterval: pollIntervalMs, keepPrevious: true },
  );
  return new Map(stats.data?.results.map((one) => [one.webhookId, one]));
}

/** Producer and channel. */
function useNames(): (webhook: Webhook) => string {
  const channels = useApiQuery('listChannels', { query: { per_page: 200, sort_by: 'name' } });
  const producers = useApiQuery('getProducers', {});
  const channelNames = new Map(channels.data?.results.map(({ id, name }) => [id, name]));
  const titles = new Map(producers.data?.producers.map(({ name, title }) => [name, title]));
  return ({ channelId, producerProfile }) => {
    const from = producerProfile === 'generic' ? undefined : titles.get(producerProfile);
    return [from, channelNames.get(channelId)].filter((part) => part !== undefined).join(' → ');
  };
}

function Traffic({ stats }: { readonly stats: Stats | undefined }) {
  const { formatMessage } = useIntl();
  if (!stats) return <span className="soft">…</span>;
  const text = formatMessage({ id: 'webhooks.received' }, { count: stats.totals.received });
  return (
    <div className={styles.webhookTraffic}>
      <Sparkline values={stats.received} label={formatMessage({ id: 'webhooks.trafficLine' })} />
      <span className="small numbers">{text}</span>
    </div>
  );
}

function Dead({ id, count }: { readonly id: string; readonly count: number | undefined }) {
  const { formatMessage } = useIntl();
  if (count === undefined) return <span className="soft">…</span>;
  if (count === 0) return <span className="soft none">0</span>;
  return (
    <Link
      href={`/dead-letters?webhookId=${id}`}
      className={styles.webhookDead}
      aria-label={formatMessage({ id: 'webhooks.deadLink' }, { count })}
    >
      {count}
    </Link>
  );
}

type RowMenuProps = {
  readonly webhook: Webhook;
  readonly items: readonly Item[];
  readonly canEdit: boolean;
};

function RowMenu({ webhook: { id, name, setup }, items, canEdit }: RowMenuProps) {
  const { formatMessage } = useIntl();
  const label = formatMessage({ id: 'webhooks.actions' }, { name });
  const isOpen = canEdit && setup.next !== null;
  return (
    <Menu
      label={label}
      items={[
        ...(isOpen
          ? [
              {
                id: 'setup',
                label: formatMessage({ id: 'webhooks.continue' }),
                href: `/webhooks/${id}/setup`,
              },
            ]
          : []),
        {
          id: 'events',
          label: formatMessage({ id: 'webhooks.events' }),
          href: `/events?webhookId=${id}`,
        },
        ...items,
      ]}
    >
      <IconButton isSmall label={label}>
        <EllipsisVertical aria-hidden />
      </IconButton>
    </Menu>
  );
}
