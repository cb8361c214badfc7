/** One channel: settings, webhooks, test, enabling, deletion. */
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import { useApiMutation, useApiQuery, useApiQueryWithEtag } from '../../api/use-api.ts';
import { useHasScope } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ErrorNote, errorMessage } from '../../ui/feedback/error-note.tsx';
import { PageHeader } from '../../ui/layout/page-header.tsx';
import { Loading } from '../../ui/feedback/loading.tsx';
import { WebhookStateBadge } from '../../ui/data/state-badge.tsx';
import { showToast } from '../../ui/overlays/toast.tsx';
import { ChannelStateBadge } from './channels.tsx';
import { ChannelForm, type Channel } from './channel-form.tsx';
import { ChannelHealth } from './channel-health.tsx';
import { ChannelRegistration } from './channel-registration.tsx';
import { ChannelTest } from './channel-test.tsx';
import { DeleteChannel } from './delete-channel.tsx';
import { useChannelWebhooks } from './channel-webhooks.ts';
import styles from './channel.module.css';

export function ChannelScreen() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const channel = useApiQueryWithEtag('getChannel', { params: { id } });
  const kinds = useApiQuery('listChannelKinds', {});
  const [isAdmin, isOperator] = [useHasScope('admin'), useHasScope('operator')];
  if (channel.isError) {
    return <ErrorNote error={channel.error} onRetry={() => void channel.refetch()} />;
  }
  if (kinds.isError) return <ErrorNote error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (channel.isPending || kinds.isPending) return <Loading />;
  const { data, tag } = channel.data;
  const kind = kinds.data.kinds.find((one) => one.kind === data.kind);
  return (
    <div className="stack">
      <PageHeader
        title={data.name}
        breadcrumbs={[{ label: formatMessage({ id: 'shell.channels' }), href: '/channels' }]}
        lead={
          <span className="row">
            <ChannelStateBadge isEnabled={data.enabled} health={data.health.state} />
            {formatMessage({ id: `channels.kind.${data.kind}` })}
          </span>
        }
        actions={isAdmin && <Actions channel={data} />}
      />
      {isOperator && kind?.goesOutside === true && (
        <>
          <ChannelHealth channel={data} />
          <ChannelTest id={id} />
          {kind.inbound?.registers === true && (
            <ChannelRegistration id={id} producers={kind.inbound.producers} />
          )}
        </>
      )}
      <div className={styles.channelHalves}>
        {kind && <ChannelForm channel={data} tag={tag} kind={kind} isFixed={!isAdmin} />}
        <ChannelUsers id={id} />
      </div>
    </div>
  );
}

function Actions({ channel: { id, name, kind, enabled } }: { readonly channel: Channel }) {
  const { formatMessage, formatList } = useIntl();
  const [asked, setAsked] = useState<'none' | 'off' | 'delete'>('none');
  const invalidates = ['getChannel', 'listChannels'] as const;
  const change = useApiMutation('updateChannel', { invalidates });
  const active = useChannelWebhooks(id)?.filter(({ status }) => status === 'active') ?? [];
  const turn = (isOn: boolean, undo?: () => void) =>
    change.mutate(
      { params: { id }, body: { enabled: isOn } },
      {
        onSuccess: () => {
          setAsked((now) => (now === 'off' ? 'none' : now));
          const messageId = isOn ? 'channels.turnedOn' : 'channels.turnedOff';
          showToast(formatMessage({ id: messageId }, { name }), undo, `channel ${id}`);
        },
        onError: (error) => showToast(errorMessage(error, formatMessage({ id: 'ui.noAnswer' }))),
      },
    );
  const turnWithUndo = (isOn: boolean) => turn(isOn, () => turn(!isOn));
  // Disabling an inbox turns its events into dead letters, so it asks for confirmation.
  const press = () => (enabled && kind === 'inbox' ? setAsked('off') : turnWithUndo(!enabled));
  return (
    <>
      <Button onPress={press} isDisabled={change.isPending}>
        {formatMessage({ id: enabled ? 'channels.turnOff' : 'channels.turnOn' })}
      </Button>
      <Button variant="danger" onPress={() => setAsked('delete')}>
        {formatMessage({ id: 'channels.delete' })}
      </Button>
      <ConfirmDialog
        title={formatMessage({ id: 'channels.off.title' }, { name })}
        action={formatMessage({ id: 'channels.off.action' }, { name })}
        isOpen={asked === 'off'}
        isDanger
        isBusy={change.isPending}
        onClose={() => setAsked('none')}
        onConfirm={() => turnWithUndo(false)}
      >
        <p>{formatMessage({ id: 'channels.off.what' })}</p>
        {active.length > 0 && (
          <p>
            {formatMessage(
              { id: 'channels.off.whose' },
              {
                count: active.length,
                names: formatList(active.map((webhook) => webhook.name)),
              },
            )}
          </p>
        )}
      </ConfirmDialog>
      {asked === 'delete' && <DeleteChannel id={id} name={name} onClose={() => setAsked('none')} />}
    </>
  );
}

function ChannelUsers({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const senders = useChannelWebhooks(id);
  return (
    <Card title={formatMessage({ id: 'channels.users' })}>
      {senders?.length === 0 && (
        <p className="soft">{formatMessage({ id: 'channels.users.none' })}</p>
      )}
      <ul className={styles.channelUsers}>
        {senders?.map((webhook) => (
          <li key={webhook.id} className="row spread">
            <Link href={`/webhooks/${webhook.id}`} className="break">
              {webhook.name}
            </Link>
            <WebhookStateBadge {...webhook} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
