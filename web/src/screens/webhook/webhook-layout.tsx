/** The frame of all pages of a webhook: name, state, actions and tabs. */
import { EllipsisVertical, Pause, Play } from 'lucide-react';
import { useIntl } from 'react-intl';
import { Outlet, useLocation, useParams } from 'react-router';
import { useApiQuery } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button, IconButton } from '../../ui/forms/button.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { ErrorNote } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { WebhookStateBadge } from '../../ui/data/state-badge.tsx';
import { Tabs } from '../../ui/layout/tabs.tsx';
import { useWebhookActions, type Webhook } from './webhook-actions.tsx';

const pollIntervalMs = 10_000;
/** The summary is the index page. */
const parts = [
  'mapping',
  'versions',
  'samples',
  'rejections',
  'drift',
  'keys',
  'settings',
] as const;

export function WebhookLayout() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const { pathname } = useLocation();
  const webhook = useApiQuery(
    'getWebhook',
    { params: { id } },
    { refetchInterval: pollIntervalMs },
  );
  const mayKeys = useHasScope('operator');
  if (webhook.isPending) return <Loading />;
  // A single failed refresh keeps the page and its unsaved input.
  if (!webhook.data) {
    return <ErrorNote error={webhook.error} onRetry={() => void webhook.refetch()} />;
  }
  const { name, status, statusLabel } = webhook.data;
  const base = `/webhooks/${id}`;
  const part = parts.find((one) => pathname === `${base}/${one}`);
  const label = (one: string) => formatMessage({ id: `webhook.tab.${one}` });
  return (
    <div className="stack">
      <PageHeader
        title={name}
        part={part && label(part)}
        breadcrumbs={[{ label: formatMessage({ id: 'shell.webhooks' }), href: '/webhooks' }]}
        badge={<WebhookStateBadge status={status} statusLabel={statusLabel} />}
        actions={mayKeys ? <Actions webhook={webhook.data} /> : undefined}
      />
      <Tabs
        label={formatMessage({ id: 'webhook.tabs' })}
        tabs={[
          { to: base, label: label('summary'), isExact: true },
          ...parts
            .filter((one) => one !== 'keys' || mayKeys)
            .map((one) => ({ to: `${base}/${one}`, label: label(one) })),
        ]}
      />
      <Outlet />
    </div>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const { formatMessage } = useIntl();
  const { itemsOf, perform, dialogs } = useWebhookActions();
  const labelOf = (id: string) => formatMessage({ id: `webhook.do.${id}` });
  // Actions with their own button are not in the menu.
  const items = itemsOf(webhook).filter(({ id }) => !['pause', 'resume', 'restore'].includes(id));
  const label = labelOf('more');
  return (
    <>
      {webhook.status === 'active' && (
        <Button onPress={() => void perform('pause', webhook)}>
          <Pause aria-hidden />
          {labelOf('pause')}
        </Button>
      )}
      {webhook.status === 'paused' && (
        <Button variant="primary" onPress={() => void perform('resume', webhook)}>
          <Play aria-hidden />
          {labelOf('resume')}
        </Button>
      )}
      {webhook.status === 'archived' && (
        <Button onPress={() => void perform('restore', webhook)}>{labelOf('restore')}</Button>
      )}
      {items.length > 0 && (
        <Menu label={label} items={items}>
          <IconButton label={label}>
            <EllipsisVertical aria-hidden />
          </IconButton>
        </Menu>
      )}
      {dialogs}
    </>
  );
}
