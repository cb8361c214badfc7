/** One channel: its settings, who sends to it, a test, switching it off, deleting it. */
import './channel.css';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useIntl } from 'react-intl';
import { useParams } from 'react-router';
import type { Answer } from '../../api/client.ts';
import { useDo, useRead, useTagged } from '../../api/use-api.ts';
import { useMay } from '../../session/session.ts';
import { Button } from '../../ui/forms/button.tsx';
import { Confirm } from '../../ui/overlays/dialog.tsx';
import { Card, Failed, PageHead, Waiting, wordsOf } from '../../ui/feedback/parts.tsx';
import { WebhookState } from '../../ui/data/state-badge.tsx';
import { tell } from '../../ui/overlays/toast.tsx';
import { ChannelState } from './channels.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelTest } from './channel-test.tsx';
import { Deletion } from './delete-channel.tsx';
import { useSenders } from './channel-webhooks.ts';

export type Channel = Answer<'getChannel'>;

export function OneChannel() {
  const { formatMessage } = useIntl();
  const { id = '' } = useParams();
  const channel = useTagged('getChannel', { params: { id } });
  const kinds = useRead('listChannelKinds', {});
  const [isAdmin, isOperator] = [useMay('admin'), useMay('operator')];
  if (channel.isError) {
    return <Failed error={channel.error} onRetry={() => void channel.refetch()} />;
  }
  if (kinds.isError) return <Failed error={kinds.error} onRetry={() => void kinds.refetch()} />;
  if (channel.isPending || kinds.isPending) return <Waiting />;
  const { data, tag } = channel.data;
  const kind = kinds.data.kinds.find((one) => one.kind === data.kind);
  return (
    <div className="stack">
      <PageHead
        title={data.name}
        trail={[{ label: formatMessage({ id: 'shell.channels' }), href: '/channels' }]}
        lead={
          <span className="row">
            <ChannelState isEnabled={data.enabled} />
            {formatMessage({ id: `channels.kind.${data.kind}` })}
          </span>
        }
        actions={isAdmin && <Actions channel={data} />}
      />
      {isOperator && kind?.goesOutside === true && <ChannelTest id={id} />}
      <div className="channel-halves">
        {kind && <ChannelForm channel={data} tag={tag} kind={kind} isFixed={!isAdmin} />}
        <Users id={id} />
      </div>
    </div>
  );
}

function Actions({ channel: { id, name, kind, enabled } }: { readonly channel: Channel }) {
  const { formatMessage, formatList } = useIntl();
  const [asked, setAsked] = useState<'none' | 'off' | 'delete'>('none');
  const touches = ['getChannel', 'listChannels'] as const;
  const change = useDo('updateChannel', { touches });
  const active = useSenders(id)?.filter(({ status }) => status === 'active') ?? [];
  const turn = (isOn: boolean, undo?: () => void) =>
    change.mutate(
      { params: { id }, body: { enabled: isOn } },
      {
        onSuccess: () => {
          setAsked((now) => (now === 'off' ? 'none' : now));
          const told = isOn ? 'channels.turnedOn' : 'channels.turnedOff';
          tell(formatMessage({ id: told }, { name }), undo, `channel ${id}`);
        },
        onError: (error) => tell(wordsOf(error, formatMessage({ id: 'ui.noAnswer' }))),
      },
    );
  const turnWithUndo = (isOn: boolean) => turn(isOn, () => turn(!isOn));
  // What comes for an inbox that is off is dead, so that it is asked for.
  const press = () => (enabled && kind === 'inbox' ? setAsked('off') : turnWithUndo(!enabled));
  return (
    <>
      <Button onPress={press} isDisabled={change.isPending}>
        {formatMessage({ id: enabled ? 'channels.turnOff' : 'channels.turnOn' })}
      </Button>
      <Button look="danger" onPress={() => setAsked('delete')}>
        {formatMessage({ id: 'channels.delete' })}
      </Button>
      <Confirm
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
      </Confirm>
      {asked === 'delete' && <Deletion id={id} name={name} onClose={() => setAsked('none')} />}
    </>
  );
}

function Users({ id }: { readonly id: string }) {
  const { formatMessage } = useIntl();
  const senders = useSenders(id);
  return (
    <Card title={formatMessage({ id: 'channels.users' })}>
      {senders?.length === 0 && (
        <p className="soft">{formatMessage({ id: 'channels.users.none' })}</p>
      )}
      <ul className="channel-users">
        {senders?.map((webhook) => (
          <li key={webhook.id} className="row spread">
            <Link href={`/webhooks/${webhook.id}`} className="break">
              {webhook.name}
            </Link>
            <WebhookState {...webhook} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
